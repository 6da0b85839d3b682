import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Predicate } from "effect"
import { queueReading, readContacts } from "../../src/Layers/LeadSource/ReadContacts.ts"
import { Connections } from "../../src/Services/Connections/Connections.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { LeadImports } from "../../src/Services/LeadFiles/LeadImports.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { CrmIntegrationsGroup } from "../../src/Tools/Crm/CrmIntegrations.ts"
import { CrmWorld } from "../Crm/support/CrmWorld.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([CrmIntegrationsGroup])
const manage = (args: object) => answerOf(catalog, "manage_leadsource_integration", args)
const reasonOf = (args: object) =>
  Effect.map(Effect.flip(callTool(catalog, "manage_leadsource_integration", args)), (failure) =>
    Predicate.hasProperty(failure, "reason") ? failure.reason : failure._tag
  )
const withAccount = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

const clinics = { action: "connect", api_key: "sandbox-one", list_id: "list-clinics" }

/** Does what the engine does: reads contacts, and runs the imports. */
const read = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const imports = yield* LeadImports
  yield* sql`update lead_source set next_read_at = instant() where account_id = ${accountId}`
  yield* readContacts(accountId)
  const jobs = yield* sql<{ readonly jobId: string }>`
    select i.job_id as "jobId" from lead_import i
    where i.account_id = ${accountId} and i.told_at is null order by i.lead_import_id`
  for (const { jobId } of jobs) {
    yield* imports.run({
      accountId,
      jobId: jobId as never,
      subjectId: undefined,
      attempt: 1,
      setProgress: () => Effect.void,
      checkpoint: Effect.void
    })
  }
})

const leadCount = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return (yield* sql`select from lead where account_id = ${accountId}`).length
})

layer(CrmWorld, { excludeTestServices: true })("the lead database", (it) => {
  it.effect("refuses what is wrong by name, and stores nothing", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const cases: ReadonlyArray<readonly [object, string]> = [
          [{ action: "connect" }, "parameter_missing"],
          [{ action: "connect", api_key: "  " }, "parameter_missing"],
          [{ action: "connect", api_key: "a-real-key" }, "sandbox_key_expected"],
          [{ action: "connect", api_key: "sandbox-a\u00e9" }, "leadsource_key_refused"],
          [{ ...clinics, list_id: "list-accounts" }, "list_not_found"],
          [{ ...clinics, list_id: "../../x" }, "list_not_found"],
          [{ action: "disconnect", api_key: "sandbox-one" }, "parameter_not_taken"]
        ]
        for (const [args, reason] of cases) assert.strictEqual(yield* reasonOf(args), reason)
        yield* sql`update sandbox_lead_source set is_revoked = true where account_id = ${accountId}`
        assert.strictEqual(yield* reasonOf(clinics), "leadsource_key_refused")
        assert.lengthOf(yield* sql`select from connection where account_id = ${accountId}`, 0)
        assert.lengthOf(yield* sql`select from lead_source where account_id = ${accountId}`, 0)
        assert.deepInclude(yield* manage({ action: "disconnect" }), { status: "disconnected" })
      })
    )
  )

  it.effect("needs the paid plan", () =>
    Effect.flatMap(makeAccount("free_trial"), (caller) =>
      as(caller)(Effect.map(reasonOf(clinics), (reason) => assert.strictEqual(reason, "paid_plan_required")))
    )
  )

  it.effect(
    "a list becomes leads of the campaign of its name, once; who opted out and dead addresses are counted",
    () =>
      withAccount(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { accountId } = yield* Caller
          yield* sql`insert into campaign (account_id, name) values (${accountId}, 'CLINICAS')`
          yield* sql`insert into blacklist_entry (account_id, kind, value, reason)
          values (${accountId}, 'email', 'p1@clinics1.example', 'Other')`
          yield* manage(clinics)
          yield* read
          const answer = yield* manage(clinics)
          assert.deepInclude(answer, {
            status: "connected",
            list_name: "Clínicas",
            contact_count: 130,
            is_above_ceiling: false,
            read_count: 130,
            opted_out_count: 11,
            last_error: null
          })
          // Its state is readable without the key.
          const list = yield* answerOf(catalog, "list_crm_integrations")
          assert.nestedPropertyVal(list, "lead_sources.leadsource.status", "connected")
          assert.nestedPropertyVal(list, "lead_sources.leadsource.read_count", 130)
          const importedCounts = yield* sql<{
            readonly campaign: string
            readonly count: number
            readonly dead: number
          }>`
          select c.name as campaign, count(*)::int as count,
            count(*) filter (where l.email like 'p10@%')::int as dead
          from lead l join campaign c on c.account_id = l.account_id and c.campaign_id = l.campaign_id
          where l.account_id = ${accountId} group by c.name`
          const [counts] = yield* sql<{ readonly handed: number; readonly none: number; readonly invalid: number }>`
          select handed_over_count as handed, no_contact_count as none, invalid_email_count as invalid
          from lead_source where account_id = ${accountId}`
          assert.strictEqual((counts?.handed ?? 0) + (counts?.none ?? 0) + 11, 130)
          assert.isAbove(counts?.invalid ?? 0, 0)
          assert.deepStrictEqual(importedCounts, [{ campaign: "CLINICAS", count: counts?.handed ?? 0, dead: 0 }])

          // The next day's run finds no new contacts, and starts no import.
          yield* read
          assert.strictEqual(yield* leadCount, counts?.handed)
          assert.lengthOf(yield* sql`select from lead_import where account_id = ${accountId}`, 1)
          const [one] = yield* sql<{ readonly title: string; readonly city: string; readonly status: string }>`
          select job_title as title, city, status from lead where account_id = ${accountId} order by lead_id limit 1`
          assert.deepStrictEqual(one, { title: "Diretora", city: "São Paulo", status: "Cold" })

          assert.deepInclude(yield* manage({ action: "disconnect" }), { status: "disconnected", next_read_at: null })
          yield* read
          assert.strictEqual(yield* leadCount, counts?.handed)
        })
      )
  )

  it.effect("an interrupted run is repeated without duplicates, and pages continue where they ended", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* manage({ ...clinics, api_key: "sandbox-large", list_id: "list-all" })
        // The rate limit of a minute ends the run. What was read before is imported.
        yield* sql`insert into sandbox_lead_source_window (account_id, tenant, endpoint, seconds, began_at, calls)
          values (${accountId}, 'sandbox-large', '/api/v1/contacts/search', 60, instant(), 48)`
        yield* read
        const [after] = yield* sql<{ readonly page: number; readonly wait: boolean }>`
          select page, next_read_at > instant() as wait from lead_source where account_id = ${accountId}`
        assert.deepStrictEqual(after, { page: 3, wait: true })
        assert.deepInclude(yield* manage({ ...clinics, api_key: "sandbox-large", list_id: "list-all" }), {
          contact_count: 50_250,
          is_above_ceiling: true,
          read_count: 200,
          last_read_at: null,
          last_error: null
        })
        const countBefore = yield* leadCount
        // As if the end of the run had been lost.
        yield* sql`update lead_source set page = 1 where account_id = ${accountId}`
        yield* sql`delete from sandbox_lead_source_window where account_id = ${accountId}`
        yield* sql`insert into sandbox_lead_source_window (account_id, tenant, endpoint, seconds, began_at, calls)
          values (${accountId}, 'sandbox-large', '/api/v1/contacts/search', 60, instant(), 48)`
        yield* read
        assert.strictEqual(yield* leadCount, countBefore)
      })
    )
  )

  it.effect("a refused key stops the reading, and the account is notified once", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const connections = yield* Connections
        yield* manage(clinics)
        yield* sql`update sandbox_lead_source set is_revoked = true where account_id = ${accountId}`
        yield* read
        yield* read
        const notificationRows = yield* sql`select from notification where account_id = ${accountId}`
        assert.lengthOf(notificationRows, 1)
        assert.strictEqual(yield* leadCount, 0)
        const connection = yield* connections.get("leadsource")
        assert.deepInclude(connection._tag === "Some" ? connection.value : {}, {
          state: "needs_reconnect",
          lastError: "unauthorized"
        })
        // Only connected accounts are queued.
        yield* sql`update lead_source set next_read_at = '-infinity'`
        yield* queueReading
      })
    )
  )
})
