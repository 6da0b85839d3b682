import { Effect } from "effect"
import { at, listAt, numberAt, textAt } from "../../Platform/AnswerPaths.ts"
import { recordsOf, type SandboxRecord, type SandboxStore, type SandboxWorld } from "./AdsSandboxStore.ts"

// The simulated platform's second interface, for members of audiences and for conversions.

const uploadMillis = 60_000
const mostMembers = 10_000
const mostEvents = 2000
const mostIdentifiers = 10
const hashShape = /^[0-9a-f]{64}$/

/** Returns the hashes of a person. Undefined if the platform would refuse them. */
const identifiersOf = (userData: unknown): ReadonlyArray<string> | undefined => {
  const identifiers = listAt(userData, "userIdentifiers")
  if (identifiers.length === 0 || identifiers.length > mostIdentifiers) return undefined
  const hashes = identifiers.map((each) => textAt(each, "emailAddress") || textAt(each, "phoneNumber"))
  return hashes.every((hash) => hashShape.test(hash)) ? hashes : undefined
}

const allOf = (people: ReadonlyArray<ReadonlyArray<string> | undefined>): ReadonlyArray<string> | undefined => {
  const hashes = people.flatMap((person) => person ?? [])
  return people.some((person) => person === undefined) ? undefined : hashes
}

/** Returns the hashes of a request's members. Undefined if the platform would refuse it. */
export const membersOf = (body: unknown): ReadonlyArray<string> | undefined => {
  const members = listAt(body, "audienceMembers")
  return members.length === 0 || members.length > mostMembers
    ? undefined
    : allOf(members.map((member) => identifiersOf(at(member, "userData"))))
}

const destination = (body: unknown): string => textAt(body, "destinations", 0, "productDestinationId")

const recordAt = (kind: string, id: string) => (record: SandboxRecord) => record.kind === kind && `${record.id}` === id

/** Changes the members of a list. Undefined if the list does not exist. */
export const changeMembers = Effect.fnUntraced(function* (
  store: SandboxStore,
  kind: string,
  listId: string,
  hashes: ReadonlyArray<string>
) {
  const list = (yield* store.records).find(recordAt("userList", listId))
  if (list === undefined) return undefined
  const members = new Set(listAt(list.body, "members").map(String))
  for (const hash of hashes) {
    if (kind === "remove") members.delete(hash)
    else members.add(hash)
  }
  yield* store.put(list.id, { ...list.body, members: [...members] })
  return yield* store.insert("upload", list.id, { kind, count: hashes.length })
})

const isEvent = (event: unknown): boolean =>
  identifiersOf(at(event, "userData")) !== undefined &&
  textAt(event, "transactionId") !== "" &&
  Number.isFinite(Date.parse(textAt(event, "eventTimestamp"))) &&
  (at(event, "conversionValue") === undefined) === (at(event, "currency") === undefined)

/** The id of an accepted request, or why it was refused. */
export type Ingested = { readonly requestId: number } | "invalid" | "not_found"

const ingestEvents = Effect.fnUntraced(function* (
  store: SandboxStore,
  body: unknown
): Effect.fn.Return<Ingested, Effect.Effect.Error<SandboxStore["records"]>> {
  const events = listAt(body, "events")
  if (events.length === 0 || events.length > mostEvents || !events.every(isEvent)) return "invalid"
  const action = (yield* store.records).find(recordAt("conversionAction", destination(body)))
  if (action === undefined) return "not_found"
  // A repeated event is counted once.
  const counted = new Map(listAt(action.body, "events").map((event) => [textAt(event, "transactionId"), event]))
  for (const event of events) {
    const transactionId = textAt(event, "transactionId")
    if (counted.has(transactionId)) continue
    counted.set(transactionId, {
      transactionId,
      hashes: identifiersOf(at(event, "userData")) ?? [],
      value: numberAt(event, "conversionValue") ?? null
    })
  }
  yield* store.put(action.id, { ...action.body, events: [...counted.values()] })
  return { requestId: yield* store.insert("upload", action.id, { kind: "events", count: events.length }) }
})

/** Stores the upload of a request to `path`. */
export const ingest = Effect.fnUntraced(function* (
  store: SandboxStore,
  path: string,
  body: unknown
): Effect.fn.Return<Ingested, Effect.Effect.Error<SandboxStore["records"]>> {
  yield* store.lock
  if (path.endsWith("/events:ingest")) return yield* ingestEvents(store, body)
  const hashes = membersOf(body)
  if (hashes === undefined) return "invalid"
  const kind = path.endsWith(":remove") ? "remove" : "ingest"
  const requestId = yield* changeMembers(store, kind, destination(body), hashes)
  return requestId === undefined ? "not_found" : { requestId }
})

/** Returns the state of an upload. Undefined if no upload has this id. */
export const uploadState = (world: SandboxWorld, requestId: string | null, now: number) => {
  const request = recordsOf(world, "upload").find(({ id }) => `${id}` === requestId)
  if (request === undefined) return undefined
  const isDone = now - request.createdAt > uploadMillis
  return { requestStatusPerDestination: [{ requestStatus: isDone ? "SUCCESS" : "PROCESSING" }] }
}
