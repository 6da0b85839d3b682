import { Effect } from "effect"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import type { FileReferences } from "../Platform/FileReferences.ts"
import { type PersonalData, redact } from "../Platform/PersonalData.ts"

/**
 * Deletes archives of the account, exports that contain the person, what imports store of its rows, samples of these
 * imports, and the arguments of ended jobs.
 */
export const leadFilesPersonalData: PersonalData = {
  forget: (sql, { accountId, leadId, patterns, removeFiles }) =>
    Effect.gen(function* () {
      // A line begins with the lead's id. It may continue in the next chunk.
      const exports = yield* sql<{ readonly id: CustomerFileId }>`
        select distinct c.customer_file_id as id
        from lead_export e join customer_file_chunk c using (account_id, customer_file_id)
          left join customer_file_chunk n on n.account_id = c.account_id
            and n.customer_file_id = c.customer_file_id and n.sequence = c.sequence + 1
        where e.account_id = ${accountId}
          and position(convert_to(${`\r\n${leadId},`}, 'UTF8') in c.bytes || coalesce(substring(n.bytes for 32), '')) > 0`
      yield* removeFiles(exports.map(({ id }) => id))
      // An archive of the account contains every person, so all archives are deleted.
      const archives = yield* sql<{ readonly id: CustomerFileId }>`
        select customer_file_id as id from account_export
        where account_id = ${accountId} and customer_file_id is not null`
      yield* removeFiles(archives.map(({ id }) => id))
      // A sample does not say whose it is, and may be another value of the person, so samples are removed.
      yield* sql`
        update lead_import set columns = (
          select jsonb_agg(c.value || '{"samples": []}'::jsonb order by c.ordinality)
          from jsonb_array_elements(columns) with ordinality c
        )
        where account_id = ${accountId} and columns is not null and lead_import_id in (
          select lead_import_id from lead_import_row where account_id = ${accountId} and lead_id = ${leadId})`
      yield* sql`
        update lead_import_row set lead_id = null, warnings = null, filled = null, not_filled = null
        where account_id = ${accountId} and lead_id = ${leadId}`
      // The row of another lead may name the person's address as its second one.
      const rows = { table: "lead_import_row", texts: [], json: ["warnings", "not_filled"] }
      const hasDetails = sql`account_id = ${accountId} and (warnings is not null or not_filled is not null)`
      yield* redact(sql, rows, hasDetails, patterns.person, patterns.json)
      const hasEnded = sql`j.account_id = ${accountId} and j.status in ('finished', 'failed', 'cancelled')`
      yield* sql`
        update lead_import i set inline_rows = null from background_job j
        where i.account_id = j.account_id and i.job_id = j.job_id and ${hasEnded} and i.inline_rows is not null`
      yield* sql`
        update lead_export e set filter = e.filter - 'query' from background_job j
        where e.account_id = j.account_id and e.job_id = j.job_id and ${hasEnded} and e.filter ? 'query'`
    })
}

export const leadFilesFileReferences: FileReferences = (sql, accountId, ids) =>
  Effect.all([
    sql`
      update lead_export set customer_file_id = null
      where account_id = ${accountId} and customer_file_id = any(${ids}::bigint[])`,
    sql`
      update account_export set customer_file_id = null
      where account_id = ${accountId} and customer_file_id = any(${ids}::bigint[])`
  ])
