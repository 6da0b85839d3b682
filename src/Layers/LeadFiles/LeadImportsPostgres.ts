import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { notFound } from "../../Errors.ts"
import { CampaignLookup } from "../../Services/Campaigns/Campaigns.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { CustomerFiles } from "../../Services/Files/CustomerFiles.ts"
import { Jobs } from "../../Services/Jobs/Jobs.ts"
import type { LeadFileColumn } from "../../Services/LeadFiles/LeadFileColumns.ts"
import {
  type ImportedRow,
  type LeadImportId,
  LeadImports,
  LeadImportView,
  leadImportKind
} from "../../Services/LeadFiles/LeadImports.ts"
import { selectedColumns } from "../Platform/Postgres/ColumnChanges.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { makeRunImport } from "./LeadImportRun.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* Jobs
  const files = yield* CustomerFiles
  const campaigns = yield* CampaignLookup

  const view = sql.literal(
    selectedColumns(LeadImportView, "i", {
      status: "j.status",
      progress: "j.progress",
      failure_reason: "j.failure_reason",
      finished_at: "j.finished_at"
    })
  )

  const get = Effect.fn("LeadImports.get")(function* (id: LeadImportId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<LeadImportView>`
      select ${view} from lead_import i join background_job j using (account_id, job_id)
      where i.account_id = ${accountId} and i.lead_import_id = ${id}`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("lead import", "lead_import_id", id))
  })

  return LeadImports.of({
    start: Effect.fn("LeadImports.start")(function* (request) {
      const { accountId } = yield* Caller
      const campaignId = request.campaign === undefined ? null : yield* campaigns.resolve(request.campaign)
      const { source } = request
      const file = source._tag === "File" ? yield* files.hold(source.customerFileId) : undefined
      const inlineRows = source._tag === "File" ? null : JSON.stringify(source.rows)
      const name = source._tag === "Handed" ? source.name : (file?.file_name ?? "inline rows")
      const jobId = yield* jobs.enqueue({ kind: leadImportKind, subjectId: undefined })
      const { id } = single(
        yield* sql<{ readonly id: LeadImportId }>`
          insert into lead_import (account_id, job_id, customer_file_id, source_name, inline_rows, campaign_id,
            lead_status, preferred_channel, instructions, first_message_instructions, prospecting_background,
            prospecting_goal)
          values (${accountId}, ${jobId}, ${file?.customer_file_id ?? null}, ${name},
            ${inlineRows}::jsonb, ${campaignId}, ${request.status}, ${request.preferredChannel ?? null},
            ${request.instructions ?? null}, ${request.firstMessageInstructions ?? null},
            ${request.background ?? null}, ${request.goal ?? null})
          returning lead_import_id as id`.pipe(fromSql())
      )
      yield* jobs.setSubject(jobId, id)
      return yield* Effect.catchTag(get(id), "NotFound", Effect.die)
    }),

    list: Effect.fn("LeadImports.list")(function* ({ page, pageSize }) {
      const { accountId } = yield* Caller
      const imports = yield* sql<LeadImportView>`
        select ${view} from lead_import i join background_job j using (account_id, job_id)
        where i.account_id = ${accountId}
        order by i.lead_import_id desc limit ${pageSize} offset ${page * pageSize}`.pipe(fromSql())
      const { total } = single(
        yield* sql<{ readonly total: number }>`
          select count(*) as total from lead_import where account_id = ${accountId}`.pipe(fromSql())
      )
      return { imports, total }
    }),

    get,

    columns: Effect.fn("LeadImports.columns")(function* (id) {
      const { accountId } = yield* Caller
      const rows = yield* sql<{ readonly columns: ReadonlyArray<LeadFileColumn> }>`
        select coalesce(columns, '[]'::jsonb) as columns from lead_import
        where account_id = ${accountId} and lead_import_id = ${id}`.pipe(fromSql())
      return rows[0]?.columns ?? []
    }),

    rows: Effect.fn("LeadImports.rows")(function* (id, { page, pageSize }) {
      const { accountId } = yield* Caller
      const rows = yield* sql<ImportedRow>`
        select row_number, outcome, reason, lead_id, coalesce(warnings, '[]'::jsonb) as warnings,
          coalesce(filled, '[]'::jsonb) as filled, coalesce(not_filled, '[]'::jsonb) as not_filled
        from lead_import_row
        where account_id = ${accountId} and lead_import_id = ${id}
        order by row_number limit ${pageSize} offset ${page * pageSize}`.pipe(fromSql())
      // The number of rows is updated with each recorded row.
      const [rowCount] = yield* sql<{ readonly total: number }>`
        select rows_processed as total from lead_import
        where account_id = ${accountId} and lead_import_id = ${id}`.pipe(fromSql())
      return { rows, total: rowCount?.total ?? 0 }
    }),

    ...(yield* makeRunImport)
  })
})

export const LeadImportsPostgres = Layer.effect(LeadImports, make)
