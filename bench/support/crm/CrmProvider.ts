import { Effect, Predicate } from "effect"
import { adapters, sandboxes } from "../../../src/Layers/Crm/Adapters/Adapters.ts"
import { digitsOf, sameText, textAt } from "../../../src/Layers/Crm/Calling/JsonPath.ts"
import type { SimulatedRecord, SimulatedRequest, SimulatedStore } from "../../../src/Layers/Crm/sandbox/CrmSandbox.ts"
import { simulatedRequest } from "../../../src/Layers/Crm/sandbox/CrmSandboxTransport.ts"
import type { CrmName } from "../../../src/Services/Crm/Ids.ts"
import type { OutboundRequest, OutboundResponse } from "../../../src/Services/Outbound/OutboundHttp.ts"

/** All texts and numbers in a value, at any depth, in comparable form. */
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

/**
 * The names that a request may search for. In filters that are texts, these are quoted values and those after
 * operators.
 */
const textsAskedFor = function* ({ body, path, query }: SimulatedRequest): Generator<string> {
  const all = [...path.split("/").map(decodeURIComponent), ...query.values()]
  yield* textsIn(body)
  for (const text of all) {
    yield* textsIn(text)
    yield* textsIn(text.split(/['":,[\]()]+/))
    yield* textsIn(text.split(/\D+/).filter(({ length }) => length >= 8))
  }
}

/** A text that more records contain identifies none of them, such as a stage or an owner. */
const mostOfOneText = 500

/**
 * The records of a simulated CRM in memory, because only the gateway is measured. A simulator searches all records.
 * With `isNarrowed`, it only gets those that share a text with the request, so that its searches do not become slower.
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
    const store = kinds.get(kind) ?? { rows: [], places: new Map(), placesOf: new Map() }
    kinds.set(kind, store)
    return store
  }
  const namedBy = (places: number | ReadonlyArray<number> = []): ReadonlyArray<number> =>
    typeof places === "number" ? [places] : places.length > mostOfOneText ? [] : places
  const index = ({ placesOf }: Kind, { body, id }: SimulatedRecord, place: number) => {
    for (const text of [id, ...textsIn(body)]) {
      const places = placesOf.get(text)
      if (places === undefined) placesOf.set(text, place)
      else if (typeof places === "number") {
        if (places !== place) placesOf.set(text, [places, place])
      } else if (places.length <= mostOfOneText && !places.includes(place)) places.push(place)
    }
  }
  const storeFor = (request: SimulatedRequest, isNarrowed: boolean): SimulatedStore => ({
    insert: (kind, body) =>
      Effect.sync(() => {
        const store = of(kind)
        const row = { id: `${++last}`, body, createdAt: now(), updatedAt: now() }
        const place = store.rows.push(row) - 1
        store.places.set(row.id, place)
        if (isNarrowed) index(store, row, place)
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
        const searchTexts = where === undefined ? textsAskedFor(request) : [where.value.trim().toLowerCase()]
        const candidateRows = isNarrowed
          ? [...new Set([...searchTexts].flatMap((text) => namedBy(placesOf.get(text))))]
              .toSorted((a, b) => a - b)
              .flatMap((place) => rows[place] ?? [])
          : rows
        return where === undefined
          ? candidateRows
          : candidateRows.filter(({ body }) => sameText(textAt(body, where.member), where.value))
      }),
    put: (kind, id, body) =>
      Effect.sync(() => {
        const store = of(kind)
        const place = store.places.get(id)
        const before = place === undefined ? undefined : store.rows[place]
        if (place === undefined || before === undefined) return
        const row = { ...before, body, updatedAt: now() }
        store.rows[place] = row
        if (isNarrowed) index(store, row, place)
      }),
    now: Effect.sync(now)
  })
  return { count: (kind: string) => of(kind).rows.length, storeFor }
}

/** The cost of a call, according to the vendor's documentation. */
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

/** Counts calls within each limit's period and refuses too many, as the provider does. */
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
    /** The limit that is exhausted. */
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
    /** For each limit whose period passed at least once, how much of it was used. */
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
  /** The only key that it accepts. */
  readonly key?: string
  /** Avoids searching all records for each request, if there are many. */
  readonly isNarrowed?: boolean
}

/** A CRM with its provider's rules and limits. */
export const makeProvider = (
  crm: CrmName,
  now: () => number,
  { isLimited, isNarrowed = false, key }: ProviderOptions
) => {
  const simulator = sandboxes[crm]
  const store = makeStore(now)
  const limits = makeLimits(crm, now)
  const start = now()
  /** Includes the simulator's own time, because it runs in the measured process. */
  const seen = { calls: 0, refusals: 0, refusedLater: 0, first: 0, last: 0, millis: 0 }
  return {
    seen,
    count: store.count,
    used: () => limits.used(seen.last - seen.first),
    request: (request: OutboundRequest): Effect.Effect<OutboundResponse> =>
      Effect.gen(function* () {
        const simulated = simulatedRequest(request)
        seen.calls += 1
        if (seen.calls === 1) seen.first = now()
        seen.last = now()
        const refused = isLimited ? limits.refuse(costOf(crm, request)) : undefined
        if (refused !== undefined) {
          seen.refusals += 1
          if (now() > start + 1000) seen.refusedLater += 1
        }
        const shownKey = simulator.keyOf(simulated)
        const isStranger = key !== undefined && shownKey !== key && shownKey !== "sandbox-version"
        const began = performance.now()
        const { body, headers, status } = isStranger
          ? simulator.trouble("unauthorized", 0, simulated)
          : refused === undefined
            ? yield* Effect.orDie(simulator.answer(simulated, store.storeFor(simulated, isNarrowed)))
            : simulator.trouble("rate_limited", 5, simulated)
        seen.millis += performance.now() - began
        return {
          status,
          headers: headers ?? {},
          body: Buffer.from(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body))
        }
      })
  }
}
