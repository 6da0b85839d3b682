import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { Effect, Ref, Stream } from "effect"
import type { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
import { CustomerFiles } from "../../src/Services/Files/CustomerFiles.ts"
import { CustomerFileId } from "../../src/Services/Files/Ids.ts"
import type { JobId } from "../../src/Services/Jobs/Ids.ts"
import { JobCancelled, type RunningJob } from "../../src/Services/Jobs/JobHandler.ts"
import { LeadExports, leadExportJob } from "../../src/Services/LeadFiles/LeadExports.ts"
import type { LeadFilter } from "../../src/Services/Leads/LeadSearch.ts"
import { insertCampaign, insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const start = (filter: LeadFilter = {}) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const exports = yield* LeadExports
    return yield* unit.write(exports.start(filter))
  })

const runningJob = ({ accountId }: Caller["Type"], jobId: JobId, changes: Partial<RunningJob> = {}): RunningJob => ({
  accountId,
  jobId,
  subjectId: undefined,
  attempt: 1,
  setProgress: () => Effect.void,
  checkpoint: Effect.void,
  ...changes
})

const rowsOf = (content: string): ReadonlyArray<{ readonly [column: string]: string }> =>
  parse(content, { bom: true, columns: true })

/** Runs an export. Returns the rows of its file. */
const exported = (caller: Caller["Type"], filter: LeadFilter = {}) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const files = yield* CustomerFiles
    const { jobId, leadExportId } = yield* start(filter)
    yield* leadExportJob.run(runningJob(caller, jobId), caller)
    const [row] = yield* sql<{ readonly customer_file_id: number }>`
      select customer_file_id from lead_export where account_id = ${caller.accountId} and lead_export_id = ${leadExportId}`
    const chunks = yield* Stream.runCollect(files.read(CustomerFileId.make(row?.customer_file_id ?? 0)))
    return rowsOf(Buffer.concat([...chunks]).toString("utf8"))
  }).pipe(as(caller))

layer(LeadServices, { excludeTestServices: true })("exporting leads", (it) => {
  it.effect("starts as a job that knows its export", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const { jobId, leadExportId } = yield* as(caller)(start())
      const jobs = yield* sql`
        select kind, subject_id, status from background_job
        where account_id = ${caller.accountId} and job_id = ${jobId}`
      assert.deepStrictEqual(jobs, [{ kind: "lead_export", subject_id: leadExportId, status: "queued" }])
    })
  )

  it.effect("writes the leads that match the filters, by id, and notifies at the end", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const campaign = yield* me(insertCampaign("Clinics"))
      yield* me(insertLead({ name: 'João, o "bom"', campaign_id: campaign, phone: "+5511987654321" }))
      yield* me(insertLead({ name: "=cmd()", campaign_id: campaign, created_at: "2026-01-01T00:00:00Z" }))
      yield* me(insertLead({ name: "Rita", status: "Closed", created_at: "2026-02-01T00:00:00Z" }))
      yield* as(yield* makeAccount())(insertLead({ name: "João Alheio" }))
      const namesOf = (filter: LeadFilter) =>
        Effect.map(exported(caller, filter), (rows) => rows.map(({ name }) => name))

      const rows = yield* exported(caller)
      assert.deepStrictEqual(
        rows.map(({ campaign, name, phone }) => ({ campaign, name, phone })),
        [
          { campaign: "Clinics", name: 'João, o "bom"', phone: "+5511987654321" },
          { campaign: "Clinics", name: "'=cmd()", phone: "" },
          { campaign: "", name: "Rita", phone: "" }
        ]
      )
      assert.deepStrictEqual(yield* namesOf({ query: "JOAO, O" }), ['João, o "bom"'])
      assert.deepStrictEqual(yield* namesOf({ query: "%" }), [])
      assert.deepStrictEqual(yield* namesOf({ status: "Closed" }), ["Rita"])
      assert.deepStrictEqual(yield* namesOf({ campaign: "clinics" }), ['João, o "bom"', "'=cmd()"])
      const from = Timestamp.make("2026-01-15T00:00:00Z")
      assert.deepStrictEqual(yield* namesOf({ createdFrom: from, status: "Closed" }), ["Rita"])
      assert.deepStrictEqual(yield* namesOf({ createdBefore: from }), ["'=cmd()"])

      const [notification] = (yield* me(Effect.flatMap(Notifications, (service) => service.pending))).notifications
      assert.strictEqual(notification?.kind, "lead_export_finished")
      assert.match(notification?.message ?? "", /^A exportação está pronta: 3 leads em leads-export-\d+\.csv\.$/)
    })
  )

  it.effect("reads page after page, and shows how far it is", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* sql`
        insert into lead (account_id, name, status, pipeline_state)
        select ${caller.accountId}, 'Lead ' || n, 'Cold', 'not_started' from generate_series(1, 2500) n`
      const progress = yield* Ref.make<ReadonlyArray<number>>([])
      const { jobId } = yield* me(start())
      const job = runningJob(caller, jobId, {
        setProgress: (percent) => Ref.update(progress, (all) => [...all, Math.round(percent)])
      })
      yield* leadExportJob.run(job, caller)
      assert.deepStrictEqual(yield* Ref.get(progress), [40, 79, 99])
      const counts = yield* sql`select lead_count from lead_export where account_id = ${caller.accountId}`
      assert.deepStrictEqual(counts, [{ lead_count: 2500 }])
    })
  )

  it.effect("keeps neither a file nor the text looked for where it must not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* me(insertLead({ name: "Zulmira" }))
      const { jobId } = yield* me(start({ query: "zulmira" }))
      const cancelled = runningJob(caller, jobId, { checkpoint: Effect.fail(new JobCancelled()) })
      assert.strictEqual((yield* Effect.flip(leadExportJob.run(cancelled, caller)))._tag, "JobCancelled")
      assert.lengthOf(yield* sql`select from customer_file where account_id = ${caller.accountId}`, 0)

      yield* leadExportJob.run(runningJob(caller, jobId), caller)
      yield* leadExportJob.run(runningJob(caller, jobId, { attempt: 2 }), caller)
      assert.lengthOf(yield* sql`select from customer_file where account_id = ${caller.accountId}`, 1)
      const [row] = yield* sql<{ readonly filter: string }>`
        select filter::text as filter from lead_export where account_id = ${caller.accountId}`
      assert.notInclude(row?.filter, "zulmira")
    })
  )
})
