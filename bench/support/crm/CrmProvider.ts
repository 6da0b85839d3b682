import { Effect, Predicate } from "effect"
import { adapters, sandboxes } from "../../../src/Layers/Crm/Adapters/Adapters.ts"
import { digitsOf, sameText, textAt } from "../../../src/Layers/Crm/Calling/JsonPath.ts"
import type { SimulatedRecord, SimulatedRequest, SimulatedStore } from "../../../src/Layers/Crm/sandbox/CrmSandbox.ts"
import { simulatedRequest } from "../../../src/Layers/Crm/sandbox/CrmSandboxTransport.ts"
import type { CrmName } from "../../../src/Services/Crm/Ids.ts"
import type { OutboundRequest, OutboundResponse } from "../../../src/Services/Outbound/OutboundHttp.ts"

/** All texts and numbers in something, at any depth, as they are compared. */
const textsIn = function* (value: unknown): Generator<string> {
  if (typeof value === "string" || typeof value === "number") {
    const text = `${value}`.trim().toLowerCase()
    yield text
    const digits = text.length < 8 ? "" : digitsOf(text)
    if (digits.length >= 8 && digits !== text) yield digits
  } else if (Array.isArray(value)) {
    for (const each of value) yield* textsIn(each)
  } else if (Predicate.isRecord(value)) {
    for (const each of Object.values(value)) yield* textsIn(each)
  }
}

/** All that a request may ask for by name; of filters that are written as texts what stands in quotes and behind signs. */
const textsAskedFor = function* ({ body, path, query }: SimulatedRequest): Generator<string> {
  const all = [...path.split("/").map(decodeURIComponent), ...query.values()]
  yield* textsIn(body)
  for (const text of all) {
    yield* textsIn(text)
    yield* textsIn(text.split(/['":,[\]()]+/))
    yield* textsIn(text.split(/\D+/).filter(({ length }) => length >= 8))
  }
}

/** What more records have than this names none of them: a stage, an owner. */
const mostOfOneText = 500

/**
 * The records of a simulated CRM, in memory: what is measured is the gateway. A simulator looks through all records for
 * those that it is asked for; so that this takes no longer the more there are, it is shown those only that have a text in
 * common with what is asked, where `isNarrowed`.
 */
const makeStore = (now: () => number) => {
  interface Kind {
    readonly rows: Array<SimulatedRecord>
    readonly places: Map<string, number>
    readonly placesOf: Map<string, number | Array<number>>
  }
  const kinds = new Map<string, Kind>()
  let last = 0
  const of = (kind: string): Kind => {
    const known = kinds.get(kind) ?? { rows: [], places: new Map(), placesOf: new Map() }
    kinds.set(kind, known)
    return known
  }
  const namedBy = (places: number | ReadonlyArray<number> = []): ReadonlyArray<number> =>
    typeof places === "number" ? [places] : places.length > mostOfOneText ? [] : places
  const index = ({ placesOf }: Kind, { body, id }: SimulatedRecord, place: number) => {
    for (const text of [id, ...textsIn(body)]) {
      const known = placesOf.get(text)
      if (known === undefined) placesOf.set(text, place)
      else if (typeof known === "number") {
        if (known !== place) placesOf.set(text, [known, place])
      } else if (known.length <= mostOfOneText && !known.includes(place)) known.push(place)
    }
  }
  const storeFor = (request: SimulatedRequest, isNarrowed: boolean): SimulatedStore => ({
    insert: (kind, body) =>
      Effect.sync(() => {
        const known = of(kind)
        const row = { id: `${++last}`, body, createdAt: now(), updatedAt: now() }
        const place = known.rows.push(row) - 1
        known.places.set(row.id, place)
        if (isNarrowed) index(known, row, place)
        return row.id
      }),
    get: (kind, id) =>
      Effect.sync(() => {
        const { places, rows } = of(kind)
        return rows[places.get(id) ?? -1]
      }),
    list: (kind, where) =>
      Effect.sync(() => {
        const { placesOf, rows } = of(kind)
        const asked = where === undefined ? textsAskedFor(request) : [where.value.trim().toLowerCase()]
        const found = isNarrowed
          ? [...new Set([...asked].flatMap((text) => namedBy(placesOf.get(text))))]
              .toSorted((a, b) => a - b)
              .flatMap((place) => rows[place] ?? [])
          : rows
        return where === undefined
          ? found
          : found.filter(({ body }) => sameText(textAt(body, where.member), where.value))
      }),
    put: (kind, id, body) =>
      Effect.sync(() => {
        const known = of(kind)
        const place = known.places.get(id)
        const before = place === undefined ? undefined : known.rows[place]
        if (place === undefined || before === undefined) return
        const row = { ...before, body, updatedAt: now() }
        known.rows[place] = row
        if (isNarrowed) index(known, row, place)
      }),
    now: Effect.sync(now)
  })
  return { count: (kind: string) => of(kind).rows.length, storeFor }
}

/** What the vendor's calls cost, as its own text has it. */
const costOf = (crm: CrmName, { method, url }: OutboundRequest): number => {
  if (crm !== "pipedrive") return 1
  const { pathname } = new URL(url)
  const isOlder = pathname.startsWith("/v1/")
  const cost =
    method !== "GET"
      ? 5
      : pathname.endsWith("/search")
        ? 20
        : /\/\d+$/.test(pathname) || pathname.endsWith("/me")
          ? 1
          : 10
  return isOlder ? 2 * cost : cost
}

/** Counts what came within each of the limits' stretches, and refuses what is too much, as the provider does. */
const makeLimits = (crm: CrmName, now: () => number) => {
  const windows = adapters[crm].limits.map(({ allowance, bucket, largestCost }) => ({
    bucket,
    ...allowance,
    hasCosts: largestCost !== undefined,
    taken: [] as Array<{ readonly at: number; readonly cost: number }>,
    first: 0,
    within: 0,
    inAll: 0
  }))
  return {
    /** Which limit is used up. */
    refuse: (cost: number): string | undefined => {
      const at = now()
      for (const window of windows) {
        for (let oldest = window.taken[window.first]; oldest !== undefined; oldest = window.taken[window.first]) {
          if (oldest.at > at - window.seconds * 1000) break
          window.within -= oldest.cost
          window.first += 1
        }
      }
      const used = windows.find(({ amount, hasCosts, within }) => within + (hasCosts ? cost : 1) > amount)
      if (used !== undefined) return used.bucket
      for (const window of windows) {
        const one = window.hasCosts ? cost : 1
        window.taken.push({ at, cost: one })
        window.within += one
        window.inAll += one
      }
      return undefined
    },
    /** Of each limit whose stretch passed at least once, how much of it was used in a time. */
    used: (millis: number) =>
      windows
        .filter(({ seconds }) => seconds * 1000 <= millis)
        .map(({ amount, bucket, inAll, seconds }) => ({
          bucket,
          share: inAll / ((amount * millis) / 1000 / seconds)
        }))
  }
}

interface ProviderOptions {
  readonly isLimited: boolean
  /** The one key that it takes. */
  readonly key?: string
  /** It gets so many records that they are not looked through for each request. */
  readonly isNarrowed?: boolean
}

/** A CRM as its provider has it, with its rules and its limits. */
export const makeProvider = (
  crm: CrmName,
  now: () => number,
  { isLimited, isNarrowed = false, key }: ProviderOptions
) => {
  const simulator = sandboxes[crm]
  const store = makeStore(now)
  const limits = makeLimits(crm, now)
  const start = now()
  /** With what the simulator itself took: it is in the process that is measured. */
  const seen = { calls: 0, refusals: 0, refusedLater: 0, first: 0, last: 0, millis: 0 }
  return {
    seen,
    count: store.count,
    used: () => limits.used(seen.last - seen.first),
    request: (request: OutboundRequest): Effect.Effect<OutboundResponse> =>
      Effect.gen(function* () {
        const given = simulatedRequest(request)
        seen.calls += 1
        if (seen.calls === 1) seen.first = now()
        seen.last = now()
        const refused = isLimited ? limits.refuse(costOf(crm, request)) : undefined
        if (refused !== undefined) {
          seen.refusals += 1
          if (now() > start + 1000) seen.refusedLater += 1
        }
        const shownKey = simulator.keyOf(given)
        const isStranger = key !== undefined && shownKey !== key && shownKey !== "sandbox-version"
        const began = performance.now()
        const { body, headers, status } = isStranger
          ? simulator.trouble("unauthorized", 0, given)
          : refused === undefined
            ? yield* Effect.orDie(simulator.answer(given, store.storeFor(given, isNarrowed)))
            : simulator.trouble("rate_limited", 5, given)
        seen.millis += performance.now() - began
        return {
          status,
          headers: headers ?? {},
          body: Buffer.from(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body))
        }
      })
  }
}
