import { createHash } from "node:crypto"
import { Effect, Either, Option, Redacted } from "effect"
import type { FieldDefinition } from "../../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../../Services/Crm/Ids.ts"
import { isSamePhone, phoneForms } from "../../../../Services/Crm/PhoneForms.ts"
import { cacheSuccess } from "../../../Platform/CacheSuccess.ts"
import {
  type Credentials,
  type CrmAdapter,
  type CrmClient,
  CrmFailure,
  type CrmRecord,
  type NewCrmRecord,
  type NotedMeeting,
  type NoteToAdd,
  type SearchKeys,
  type SendToCrm
} from "../../Calling/CrmAdapter.ts"
import { allPages, madeId, noneIfMissing } from "../../Calling/CrmPages.ts"
import { at, closedDeal, listAt, numberAt, ownNamed, sameText, textAt } from "../../Calling/JsonPath.ts"
import { idIn, isSignedWithTime } from "../../Connecting/CrmWebhooks.ts"
import { bodyOf, capitalized, eachMade, exactly, fieldsOf, million, objects, phoneIn, quoted } from "./TwentyRecords.ts"

const cloud = "https://api.twenty.com"
const largestPage = 60
/** The most records that are read by their ids in one call, because ids make the address long. */
const mostRead = 30
/** The most leads in a batch. The limit comes from look-ups, which take longer than writes. */
const mostLeads = 120

/** Accounts name their stages freely, so the closing ones are recognised by their names. */
const closes = {
  won: /^(?:customer|won|ganho|ganha|ganhou|cliente|ganado)|\bwon\b/i,
  lost: /^(?:lost|perdid)|\blost\b/i
}

/** A UUID that is always the same for the same text, so that a repeated creation makes only one record. */
const uuidOf = (text: string): string => {
  const hex = createHash("sha256").update(text).digest("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The key contains the id of its workspace. */
const workspaceOf = (credentials: Credentials): string => {
  const key = credentials.get("api_key")
  const claims = key === undefined ? "" : (Redacted.value(key).split(".")[1] ?? "")
  try {
    const told: unknown = JSON.parse(Buffer.from(claims, "base64url").toString("utf8"))
    return textAt(told, "workspaceId") || textAt(told, "sub")
  } catch {
    return ""
  }
}

const urlOf = (credentials: Credentials): string => {
  const url = credentials.get("url")
  return url === undefined ? cloud : Redacted.value(url).replace(/\/+$/, "")
}

/** Lists, and the shapes of records. */
const makeRecordCalls = (send: SendToCrm) => {
  const list = (kind: CrmKind | "workspaceMembers", filter: string | undefined) => {
    const many = kind === "workspaceMembers" ? kind : objects[kind].many
    return allPages((cursor) =>
      Effect.map(
        send({
          method: "GET",
          path: `/rest/${many}`,
          query: { filter, limit: largestPage, depth: 0, starting_after: cursor }
        }),
        ({ json }) => ({
          rows: listAt(json, "data", many),
          next: at(json, "pageInfo", "hasNextPage") === true ? textAt(json, "pageInfo", "endCursor") : undefined
        })
      )
    )
  }
  const ids = (rows: ReadonlyArray<unknown>) => rows.map((row) => textAt(row, "id"))

  /** Accounts can rename and add objects and fields. */
  const metadata = cacheSuccess(
    Effect.map(send({ method: "GET", path: "/rest/metadata/objects", query: { limit: 1000 } }), ({ json }) => {
      const definitions = listAt(json, "data", "objects")
      const fieldsFor = (kind: CrmKind) =>
        listAt(
          definitions.find((each) => textAt(each, "nameSingular") === objects[kind].one),
          "fields"
        )
      /** Returns the field of notes and tasks that names their target. It has a different name since version 1.17. */
      const targetField = (object: string): string => {
        const names = listAt(
          definitions.find((each) => textAt(each, "nameSingular") === object),
          "fields"
        ).map((field) => textAt(field, "name"))
        return names.includes("targetOpportunity") || names.includes("target") ? "targetOpportunityId" : "opportunityId"
      }
      const stage = fieldsFor("deal").find((field) => textAt(field, "name") === "stage")
      const stages = listAt(stage, "options")
        .toSorted((a, b) => (numberAt(a, "position") ?? 0) - (numberAt(b, "position") ?? 0))
        .map((option) => ({ id: textAt(option, "value"), name: textAt(option, "label") }))
      const closing = (outcome: "won" | "lost") =>
        stages.find(({ id, name }) => closes[outcome].test(name) || closes[outcome].test(id))?.id
      return {
        fieldsFor,
        won: closing("won"),
        lost: closing("lost"),
        stages: stages.filter(({ id }) => id !== closing("won") && id !== closing("lost")),
        hasOwner: fieldsFor("deal").some((field) => textAt(field, "name") === "owner"),
        noteTarget: targetField("noteTarget"),
        taskTarget: targetField("taskTarget")
      }
    })
  )

  const stateOf = (record: unknown) =>
    Effect.map(metadata, ({ lost, won }): "open" | "won" | "lost" => {
      const stage = textAt(record, "stage")
      return stage === won ? "won" : stage === lost ? "lost" : "open"
    })

  const recordOf = (kind: CrmKind, ownKeys: ReadonlyArray<string>, record: unknown) =>
    Effect.map(
      kind === "deal" ? stateOf(record) : Effect.succeed(undefined),
      (state): CrmRecord => ({
        id: textAt(record, "id"),
        fields: {
          ...fieldsOf(kind, record),
          ...ownNamed(ownKeys, (key) => textAt(record, key.slice(key.indexOf(":") + 1)))
        },
        ...(state === undefined ? {} : { state, currency: textAt(record, "amount", "currencyCode") })
      })
    )

  const newRecord = Effect.fnUntraced(function* (
    kind: CrmKind,
    { companyId, fields, ownerId, personId }: NewCrmRecord
  ) {
    const owner = kind === "deal" && ownerId !== undefined && (yield* metadata).hasOwner ? { ownerId } : {}
    return {
      ...bodyOf(kind, fields),
      ...(companyId === undefined ? {} : { companyId }),
      ...(kind === "deal" && personId !== undefined ? { pointOfContactId: personId } : {}),
      ...owner
    }
  })

  return { ids, list, metadata, newRecord, recordOf, stateOf }
}

/** The GraphQL interface, which accepts many records per call. */
const makeGraphCalls = (send: SendToCrm, { ids, metadata }: ReturnType<typeof makeRecordCalls>) => {
  const graph = (query: string, variables: object, isRead: boolean) =>
    Effect.map(send({ method: "POST", path: "/graphql", json: { query, variables }, isRead }), ({ json }) =>
      at(json, "data")
    )

  /** A note and its target are two records. One call creates both with the gateway's ids. */
  const addPlainNotes = Effect.fnUntraced(function* (notes: ReadonlyArray<NoteToAdd>) {
    const { noteTarget } = yield* metadata
    const ids = notes.map(({ key }) => uuidOf(`note ${key}`))
    yield* graph(
      "mutation Notes($notes: [NoteCreateInput!]!, $targets: [NoteTargetCreateInput!]!) { createNotes(data: $notes) { id } createNoteTargets(data: $targets) { id } }",
      {
        notes: notes.map(({ text }, index) => ({
          id: ids[index],
          title: text.split("\n")[0],
          bodyV2: { markdown: text }
        })),
        targets: notes.map(({ key, of: { dealId } }, index) => ({
          id: uuidOf(`target ${key}`),
          noteId: ids[index],
          [noteTarget]: dealId
        }))
      },
      false
    )
    return ids
  })

  /** A meeting is a task that is due when it begins. */
  const addMeeting = Effect.fnUntraced(function* ({ key, of: { dealId }, text }: NoteToAdd, meeting: NotedMeeting) {
    const { taskTarget } = yield* metadata
    const id = uuidOf(`task ${key}`)
    yield* graph(
      "mutation Tasks($tasks: [TaskCreateInput!]!, $targets: [TaskTargetCreateInput!]!) { createTasks(data: $tasks) { id } createTaskTargets(data: $targets) { id } }",
      {
        // The CRM's status of an open task.
        tasks: [{ id, title: meeting.title, bodyV2: { markdown: text }, dueAt: meeting.startsAt, status: "TODO" }],
        targets: [{ id: uuidOf(`target ${key}`), taskId: id, [taskTarget]: dealId }]
      },
      false
    )
    return id
  })

  /** Searches records that match any of the filters. If they exceed a page, the caller must use fewer filters. */
  const searched = Effect.fnUntraced(function* (
    kind: "company" | "person",
    members: string,
    filters: ReadonlyArray<object>
  ) {
    if (filters.length === 0) return []
    const { many, one } = objects[kind]
    const data = yield* graph(
      `query Find($filter: ${capitalized(one)}FilterInput!) { ${many}(filter: $filter, first: ${largestPage}) { edges { node { id ${members} } } pageInfo { hasNextPage } } }`,
      { filter: { or: filters } },
      true
    )
    if (at(data, many, "pageInfo", "hasNextPage") === true) return yield* new CrmFailure({ kind: "rejected" })
    return listAt(data, many, "edges").map((edge) => at(edge, "node"))
  })

  const findAll = Effect.fnUntraced(function* (kind: CrmKind, all: ReadonlyArray<SearchKeys>) {
    const escaped = (text: string) => text.replace(/[\\%_]/g, "\\$&")
    if (kind === "company") {
      const companies = yield* searched(
        "company",
        "name",
        all.map(({ name }) => ({ name: { ilike: escaped(name) } }))
      )
      return all.map(({ name }) => Either.right(ids(companies.filter((row) => sameText(textAt(row, "name"), name)))))
    }
    const people = yield* searched(
      "person",
      "emails { primaryEmail } phones { primaryPhoneNumber primaryPhoneCallingCode }",
      all.flatMap(
        ({ email, phone }): ReadonlyArray<object> => [
          ...(email === undefined ? [] : [{ emails: { primaryEmail: { ilike: escaped(email) } } }]),
          ...(phone === undefined ? [] : [{ phones: { primaryPhoneNumber: { in: phoneForms(phone) } } }])
        ]
      )
    )
    return all.map(({ email, phone }) => {
      const sameEmail = people.filter(
        (row) => email !== undefined && sameText(textAt(row, "emails", "primaryEmail"), email)
      )
      const samePhone = people.filter((row) => phone !== undefined && isSamePhone(phoneIn(row), phone))
      return Either.right(ids(sameEmail.length > 0 ? sameEmail : samePhone))
    })
  })

  return { addMeeting, addPlainNotes, findAll }
}

const makeCalls = (send: SendToCrm, credentials: Credentials) => {
  const recordCalls = makeRecordCalls(send)
  const { ids, list, metadata, newRecord, recordOf, stateOf } = recordCalls
  const { addMeeting, addPlainNotes, findAll } = makeGraphCalls(send, recordCalls)

  return { addMeeting, addPlainNotes, credentials, findAll, ids, list, metadata, newRecord, recordOf, send, stateOf }
}
type Calls = ReturnType<typeof makeCalls>

/** Methods that read the account's settings: pipelines, owners, custom fields. */
const accountMethods = ({
  credentials,
  list,
  metadata,
  send
}: Calls): Pick<CrmClient, "check" | "pipelines" | "ownerByEmail" | "customFields"> => ({
  check: Effect.map(send({ method: "GET", path: "/rest/companies", query: { limit: 1, depth: 0 } }), ({ json }) => ({
    identity: Array.isArray(at(json, "data", "companies"))
      ? `${urlOf(credentials).toLowerCase()} ${workspaceOf(credentials)}`.trim()
      : ""
  })),

  pipelines: Effect.map(metadata, ({ stages }) => [{ id: "stage", name: "Opportunities", stages }]),

  ownerByEmail: (email) =>
    Effect.map(list("workspaceMembers", undefined), (members) =>
      Option.map(Option.fromNullable(members.find((each) => sameText(textAt(each, "userEmail"), email))), (member) =>
        textAt(member, "id")
      )
    ),

  customFields: Effect.map(metadata, ({ fieldsFor }) =>
    (["deal", "person", "company"] as const).flatMap((kind) =>
      fieldsFor(kind).flatMap((field): ReadonlyArray<FieldDefinition> => {
        if (at(field, "isCustom") !== true) return []
        const type = textAt(field, "type")
        const known = type === "TEXT" ? "text" : type === "NUMBER" ? "number" : "other"
        return [{ key: `${known}:${textAt(field, "name")}`, label: textAt(field, "label"), kind, type: known }]
      })
    )
  )
})

const recordMethods = ({
  addMeeting,
  addPlainNotes,
  ids,
  list,
  newRecord,
  recordOf,
  send
}: Calls): Pick<CrmClient, "find" | "findDeals" | "read" | "create" | "update" | "addNote"> => ({
  find: Effect.fnUntraced(function* (kind, { email, name, phone }) {
    if (kind === "company") {
      const companies = yield* list("company", `name[ilike]:${exactly(name)}`)
      return ids(companies.filter((row) => sameText(textAt(row, "name"), name)))
    }
    if (email !== undefined) {
      const people = yield* list("person", `emails.primaryEmail[ilike]:${exactly(email)}`)
      const exact = people.filter((row) => sameText(textAt(row, "emails", "primaryEmail"), email))
      if (exact.length > 0) return ids(exact)
    }
    if (phone === undefined) return []
    const forms = phoneForms(phone).map(quoted).join(",")
    const found = yield* list("person", `phones.primaryPhoneNumber[in]:[${forms}]`)
    return ids(found.filter((row) => isSamePhone(phoneIn(row), phone)))
  }),

  findDeals: (title) =>
    Effect.map(list("deal", `name[eq]:${quoted(title)}`), (deals) =>
      ids(deals.filter((deal) => textAt(deal, "name") === title))
    ),

  read: (kind, id, ownKeys) =>
    noneIfMissing(
      Effect.gen(function* () {
        const { many, one } = objects[kind]
        const { json } = yield* send({
          method: "GET",
          path: `/rest/${many}/${encodeURIComponent(id)}`,
          query: { depth: 0 }
        })
        const record = at(json, "data", one)
        if (textAt(record, "id") !== id || textAt(record, "deletedAt") !== "") return Option.none()
        return Option.some(yield* recordOf(kind, ownKeys, record))
      })
    ),

  create: Effect.fnUntraced(function* (kind, record) {
    const { many, one } = objects[kind]
    const { json } = yield* send({
      method: "POST",
      path: `/rest/${many}`,
      query: { depth: 0 },
      json: yield* newRecord(kind, record)
    })
    return yield* madeId(textAt(json, "data", `create${capitalized(one)}`, "id"))
  }),

  update: (kind, id, fields) =>
    Effect.asVoid(
      send({
        method: "PATCH",
        path: `/rest/${objects[kind].many}/${encodeURIComponent(id)}`,
        query: { depth: 0 },
        json: bodyOf(kind, fields)
      })
    ),

  addNote: (note) =>
    note.meeting === undefined ? Effect.map(addPlainNotes([note]), ([id = ""]) => id) : addMeeting(note, note.meeting)
})

const dealMethods = ({ list, metadata, send, stateOf }: Calls): Pick<CrmClient, "close" | "closedSince"> => ({
  close: Effect.fnUntraced(function* (dealId, { outcome, value }) {
    const stage = (yield* metadata)[outcome]
    // The account has no stage with this meaning.
    if (stage === undefined) return yield* new CrmFailure({ kind: "rejected" })
    yield* send({
      method: "PATCH",
      path: `/rest/opportunities/${encodeURIComponent(dealId)}`,
      query: { depth: 0 },
      json: bodyOf("deal", { stage, ...(value === undefined ? {} : { value }) })
    })
  }),

  closedSince: Effect.fnUntraced(function* (since) {
    const { lost, won } = yield* metadata
    const stages = [won, lost].flatMap((stage) => stage ?? [])
    if (stages.length === 0) return []
    const deals = yield* list("deal", `stage[in]:[${stages.map(quoted).join(",")}],updatedAt[gte]:${quoted(since)}`)
    return yield* Effect.map(
      Effect.forEach(deals, (deal) => Effect.map(stateOf(deal), (state) => ({ deal, state }))),
      (deals) =>
        deals.flatMap(({ deal, state }) => {
          const micros = numberAt(deal, "amount", "amountMicros")
          return closedDeal(state, {
            id: textAt(deal, "id"),
            currency: textAt(deal, "amount", "currencyCode"),
            value: micros === undefined ? undefined : micros / million
          })
        })
    )
  })
})

const batchMethods = ({
  addPlainNotes,
  findAll,
  list,
  newRecord,
  recordOf,
  send
}: Calls): Pick<CrmClient, "batches"> => ({
  batches: {
    leads: mostLeads,
    find: { most: mostLeads, run: findAll },
    read: {
      most: mostRead,
      run: Effect.fnUntraced(function* (kind, all) {
        const rows = yield* list(kind, `id[in]:[${all.map(({ id }) => quoted(id)).join(",")}]`)
        const rowsById = new Map(rows.map((row) => [textAt(row, "id"), row]))
        return yield* Effect.forEach(all, ({ id, ownKeys }) => {
          const record = rowsById.get(id)
          return record === undefined || textAt(record, "deletedAt") !== ""
            ? Effect.succeed(Either.right(Option.none<CrmRecord>()))
            : Effect.map(recordOf(kind, ownKeys, record), (read) => Either.right(Option.some(read)))
        })
      })
    },
    create: {
      most: largestPage,
      run: Effect.fnUntraced(function* (kind, records) {
        const { many } = objects[kind]
        const given = yield* Effect.forEach(records, (record) => newRecord(kind, record))
        const { json } = yield* send({
          method: "POST",
          path: `/rest/batch/${many}`,
          query: { depth: 0 },
          json: given
        })
        return eachMade(listAt(json, "data", `create${capitalized(many)}`), given)
      })
    },
    addNotes: {
      most: largestPage,
      run: (_, notes) => Effect.map(addPlainNotes(notes), (ids) => ids.map((id) => Either.right(id)))
    }
  }
})

const client = (send: SendToCrm, credentials: Credentials): CrmClient => {
  const calls = makeCalls(send, credentials)
  return { ...accountMethods(calls), ...recordMethods(calls), ...dealMethods(calls), ...batchMethods(calls) }
}

/** The adapter for Twenty, in its cloud or on the account's own server. */
export const twenty: CrmAdapter = {
  name: "twenty",
  needs: ["api_key"],
  takes: ["url"],
  baseUrl: urlOf,
  headers: (credentials) => {
    const key = credentials.get("api_key")
    return key === undefined ? {} : { authorization: `Bearer ${Redacted.value(key)}` }
  },
  limits: [{ bucket: "calls", allowance: { amount: 50, seconds: 60 } }],
  // The GraphQL interface returns errors with status 200.
  judge: ({ json, status }) => {
    if (status !== 200 || listAt(json, "errors").length === 0) return undefined
    switch (textAt(json, "errors", 0, "extensions", "code")) {
      case "UNAUTHENTICATED":
        return { kind: "unauthorized" }
      case "FORBIDDEN":
        return { kind: "forbidden" }
      case "BAD_USER_INPUT":
      case "GRAPHQL_VALIDATION_FAILED":
        return { kind: "rejected" }
      default:
        return { kind: "maybe_sent" }
    }
  },
  connect: client,
  webhooks: {
    register: (send, { address, secret }) =>
      Effect.map(
        send({
          method: "POST",
          path: "/rest/metadata/webhooks",
          json: { targetUrl: address, operations: ["opportunity.updated"], secret }
        }),
        ({ json }) =>
          [textAt(json, "data", "createWebhook", "id") || textAt(json, "data", "id") || textAt(json, "id")].filter(
            (id) => id !== ""
          )
      ),
    remove: (send, id) =>
      Effect.asVoid(send({ method: "DELETE", path: `/rest/metadata/webhooks/${encodeURIComponent(id)}` })),
    isGenuine: (delivery) =>
      isSignedWithTime(delivery, {
        signature: "x-twenty-webhook-signature",
        timestamp: "x-twenty-webhook-timestamp"
      }),
    dealOf: (body) => idIn(body, "record", "id")
  }
}
