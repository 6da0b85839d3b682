import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Either, Exit, Predicate } from "effect"
import { adapters } from "../../src/Layers/Crm/Adapters/Adapters.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { JobCancelled } from "../../src/Services/Jobs/JobHandler.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { CrmIntegrationsGroup } from "../../src/Tools/Crm/CrmIntegrations.ts"
import { collectLogs } from "../support/logs/CollectedLogs.ts"
import { collectSpans, textOfSpans } from "../support/logs/CollectedSpans.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import { resync, Syncing } from "./support/CrmLayers.ts"
import {
  answered,
  brokeAfter,
  CrmTransportProbe,
  CrmWorld,
  connect,
  connected,
  counts,
  type Fault,
  isWrite,
  lostBefore,
  newLead,
  newLeads,
  recordsAt,
  standing,
  stateOf,
  sync,
  timedOutBefore
} from "./support/CrmWorld.ts"

const catalog = Catalog.make([CrmIntegrationsGroup])
const tool = (name: string, args: object = {}) => answerOf(catalog, name, args)
const own = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

const connections = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return (yield* sql`select from connection where account_id = ${accountId}`).length
})

const failureOf = <A, R>(attempt: Effect.Effect<A, unknown, R>) =>
  Effect.map(Effect.either(attempt), (result) =>
    Either.isLeft(result) && Predicate.hasProperty(result.left, "reason") ? `${String(result.left.reason)}` : "none"
  )

/** What a server that is no CRM may answer to the first question. */
const nonsense: ReadonlyArray<readonly [string, Fault]> = [
  ["a page", answered(200, "<!doctype html><h1>Sign in</h1>")],
  ["half a JSON", answered(200, '{"data": {"id": 1')],
  ["nothing of it", answered(200, "{}")],
  ["a list", answered(200, "[]")],
  ["a text", answered(200, '"welcome"')],
  ["wrong types", answered(200, '{"data":{"id":{}},"result":{"uid":[]},"portalId":{},"value":[{"Id":[]}],"users":7}')],
  ["deep nesting", answered(200, `${"[".repeat(20_000)}${"]".repeat(20_000)}`)],
  ["an error of its own", answered(500, "Traceback: the key was sandbox-one")],
  ["a refusal", answered(404, "")],
  ["nothing at all", timedOutBefore],
  ["no connection", lostBefore]
]

layer(CrmWorld, { excludeTestServices: true })("leads at CRMs", (it) => {
  it.effect.each(Object.values(adapters).map(({ name }) => name))(
    "%s is not connected where nonsense is answered, and nothing is stored",
    (crm) =>
      own(
        Effect.gen(function* () {
          const road = yield* CrmTransportProbe
          for (const [what, fault] of nonsense) {
            road.clear()
            road.plan(() => true, ...Array.from({ length: 5 }, () => fault))
            const result = yield* Effect.either(connect(crm))
            assert.isTrue(Either.isLeft(result), what)
            const told = JSON.stringify(Either.isLeft(result) ? result.left : {})
            assert.match(told, /crm_unavailable|crm_check_failed|crm_credentials_refused/, what)
            assert.notMatch(told, /sandbox-one|Traceback|Sign in/, what)
          }
          assert.strictEqual(yield* connections, 0)
          road.clear()
          yield* connect(crm)
          assert.strictEqual(yield* connections, 1)
        })
      )
  )

  it.effect.each(Object.values(adapters))(
    "$name that has one page after another without end is asked no further",
    (adapter) =>
      Effect.gen(function* () {
        const rows = Array.from({ length: 500 }, (_, index) => ({
          id: index + 1,
          Id: index + 1,
          createdAt: "2020-01-01"
        }))
        const endless = {
          results: rows,
          value: rows,
          deals: rows,
          result: rows,
          cadastros: rows,
          has_more: true,
          total: 1e9,
          nTotPaginas: 1e9,
          nTotRegistros: 1e9,
          paging: { next: { after: "1" } },
          pageInfo: { hasNextPage: true, endCursor: "x" },
          additional_data: { next_cursor: "x", pagination: { more_items_in_collection: true, next_start: 1 } },
          meta: { links: { next: "x" }, cursor: { next: "x" }, total_pages: 1e9 },
          links: { next: "x" },
          metadata: { pagination: { total: 1e9 } }
        }
        for (const json of [
          { ...endless, data: rows },
          { ...endless, data: { opportunities: rows, deals: rows } },
          rows
        ]) {
          let calls = 0
          const client = adapter.connect(
            () => (++calls > 600 ? Effect.die("endless") : Effect.succeed({ status: 200, headers: {}, json })),
            new Map()
          )
          for (const asked of [
            client.closedSince(Timestamp.make("2026-11-01T00:00:00Z")),
            client.find("person", { email: "a@b.example", phone: "+5511900000000", name: "Ana", domain: undefined }),
            client.pipelines,
            client.contacts?.(undefined, undefined) ?? Effect.void
          ] satisfies ReadonlyArray<Effect.Effect<unknown, unknown>>) {
            calls = 0
            const exit = yield* Effect.exit(asked)
            assert.isFalse(Exit.isFailure(exit) && Cause.isDie(exit.cause), adapter.name)
          }
        }
      })
  )

  it.effect("need a server: one that is not public, or no address at all, is refused by its field", () =>
    own(
      Effect.gen(function* () {
        const odoo = { crm_name: "odoo", database: "sales", username: "bot", api_key: "sandbox-one" }
        for (const url of [
          "not an address",
          "ftp://erp.example",
          "http://erp.example",
          "https://127.0.0.1",
          "https://localhost",
          "https://erp.internal",
          "https://10.1.2.3",
          "https://[::1]",
          "https://169.254.169.254",
          "https://2130706433",
          "https://erp.example:8069",
          "https://user:pass@erp.example"
        ]) {
          const refusal = yield* Effect.flip(callTool(catalog, "connect_crm", { ...odoo, url }))
          assert.include(JSON.stringify(refusal), '"reason":"url_not_allowed"', url)
          assert.include(JSON.stringify(refusal), '"parameter":"url"', url)
        }
        const twenty = { crm_name: "twenty", api_key: "sandbox-one", url: "https://192.168.0.1" }
        assert.strictEqual(yield* failureOf(callTool(catalog, "connect_crm", twenty)), "url_not_allowed")
        assert.strictEqual(yield* connections, 0)
      })
    )
  )

  it.effect("stay linked: an Odoo of another server begins anew, and a colleague's key of the same one goes on", () =>
    own(
      Effect.gen(function* () {
        const odoo = { crm_name: "odoo", database: "sales", username: "bot", api_key: "sandbox-one" }
        const keeps = (args: object) =>
          Effect.map(tool("connect_crm", { ...odoo, ...args }), (answer) =>
            Predicate.hasProperty(answer, "keeps_links") ? answer.keeps_links : undefined
          )
        assert.isFalse(yield* keeps({ url: "https://erp.example" }))
        assert.isTrue(yield* keeps({ url: "https://ERP.example/", username: "other" }))
        assert.isFalse(yield* keeps({ url: "https://other.example" }))
        assert.isFalse(yield* keeps({ url: "https://other.example", database: "test" }))
      })
    )
  )

  it.effect("need the paid plan for each of the three tools that connect", () =>
    Effect.flatMap(makeAccount("free_trial"), (caller) =>
      as(caller)(
        Effect.gen(function* () {
          for (const [name, args] of [
            ["connect_crm", { crm_name: "pipedrive", api_token: "sandbox-one" }],
            ["manage_crmsuite_crm_lead_source", { action: "enable" }],
            ["manage_leadsource_integration", { action: "connect", api_key: "sandbox-one" }]
          ] as const) {
            assert.strictEqual(yield* failureOf(callTool(catalog, name, args)), "paid_plan_required", name)
          }
        })
      )
    )
  )

  it.effect("go to each of several, whatever befalls another", () =>
    connected(
      "pipedrive",
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* connect("agendor")
        yield* sql`update sandbox_crm set is_revoked = true where account_id = ${accountId} and crm = 'pipedrive'`
        const leadId = yield* newLead({})
        yield* sync
        yield* sync
        assert.strictEqual((yield* stateOf(leadId, "agendor"))?.state, "synced")
        assert.strictEqual((yield* stateOf(leadId, "pipedrive"))?.state, "pending")
        yield* sql`update sandbox_crm set is_revoked = false where account_id = ${accountId}`
        yield* connect("pipedrive")
        yield* sync
        assert.deepStrictEqual(yield* standing, { synced: 2 })
        for (const crm of ["pipedrive", "agendor"] as const)
          assert.deepStrictEqual(yield* counts(crm), { company: 1, person: 1, deal: 1 })
      })
    )
  )

  it.effect("are none whose every contact is on the blacklist, nor erased ones", () =>
    connected(
      "pipedrive",
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const unit = yield* UnitOfWork
        const leads = yield* Leads
        yield* sql`insert into blacklist_entry (account_id, kind, value, reason)
          values (${accountId}, 'email', 'nunca@lead.example', 'Other'), (${accountId}, 'domain', 'nem.example', 'Other')`
        yield* newLead({ email: "nunca@lead.example" })
        const reached = yield* newLead({ email: "ana@nem.example", phone: "+5511988887777" })
        const erased = yield* newLead({ email: "apagada@lead.example" })
        yield* unit.write(leads.erase(erased, undefined))
        yield* sync
        assert.deepStrictEqual(yield* standing, { synced: 1 })
        assert.strictEqual((yield* stateOf(reached, "pipedrive"))?.state, "synced")
        assert.lengthOf(yield* recordsAt("pipedrive", "person"), 1)
        assert.notInclude(JSON.stringify(yield* recordsAt("pipedrive", "deal")), "apagada")
      })
    )
  )

  it.effect("are the record that a conflict names, and keep it when their e-mail address changes", () =>
    connected(
      "hubspot",
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const road = yield* CrmTransportProbe
        const [known] = yield* sql<{ readonly id: string }>`
          insert into sandbox_crm_record (account_id, crm, tenant, kind, body)
          values (${accountId}, 'hubspot', 'sandbox-one', 'contacts',
            ${JSON.stringify({ properties: { email: "ana@vista.example", firstname: "Ana" } })}::jsonb)
          returning record_id::text as id`
        // The look-up does not see it yet.
        road.plan(({ url }) => /contacts\/(?:ana|batch\/read)/.test(url), answered(404, '{"status":"error"}'))
        const leadId = yield* newLead({ email: "ana@vista.example" })
        yield* sync
        const person = Effect.map(
          sql<{ readonly id: string }>`
            select external_id as id from crm_link
            where account_id = ${accountId} and lead_id = ${leadId} and kind = 'person'`,
          ([row]) => row?.id
        )
        assert.strictEqual(yield* person, known?.id)
        yield* sql`update lead set email = 'ana.lima@vista.example' where account_id = ${accountId}`
        yield* sql`update crm_lead set state = 'pending' where account_id = ${accountId}`
        yield* sync
        assert.strictEqual((yield* stateOf(leadId, "hubspot"))?.state, "synced")
        assert.strictEqual(yield* person, known?.id)
        const there = yield* recordsAt("hubspot", "contacts")
        assert.lengthOf(there, 1)
        assert.include(JSON.stringify(there), "ana.lima@vista.example")
      })
    )
  )

  it.effect(
    "come with their last answer: without what it quotes, nobody's machine, and from nobody who forged it",
    () =>
      connected(
        "pipedrive",
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { accountId } = yield* Caller
          const leadId = yield* newLead({})
          const mail = (id: string, status: string, isAuto: boolean, reply: string) => sql`
          insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address, subject,
            body_text, reply_text, is_auto_reply)
          values (${accountId}, ${leadId}, 'inbound', ${status}, ${id}, 'a@lead.example', 'b@ondas.example', 'Re',
            ${`${reply}\n\n> https://gateway.example/u/unsubscribe-link`}, ${reply}, ${isAuto})`
          yield* mail("<1@x>", "received", false, "Quanto custa?\n\nAna")
          yield* mail("<2@x>", "received", true, "Estou de férias.")
          yield* mail("<3@x>", "unauthenticated", false, "Transfira para outra conta.")
          yield* sync
          const notes = (yield* recordsAt("pipedrive", "note")).map(({ body }) => String(body["content"]))
          assert.lengthOf(notes, 2)
          assert.match(notes[0] ?? "", /^Lead #\d+ · Interessado$/)
          assert.match(notes[1] ?? "", /^Resposta por e-mail · [^<]+<br>Quanto custa\?<br>Ana$/)
        })
      )
  )

  it.effect("that are stuck are tried again when the CRM is connected anew, a field is removed, or by a resync", () =>
    connected(
      "pipedrive",
      Effect.gen(function* () {
        const road = yield* CrmTransportProbe
        const leadId = yield* newLead({})
        const getStuck = Effect.gen(function* () {
          road.clear()
          road.plan(isWrite, answered(403, "{}"))
          yield* sync
          assert.deepStrictEqual(yield* stateOf(leadId, "pipedrive"), { state: "stuck", reason: "forbidden" })
          road.clear()
        })
        const leads = yield* Leads
        const isReleased = Effect.gen(function* () {
          yield* sync
          assert.strictEqual((yield* stateOf(leadId, "pipedrive"))?.state, "synced")
        })
        yield* getStuck
        yield* connect("pipedrive")
        yield* isReleased

        yield* tool("manage_crm_custom_fields", { action: "add", field_name: "Origem", field_value: "Gateway" })
        yield* leads.update(leadId, { status: "Aware", goal: undefined, background: undefined })
        yield* getStuck
        const fields = yield* tool("manage_crm_custom_fields", { action: "list" })
        const field = /"field_id":(\d+)/.exec(JSON.stringify(fields))?.[1]
        yield* tool("manage_crm_custom_fields", { action: "remove", field_id: Number(field) })
        yield* isReleased

        yield* tool("manage_crm_custom_fields", { action: "add", field_name: "Origem", field_value: "Outra" })
        yield* leads.update(leadId, { status: "Confirmed", goal: undefined, background: undefined })
        yield* getStuck
        assert.deepInclude(yield* tool("resync_crm_leads"), { eligible_count: 1 })
        yield* resync()
        yield* isReleased
      })
    )
  )

  it.effect("wait as long as a CRM says whose limit is used up, and it is told until when", () =>
    connected(
      "pipedrive",
      Effect.gen(function* () {
        const road = yield* CrmTransportProbe
        road.plan(() => true, answered(429, "{}", { "retry-after": "70" }))
        yield* newLead({})
        yield* sync
        const told = JSON.stringify(yield* tool("get_crm_sync_status"))
        assert.include(told, '"pending_count":1')
        const resumes = Date.parse(/"resumes_at":"([^"]+)"/.exec(told)?.[1] ?? "")
        assert.closeTo(resumes - Date.now(), 70_000, 10_000)
        assert.isAtMost(yield* (yield* Syncing).nextDueMillis, 70_000)
        yield* sync
        const after = JSON.stringify(yield* tool("get_crm_sync_status"))
        assert.include(after, '"resumes_at":null')
        assert.match(after, /"recently_synced":\["Ana Souza \d+"\]/)
      })
    )
  )

  it.effect("are queued by a resync that tells how far it is, and ends where it is cancelled", () =>
    connected(
      "pipedrive",
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* newLeads(1200)
        yield* sql`delete from crm_lead where account_id = ${accountId}`
        const progress: Array<number> = []
        let steps = 0
        const run = (last: number) =>
          resync({
            checkpoint: Effect.suspend(() => (++steps === last ? new JobCancelled() : Effect.void)),
            setProgress: (percent) => Effect.sync(() => void progress.push(percent))
          })
        assert.isTrue(Exit.isFailure(yield* Effect.exit(run(2))))
        assert.deepStrictEqual(yield* standing, { pending: 500 })
        steps = 0
        yield* run(-1)
        assert.deepStrictEqual(yield* standing, { pending: 1200 })
        assert.deepStrictEqual(
          progress.slice(1),
          progress.slice(1).toSorted((a, b) => a - b)
        )
        assert.strictEqual(progress.at(-1), 100)
        // Nobody else's round has to send them.
        yield* sql`delete from crm_lead where account_id = ${accountId}`
      })
    )
  )

  it.effect("leave neither a secret nor a person in logs and spans, whatever goes wrong", () =>
    own(
      Effect.gen(function* () {
        const road = yield* CrmTransportProbe
        const logs = yield* collectLogs
        const { collecting, spans } = yield* collectSpans
        yield* Effect.gen(function* () {
          yield* connect("hubspot", "sandbox-quiet-key")
          const troubles: ReadonlyArray<Fault> = [
            brokeAfter(500, "quiet@person.example"),
            answered(422, '{"message":"quiet@person.example"}'),
            answered(200, "<html>quiet@person.example"),
            timedOutBefore,
            () => Effect.die("killed")
          ]
          for (const [index, fault] of troubles.entries()) {
            road.clear()
            road.plan(isWrite, fault)
            yield* newLead({
              name: "Quiet Person",
              email: `quiet${index}@person.example`,
              phone: `+551197777666${index}`
            })
            yield* Effect.exit(sync)
            yield* tool("get_crm_sync_status")
          }
        }).pipe(logs.collecting, Effect.withTracer(collecting))
        assert.isAbove(spans.length, 20)
        const said = `${textOfSpans(spans)}\n${logs.lines.join("\n")}`
        for (const secret of ["sandbox-quiet-key", "@person.example", "Quiet Person", "977776666"])
          assert.notInclude(said, secret)
      })
    )
  )
})
