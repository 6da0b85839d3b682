import { SqlClient } from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Logger, LogLevel, Redacted } from "effect"
import type { Refused } from "../../../src/Errors.ts"
import { sandboxes } from "../../../src/Layers/Crm/Adapters/Adapters.ts"
import { CrmTransport } from "../../../src/Layers/Crm/Calling/CrmTransport.ts"
import type { DealClosing } from "../../../src/Layers/Crm/sandbox/CrmSandbox.ts"
import { makeCrmSandboxTransport, makeSimulatedStore } from "../../../src/Layers/Crm/sandbox/CrmSandboxTransport.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import { type CredentialName, Crm } from "../../../src/Services/Crm/Crm.ts"
import type { CrmName } from "../../../src/Services/Crm/Ids.ts"
import type { LeadId, LeadStatus } from "../../../src/Services/Leads/Ids.ts"
import { Leads } from "../../../src/Services/Leads/Leads.ts"
import {
  OutboundFailure,
  type OutboundRequest,
  type OutboundResponse
} from "../../../src/Services/Outbound/OutboundHttp.ts"
import { judgedLeadSource } from "../../LeadSource/judgedLeadSource.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { judges, parsedBody } from "../vendors/judge.ts"
import { crmLayers, Syncing, Unlimited } from "./CrmLayers.ts"
import { crmKinds } from "./crmKinds.ts"

/** What happens to a request on its way: before it arrives, or to its answer. */
export type Fault = (
  request: OutboundRequest,
  arrive: Effect.Effect<OutboundResponse, Refused | OutboundFailure>
) => Effect.Effect<OutboundResponse, Refused | OutboundFailure>

/** The way to the simulated CRMs with troubles that tests plan, and what went over it. */
export class CrmTransportProbe extends Context.Tag("CrmTransportProbe")<
  CrmTransportProbe,
  {
    readonly requests: Array<{ readonly crm: string; readonly line: string; readonly body: string }>
    /** What the excerpts of the vendors' files find wrong in requests, and in answers of the simulators. */
    readonly findings: Set<string>
    /** Of the next requests that `isMeant`; each is used up by one. */
    readonly plan: (isMeant: (request: OutboundRequest) => boolean, ...faults: ReadonlyArray<Fault>) => void
    readonly clear: () => void
  }
>() {}

interface Planned {
  readonly isMeant: (request: OutboundRequest) => boolean
  readonly faults: Array<Fault>
}

const RoadLive = Layer.effectContext(
  Effect.gen(function* () {
    const simulated = yield* makeCrmSandboxTransport
    const requests: Array<{ readonly crm: string; readonly line: string; readonly body: string }> = []
    const findings = new Set<string>()
    let planned: Array<Planned> = []
    const transport = CrmTransport.of({
      mode: "sandbox",
      request: (crm, request) =>
        Effect.suspend(() => {
          const body = typeof request.body === "string" ? request.body : ""
          requests.push({ crm, line: `${request.method} ${request.url}`, body })
          const plan = planned.find(({ faults, isMeant }) => faults.length > 0 && isMeant(request))
          const fault = plan?.faults.shift()
          const judge = judges.get(crm)
          const judged = { method: request.method, url: request.url, body: parsedBody(request.body) }
          for (const finding of judge?.request(judged) ?? []) findings.add(`${crm}: ${finding}`)
          return Effect.flatMap(Caller, (caller) => {
            const arrive = Effect.tap(
              Effect.provideService(simulated.request(crm, request), Caller, caller),
              (answer) =>
                Effect.sync(() => {
                  const judgedAnswer = { status: answer.status, body: parsedBody(answer.body) }
                  for (const finding of judge?.answer(judged, judgedAnswer) ?? []) findings.add(`${crm}: ${finding}`)
                })
            )
            return fault === undefined ? arrive : fault(request, arrive)
          })
        })
    })
    const road = CrmTransportProbe.of({
      requests,
      findings,
      plan: (isMeant, ...faults) => planned.push({ isMeant, faults: [...faults] }),
      clear: () => {
        planned = []
        requests.length = 0
      }
    })
    return Context.make(CrmTransport, transport).pipe(Context.add(CrmTransportProbe, road))
  })
)

export const CrmWorld = crmLayers(Unlimited, judgedLeadSource).pipe(
  Layer.provideMerge(RoadLive),
  Layer.provideMerge(TestDatabase),
  Layer.provideMerge(Logger.minimumLogLevel(LogLevel.None))
)

export const answered =
  (status: number, body: string, headers: { readonly [name: string]: string } = {}): Fault =>
  () =>
    Effect.succeed({ status, headers, body: Buffer.from(body) })
/** It never arrived. */
export const lostBefore: Fault = () =>
  Effect.fail(new OutboundFailure({ reason: "connection_failed", mayHaveArrived: false }))
/** Nobody can tell: it did not do anything. */
export const timedOutBefore: Fault = () =>
  Effect.fail(new OutboundFailure({ reason: "timed_out", mayHaveArrived: true }))
/** Nobody can tell: it did it. */
export const timedOutAfter: Fault = (_, arrive) =>
  Effect.zipRight(arrive, Effect.fail(new OutboundFailure({ reason: "timed_out", mayHaveArrived: true })))
/** It did it, and then broke. */
export const brokeAfter =
  (status: number, body: string): Fault =>
  (_, arrive) =>
    Effect.as(arrive, { status, headers: {}, body: Buffer.from(body) })

const credentialsFor: { readonly [crm in CrmName]: ReadonlyArray<CredentialName> } = {
  hubspot: ["access_token"],
  pipedrive: ["api_token"],
  ploomes: ["api_key"],
  crmsuite: ["crm_token"],
  agendor: ["api_token"],
  odoo: ["url", "database", "username", "api_key"],
  omie: ["app_key", "app_secret"],
  piperun: ["api_token"],
  nectar: ["api_token"],
  moskit: ["api_key"],
  twenty: ["api_key"]
}

/** A kind of CRM, and where its servers are accounts' own, which. */
export interface CrmServer {
  readonly crm: CrmName
  readonly url?: string | undefined
}

export const connect = (crmName: CrmName, key = "sandbox-one", url = "https://crm.example") =>
  Effect.flatMap(Crm, (crm) =>
    crm.connect({
      crmName,
      credentials: new Map(credentialsFor[crmName].map((name) => [name, Redacted.make(name === "url" ? url : key)])),
      pipelineId: undefined,
      funnelId: undefined
    })
  )

/** An account of its own with the CRM connected, on a road without troubles. */
export const connected = <A, E, R>(server: CrmServer | CrmName, test: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const caller = yield* makeAccount()
    const road = yield* CrmTransportProbe
    const { crm, url } = typeof server === "string" ? { crm: server, url: undefined } : server
    road.findings.clear()
    yield* as(caller)(connect(crm, undefined, url))
    road.clear()
    const result = yield* as(caller)(test)
    assert.deepStrictEqual([...road.findings], [], "the vendor would not take or answer this")
    return result
  })

let people = 0

export const newLead = (columns: {
  readonly status?: LeadStatus
  readonly name?: string
  readonly company?: string
  readonly email?: string
  readonly phone?: string
}) =>
  Effect.flatMap(Leads, (leads) => {
    const number = ++people
    return leads.register({
      name: columns.name ?? `Ana Souza ${number}`,
      email: columns.email ?? `ana${number}@clinica${number}.example`,
      phone: columns.phone,
      company: columns.company ?? `Clínica ${number}`,
      status: columns.status ?? "Interested",
      campaign: undefined
    })
  }).pipe(Effect.map(({ lead_id }) => lead_id))

/** Leads that are to be sent, by one statement; each has a company of its own unless told. */
export const newLeads = (count: number, company?: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const first = people + 1
    people += count
    yield* sql`
      with made as (
        insert into lead (account_id, name, email, company, status, pipeline_state)
        select ${accountId}, 'Ana Souza ' || n, 'ana' || n || '@' || coalesce(${company === undefined ? null : "mesma"}, 'clinica' || n) || '.example', coalesce(${company ?? null}, 'Clínica ' || n), 'Cold', 'not_started'
        from generate_series(${first}::int, ${people}::int) n returning account_id, lead_id
      )
      insert into crm_lead (account_id, crm, lead_id, state, due_at)
      select account_id, i.crm, lead_id, 'pending', instant() from made join crm_integration i using (account_id)`
  })

/** Does all that is due, as if the time that things were put off for had passed. */
export const sync = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const { round } = yield* Syncing
  yield* sql`update crm_lead set due_at = instant() where account_id = ${accountId} and state = 'pending'`
  yield* sql`update crm_link set began_at = began_at - interval '1 hour' where account_id = ${accountId}`
  yield* sql`update crm_integration set resumes_at = null where account_id = ${accountId}`
  yield* round
})

/** The records of one kind that the simulated CRM has for the account. */
export const recordsAt = (crm: string, kind: string, tenant = "sandbox-one") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    return yield* makeSimulatedStore(sql, accountId, crm, tenant).list(kind)
  })

/** Somebody at the CRM wins or loses the deal. */
export const closeThere = (crm: CrmName, kind: string, id: string, closing: DealClosing) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const store = makeSimulatedStore(sql, accountId, crm, "sandbox-one")
    const simulator = sandboxes[crm]
    const stored = simulator?.storedId?.(id) ?? id
    const deal = yield* store.get(kind, stored)
    if (deal === undefined || simulator === undefined) return yield* Effect.dieMessage("no such deal")
    yield* store.put(kind, stored, yield* simulator.close(deal, closing, store))
    yield* sql`update crm_integration set polled_at = instant() - interval '1 hour' where account_id = ${accountId}`
  })

/** How many leads stand how at their CRM, with the reasons of those that are stuck. */
export const standing = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const rows = yield* sql<{ readonly state: string; readonly reason: string | null; readonly count: number }>`
    select state, case when state = 'stuck' then reason end as reason, count(*)::int as count from crm_lead
    where account_id = ${accountId} group by 1, 2 order by 1, 2`
  return Object.fromEntries(rows.map(({ count, reason, state }) => [reason === null ? state : reason, count]))
})

/** How many records of each kind there are at the simulated CRM: of one lead never more than one of each. */
export const counts = (crm: CrmName) =>
  Effect.gen(function* () {
    const kinds = crmKinds[crm]
    const count = (kind: "company" | "person" | "deal") =>
      Effect.map(
        recordsAt(crm, kinds[kind]),
        (records) => records.filter((record) => kinds.isOf?.(kind, record) ?? true).length
      )
    return { company: yield* count("company"), person: yield* count("person"), deal: yield* count("deal") }
  })

/** Whether a request changes something at the CRM, rather than asks. */
export const isWrite = ({ body, method, url }: OutboundRequest): boolean => {
  const text = String(body)
  if (method === "GET" || /search|batch\/read/.test(url)) return false
  if (url.includes("omie.com")) return /"call":"(?:Upsert|Incluir|Alterar)/.test(text)
  if (url.endsWith("/graphql")) return text.includes('"query":"mutation')
  const ofOdoo = url.endsWith("/jsonrpc")
    ? text
    : /\/json\/2\//.test(url)
      ? `"${url.split("/").at(-1) ?? ""}"`
      : undefined
  return ofOdoo === undefined || /"(?:create|write|message_post|action_set_won|action_set_lost)"/.test(ofOdoo)
}

export interface LeadAtCrm {
  readonly state: string
  readonly reason: string | null
}

export const stateOf = (leadId: LeadId, crm: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const rows = yield* sql<LeadAtCrm>`
      select state, reason from crm_lead where account_id = ${accountId} and crm = ${crm} and lead_id = ${leadId}`
    return rows[0]
  })
