import { Effect } from "effect"
import { adapters, simulators } from "../../src/Layers/Crm/Adapters.ts"
import type { SimulatedBody, SimulatedRecord, SimulatedStore } from "../../src/Layers/Crm/CrmSimulator.ts"
import { simulatedRequest } from "../../src/Layers/Crm/SandboxCrm.ts"
import type { CrmName } from "../../src/Services/Crm/Ids.ts"
import type { OutboundRequest, OutboundResponse } from "../../src/Services/Outbound/OutboundHttp.ts"

/** The records of a simulated CRM, in memory: what is measured is the gateway. */
const makeStore = (now: () => number): SimulatedStore & { readonly count: (kind: string) => number } => {
  const kinds = new Map<string, { readonly rows: Array<SimulatedRecord>; readonly places: Map<string, number> }>()
  const indexes = new Map<string, Map<string, Array<string>>>()
  let last = 0
  const of = (kind: string) => {
    const known = kinds.get(kind) ?? { rows: [], places: new Map<string, number>() }
    kinds.set(kind, known)
    return known
  }
  const keyIn = (body: SimulatedBody, member: string) => {
    const value = body[member]
    return typeof value === "string" ? value.toLowerCase() : undefined
  }
  const index = (kind: string, member: string) => {
    const name = `${kind} ${member}`
    const known = indexes.get(name)
    if (known !== undefined) return known
    const made = new Map<string, Array<string>>()
    indexes.set(name, made)
    for (const row of of(kind).rows) add(made, row, member)
    return made
  }
  const add = (to: Map<string, Array<string>>, row: SimulatedRecord, member: string) => {
    const key = keyIn(row.body, member)
    if (key === undefined) return
    const ids = to.get(key)
    if (ids === undefined) to.set(key, [row.id])
    else if (!ids.includes(row.id)) ids.push(row.id)
  }
  const indexed = (kind: string, row: SimulatedRecord) => {
    for (const [name, made] of indexes) if (name.startsWith(`${kind} `)) add(made, row, name.slice(kind.length + 1))
  }
  const rowOf = (kind: string, id: string) => of(kind).rows[of(kind).places.get(id) ?? -1]
  return {
    count: (kind) => of(kind).rows.length,
    insert: (kind, body) =>
      Effect.sync(() => {
        const { places, rows } = of(kind)
        const row = { id: `${++last}`, body, createdAt: now(), updatedAt: now() }
        places.set(row.id, rows.push(row) - 1)
        indexed(kind, row)
        return row.id
      }),
    get: (kind, id) => Effect.sync(() => rowOf(kind, id)),
    list: (kind, where) =>
      Effect.sync(() =>
        where === undefined
          ? of(kind).rows
          : (index(kind, where.member).get(where.value.toLowerCase()) ?? []).flatMap((id) => {
              const row = rowOf(kind, id)
              return row !== undefined && keyIn(row.body, where.member) === where.value.toLowerCase() ? [row] : []
            })
      ),
    put: (kind, id, body) =>
      Effect.sync(() => {
        const { places, rows } = of(kind)
        const place = places.get(id)
        const before = place === undefined ? undefined : rows[place]
        if (place === undefined || before === undefined) return
        const row = { ...before, body, updatedAt: now() }
        rows[place] = row
        indexed(kind, row)
      }),
    now: Effect.sync(now)
  }
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
  const windows = (adapters.get(crm)?.limits ?? []).map(({ allowance, bucket, largestCost }) => ({
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

/** A CRM as its provider has it, with its rules and its limits. */
export const makeProvider = (crm: CrmName, now: () => number, isLimited: boolean, key?: string) => {
  const simulator = simulators.get(crm)
  const store = makeStore(now)
  const limits = makeLimits(crm, now)
  const began = now()
  const seen = { calls: 0, refusals: 0, refusedLater: 0, first: 0, last: 0 }
  return {
    seen,
    count: store.count,
    used: () => limits.used(seen.last - seen.first),
    request: (request: OutboundRequest): Effect.Effect<OutboundResponse> =>
      Effect.gen(function* () {
        if (simulator === undefined) return yield* Effect.dieMessage(`There is no ${crm}.`)
        const given = simulatedRequest(request)
        seen.calls += 1
        if (seen.calls === 1) seen.first = now()
        seen.last = now()
        const refused = isLimited ? limits.refuse(costOf(crm, request)) : undefined
        if (refused !== undefined) {
          seen.refusals += 1
          if (now() > began + 1000) seen.refusedLater += 1
        }
        const shownKey = simulator.keyOf(given)
        const isStranger = key !== undefined && shownKey !== key && shownKey !== "sandbox-version"
        const { body, headers, status } = isStranger
          ? simulator.trouble("unauthorized", 0, given)
          : refused === undefined
            ? yield* Effect.orDie(simulator.answer(given, store))
            : simulator.trouble("rate_limited", 5, given)
        return {
          status,
          headers: headers ?? {},
          body: Buffer.from(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body))
        }
      })
  }
}
