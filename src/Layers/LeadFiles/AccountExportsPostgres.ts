import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Layer, Option } from "effect"
import { transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { CustomerFiles } from "../../Services/Files/CustomerFiles.ts"
import { endedByCancellation, JobFailed, type RunningJob } from "../../Services/Jobs/JobHandler.ts"
import { Jobs } from "../../Services/Jobs/Jobs.ts"
import { type AccountExportId, AccountExports, accountExportKind } from "../../Services/LeadFiles/AccountExports.ts"
import { type LeadCsvRow, leadCsvHeader, leadCsvLine } from "../../Services/LeadFiles/LeadCsv.ts"
import { makeRemoveFiles } from "../Files/Sql.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { archiveOf } from "./AccountArchive.ts"
import { pageStatement } from "./LeadExportsPostgres.ts"
import { erasuresOf, publishExport } from "./PublishedExport.ts"

const exportDeleted = new JobFailed({ reason: "The export no longer exists." })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const jobs = yield* Jobs
  const files = yield* CustomerFiles
  const removeFiles = yield* makeRemoveFiles

  const leadsAfter = (accountId: AccountId, leadId: number) => {
    const { text, values } = pageStatement(accountId, {}, leadId)
    return Effect.map(unit.read(sql.unsafe<LeadCsvRow>(text, values).pipe(fromSql())), (rows) => {
      const last = rows.at(-1)
      return last === undefined
        ? Option.none()
        : Option.some({ csv: `${leadCsvHeader}${rows.map(leadCsvLine).join("")}`, last: last.lead_id })
    })
  }

  return AccountExports.of({
    start: Effect.gen(function* () {
      const { accountId } = yield* Caller
      const jobId = yield* jobs.enqueue({ kind: accountExportKind, subjectId: undefined })
      const { exportId } = single(
        yield* sql<{ readonly exportId: AccountExportId }>`
          insert into account_export (account_id, job_id) values (${accountId}, ${jobId})
          returning account_export_id as "exportId"`.pipe(fromSql())
      )
      yield* jobs.setSubject(jobId, exportId)
      return { exportId, jobId }
    }).pipe(Effect.withSpan("AccountExports.start")),

    write: Effect.fn("AccountExports.write")(function* (job: RunningJob) {
      const { accountId } = job
      const rows = yield* sql<{ readonly id: AccountExportId; readonly isWritten: boolean }>`
        select account_export_id as id, customer_file_id is not null as "isWritten" from account_export
        where account_id = ${accountId} and job_id = ${job.jobId}`.pipe(fromSql())
      const stored = rows[0] ?? (yield* exportDeleted)
      if (stored.isWritten) return
      const erasedBefore = yield* erasuresOf(sql, accountId)
      const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const bytes = archiveOf({ sql, unit, files, leadsAfter }, accountId, seconds, (done, all) =>
        job.setProgress((99 * done) / all)
      )
      const file = yield* files
        .write({ fileName: `account-export-${stored.id}.tar`, mediaType: "application/x-tar", bytes })
        .pipe(
          Effect.catchTags({
            Refused: ({ error }) => new JobFailed({ reason: error }),
            // A file was removed while it was read.
            NotFound: () => transient("file_removed", "A file was removed while the export was written.", 1)
          }),
          endedByCancellation(job)
        )
      const fileId = file.customer_file_id
      const isShown = yield* publishExport(
        { sql, unit, removeFiles },
        { accountId, fileId, erasedBefore },
        sql`
          update account_export set customer_file_id = ${fileId}
          where account_id = ${accountId} and account_export_id = ${stored.id}`.pipe(fromSql())
      )
      if (!isShown) return yield* transient("lead_erased", "Someone was erased while the export was written.", 1)
    })
  })
})

export const AccountExportsPostgres = Layer.effect(AccountExports, make)
