import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { transient } from "../../../src/Errors.ts"
import { LeadSchedulePostgres } from "../../../src/Layers/Outreach/LeadSchedulePostgres.ts"
import type { AccountId } from "../../../src/Services/Accounts/Ids.ts"
import { fromMillis } from "../../../src/Services/Core/Timestamp.ts"
import { CustomerFileId } from "../../../src/Services/Files/Ids.ts"
import { JobId } from "../../../src/Services/Jobs/Ids.ts"
import { LeadSchedule } from "../../../src/Services/Outreach/LeadSchedule.ts"
import * as Catalog from "../../../src/Tools/Core/Catalog.ts"
import * as Tool from "../../../src/Tools/Core/Tool.ts"
import { rescheduleLeadTouch } from "../../../src/Tools/Outreach/RescheduleLeadTouch.ts"
import { historyOf, insertLead, LeadServices } from "../../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../../support/TestAccount.ts"
import { answerOf } from "../../support/ToolAnswer.ts"

const catalog = Catalog.make([Tool.group("Lead operations", "", [rescheduleLeadTouch])])
const call = (name: string, args: object = {}) => answerOf(catalog, name, args)
const failure = (name: string, args: object = {}) => Effect.flip(callTool(catalog, name, args))

const Services = LeadSchedulePostgres.pipe(Layer.provideMerge(LeadServices))

layer(Services, { excludeTestServices: true })("reschedule_lead_touch", (it) => {
  const at = "2099-05-04T12:00:00Z"
  const scheduleOf = (leadId: number) =>
    Effect.flatMap(SqlClient, (sql) => sql`select next_touch_at, preferred_channel from lead where lead_id = ${leadId}`)

  it.effect("moves the leads that prospecting works, and says why it leaves the others", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const before = "2098-01-01T00:00:00Z"
      const insert = (columns: object) => me(insertLead({ next_touch_at: before, ...columns }))
      const worked = yield* insert({})
      const paused = yield* insert({ paused_at: before })
      const thawed = yield* insert({
        status: "Frozen",
        last_outbound_at: "2026-01-01T00:00:00Z",
        last_inbound_at: "2026-01-02T00:00:00Z"
      })
      const skipped = [
        [yield* insert({ pipeline_state: "not_started" }), "not_started"],
        [yield* insert({ pipeline_state: "finished" }), "finished"],
        [yield* insert({ pipeline_state: "pending_review", review_requested_at: before }), "pending_review"],
        [yield* insert({ pipeline_state: "user_controlled" }), "user_controlled"],
        [yield* insert({ status: "Rejected" }), "rejected"],
        [yield* insert({ status: "Frozen" }), "frozen"],
        [
          yield* insert({
            status: "Frozen",
            last_outbound_at: "2026-01-02T00:00:00Z",
            last_inbound_at: "2026-01-01T00:00:00Z"
          }),
          "frozen"
        ],
        [yield* as(yield* makeAccount())(insertLead()), "lead_not_found"]
      ] as const
      const answer = yield* me(
        call("reschedule_lead_touch", {
          lead_ids: [worked, ` ${paused}`, thawed, worked, ...skipped.map(([id]) => id)].join(","),
          next_touch_date: at
        })
      )
      const byReason = [...skipped].sort(([one, reason], [other, another]) =>
        reason === another ? one - other : reason < another ? -1 : 1
      )
      assert.deepStrictEqual(answer, {
        job_id: null,
        queued_count: 0,
        updated_count: 3,
        skipped_count: 8,
        next_touch_at: at,
        preferred_channel: null,
        preferred_channel_count: 0,
        updated_lead_ids: [worked, paused, thawed],
        skipped_by_reason: [
          { reason: "finished", count: 1 },
          { reason: "frozen", count: 2 },
          { reason: "lead_not_found", count: 1 },
          { reason: "not_started", count: 1 },
          { reason: "pending_review", count: 1 },
          { reason: "rejected", count: 1 },
          { reason: "user_controlled", count: 1 }
        ],
        skipped: byReason.map(([lead_id, reason]) => ({ lead_id, reason }))
      })
      assert.deepStrictEqual(yield* scheduleOf(worked), [{ next_touch_at: at, preferred_channel: null }])
      for (const [id, reason] of skipped) {
        if (reason === "lead_not_found") continue
        assert.deepStrictEqual(yield* scheduleOf(id), [{ next_touch_at: before, preferred_channel: null }], reason)
      }
      assert.deepStrictEqual(yield* me(historyOf(worked)), [])
    })
  )

  it.effect("prefers a channel where the lead can be reached by it, and keeps each schedule without a date", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const both = yield* me(insertLead({ phone: "+5511987654321", next_touch_at: at }))
      const mailOnly = yield* me(insertLead({ preferred_channel: "Email", next_touch_at: at }))
      const failed = yield* me(insertLead({ phone: "+5511987654322", chatapp_failed_at: "2026-01-01T00:00:00Z" }))
      const answer = yield* me(
        call("reschedule_lead_touch", { lead_ids: `${both},${mailOnly},${failed}`, preferred_channel: "ChatApp" })
      )
      assert.deepInclude(answer, {
        updated_count: 1,
        skipped_by_reason: [{ reason: "unchanged", count: 2 }],
        preferred_channel: "ChatApp",
        preferred_channel_count: 1,
        next_touch_at: null
      })
      assert.deepStrictEqual(yield* scheduleOf(both), [{ next_touch_at: at, preferred_channel: "ChatApp" }])
      assert.deepStrictEqual(yield* scheduleOf(mailOnly), [{ next_touch_at: at, preferred_channel: "Email" }])
      assert.deepStrictEqual(yield* scheduleOf(failed), [{ next_touch_at: null, preferred_channel: null }])
    })
  )

  it.effect("takes the leads that came out of a file, beside those that are named", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const files = yield* sql<{ readonly id: number }>`
        insert into customer_file (account_id, file_name, download_key)
        values (${caller.accountId}, 'a.csv', ${`a${caller.accountId}`}), (${caller.accountId}, 'b.csv', ${`b${caller.accountId}`})
        returning customer_file_id as id`
      const imports = yield* sql<{ readonly id: number }>`
        with job as (insert into background_job (account_id, kind) values (${caller.accountId}, 'lead_import')
          returning job_id)
        insert into lead_import (account_id, job_id, customer_file_id, source_name, lead_status)
        select ${caller.accountId}, job_id, ${files[0]?.id ?? 0}, 'a.csv', 'Cold' from job
        returning lead_import_id as id`
      const imported = yield* me(insertLead({ lead_import_id: imports[0]?.id ?? 0 }))
      const named = yield* me(insertLead())
      yield* me(insertLead())
      const reschedule = (args: object) => me(call("reschedule_lead_touch", { next_touch_date: at, ...args }))
      assert.deepInclude(yield* reschedule({ imported_from_file_id: files[0]?.id, lead_ids: String(named) }), {
        updated_lead_ids: [imported, named]
      })
      assert.deepInclude(yield* reschedule({ imported_from_file_id: files[1]?.id }), {
        updated_count: 0,
        skipped_count: 0
      })
      const stranger = as(yield* makeAccount())
      const foreign = yield* stranger(
        failure("reschedule_lead_touch", { imported_from_file_id: files[0]?.id, next_touch_date: at })
      )
      assert.deepInclude(foreign, { _tag: "NotFound", reason: "customer_file_not_found" })
    })
  )

  /** A file of which an import made so many leads, of which every tenth is finished. */
  const largeImport = (accountId: number, count: number) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [file] = yield* sql<{ readonly id: CustomerFileId }>`
        insert into customer_file (account_id, file_name, download_key)
        values (${accountId}, 'large.csv', ${`large${accountId}`}) returning customer_file_id as id`
      yield* sql`
        with job as (
          insert into background_job (account_id, kind) values (${accountId}, 'lead_import') returning job_id
        ), imported as (
          insert into lead_import (account_id, job_id, customer_file_id, source_name, lead_status)
          select ${accountId}, job_id, ${file?.id ?? 0}, 'large.csv', 'Cold' from job returning lead_import_id
        )
        insert into lead (account_id, name, email, status, pipeline_state, lead_import_id)
        select ${accountId}, 'Lead', 'l' || n || '@large.example', 'Cold',
          case when n % 10 = 0 then 'finished' else 'in_pipeline' end, lead_import_id
        from imported, generate_series(1, ${count}) n`
      return file?.id ?? CustomerFileId.make(0)
    })

  /** The job that a call made, run until its end or its `failing`th step. */
  const runJob = (accountId: AccountId, jobId: JobId, failing = Number.POSITIVE_INFINITY) =>
    Effect.gen(function* () {
      const schedule = yield* LeadSchedule
      let steps = 0
      const checkpoint = Effect.suspend(() =>
        ++steps >= failing ? Effect.fail(transient("killed", "The process was killed.", 1)) : Effect.void
      )
      const progress: Array<number> = []
      const setProgress = (percent: number) => Effect.sync(() => void progress.push(percent))
      yield* Effect.ignore(
        schedule.run({ accountId, jobId, subjectId: undefined, attempt: 1, setProgress, checkpoint })
      )
      return progress
    })

  it.effect(
    "moves the leads of a large import by a job, batch by batch, whatever kills it, and tells how it ended",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const caller = yield* makeAccount()
        const { accountId } = caller
        const me = as(caller)
        const fileId = yield* largeImport(accountId, 5201)
        const named = yield* me(insertLead())
        const answer = yield* me(
          call("reschedule_lead_touch", { imported_from_file_id: fileId, lead_ids: String(named), next_touch_date: at })
        )
        assert.deepInclude(answer, {
          updated_count: 1,
          updated_lead_ids: [named],
          skipped_count: 0,
          queued_count: 5201
        })
        const moved = sql<{ readonly count: number }>`
        select count(*) as count from lead
        where account_id = ${accountId} and lead_import_id is not null and next_touch_at = ${at}`
        assert.deepStrictEqual(yield* moved, [{ count: 0 }])
        const [job] = yield* sql<{ readonly id: JobId; readonly kind: string }>`
        select job_id as id, kind from background_job where account_id = ${accountId} and kind <> 'lead_import'`
        assert.deepInclude(job, { kind: "lead_rescheduling" })
        assert.deepInclude(answer, { job_id: job?.id })
        const id = job?.id ?? JobId.make("")
        // What is imported afterwards is of no matter to the call.
        yield* sql`
        insert into lead (account_id, name, status, pipeline_state, lead_import_id)
        select ${accountId}, 'Later', 'Cold', 'in_pipeline', max(lead_import_id) from lead_import
        where account_id = ${accountId}`
        yield* me(runJob(accountId, id, 3))
        assert.deepStrictEqual(yield* moved, [{ count: 1800 }])
        const progress = yield* me(runJob(accountId, id))
        assert.isAbove(progress[0] ?? 0, 50)
        yield* me(runJob(accountId, id))
        assert.deepStrictEqual(yield* moved, [{ count: 4681 }])
        const told = yield* sql`
        select kind, data - 'job_id' as data from notification where account_id = ${accountId}`
        assert.deepStrictEqual(told, [
          { kind: "leads_rescheduled", data: { imported_from_file_id: fileId, updated: 4681, skipped: 520 } }
        ])
      })
  )

  it.effect("has what was asked for a file last hold, whichever job ends last", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const { accountId } = caller
      const me = as(caller)
      const fileId = yield* largeImport(accountId, 5001)
      const ask = (next_touch_date: string) =>
        me(call("reschedule_lead_touch", { imported_from_file_id: fileId, next_touch_date }))
      yield* ask("2098-01-01T00:00:00Z")
      yield* ask(at)
      const jobs = yield* sql<{ readonly id: JobId }>`
        select job_id as id from lead_rescheduling where account_id = ${accountId} order by lead_rescheduling_id desc`
      for (const { id } of jobs) yield* me(runJob(accountId, id))
      const times = yield* sql`
        select distinct next_touch_at from lead where account_id = ${accountId} and pipeline_state = 'in_pipeline'`
      assert.deepStrictEqual(times, [{ next_touch_at: at }])
    })
  )

  it.effect("takes a time that has passed for as soon as possible", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead())
      const earlier = fromMillis(Date.now() - 3_600_000)
      yield* me(call("reschedule_lead_touch", { lead_ids: String(lead), next_touch_date: earlier }))
      const rows = yield* sql`
        select next_touch_at <= instant() as is_due, next_touch_at > instant() - interval '1 hour' as is_new
        from lead where lead_id = ${lead}`
      assert.deepStrictEqual(rows, [{ is_due: true, is_new: true }])
    })
  )

  it.effect("refuses a date that is more than a day past", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead({ next_touch_at: at }))
      const args = { lead_ids: String(lead), next_touch_date: "2001-01-01" }
      const refusal = yield* me(failure("reschedule_lead_touch", args))
      assert.deepInclude(refusal, { _tag: "Refused", reason: "date_in_the_past" })
      assert.deepStrictEqual(yield* scheduleOf(lead), [{ next_touch_at: at, preferred_channel: null }])
    })
  )

  it.effect("counts as updated exactly the leads that a read shows otherwise", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const times = [at, "2098-01-01T00:00:00Z"]
      const leads: Array<number> = []
      for (const next_touch_at of times) {
        for (const preferred_channel of [null, "Email", "ChatApp"]) {
          leads.push(yield* me(insertLead({ next_touch_at, preferred_channel, phone: `+55119876500${leads.length}1` })))
          leads.push(yield* me(insertLead({ next_touch_at, preferred_channel, phone: null })))
        }
      }
      // Reads also show whether the owner chose the time.
      const read = sql<{ readonly lead_id: number; readonly state: string }>`
        select lead_id, concat_ws(' ', next_touch_at, preferred_channel, next_touch_wished_at) as state from lead
        where lead_id = any(${leads}::bigint[]) order by lead_id`
      for (const change of [
        { next_touch_date: at },
        { preferred_channel: "ChatApp" },
        { preferred_channel: "Email" }
      ]) {
        for (const round of [1, 2]) {
          const before = yield* read
          const answer = yield* me(call("reschedule_lead_touch", { lead_ids: leads.join(","), ...change }))
          const after = yield* read
          const changed = after.filter(({ state }, index) => state !== before[index]?.state)
          const expectedCounts = { updated_count: changed.length, skipped_count: leads.length - changed.length }
          assert.deepInclude(answer, expectedCounts, `${JSON.stringify(change)} ${round}`)
          assert.deepInclude(answer, { updated_lead_ids: changed.map(({ lead_id }) => lead_id) })
        }
      }
    })
  )

  it.effect("refuses a call that selects nothing, changes nothing or cannot be read", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const reasons = [
        [{ next_touch_date: at }, "no_leads_selected"],
        [{ lead_ids: " ", next_touch_date: at }, "no_leads_selected"],
        [{ lead_ids: "1,2" }, "nothing_to_change"],
        [{ lead_ids: "1,,2", next_touch_date: at }, "lead_ids_unreadable"],
        [{ lead_ids: "1;drop table lead", next_touch_date: at }, "lead_ids_unreadable"],
        [{ lead_ids: "9999999999999999", next_touch_date: at }, "lead_ids_unreadable"],
        [{ lead_ids: Array.from({ length: 2001 }, (_, n) => n).join(","), next_touch_date: at }, "too_many_lead_ids"],
        [{ lead_ids: "1", preferred_channel: "Fax" }, "value_not_accepted"]
      ] as const
      for (const [args, reason] of reasons) {
        assert.deepInclude(yield* me(failure("reschedule_lead_touch", args)), { _tag: "Refused", reason })
      }
    })
  )
})
