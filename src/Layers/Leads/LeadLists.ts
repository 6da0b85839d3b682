import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import type { LeadAwaitingReview, PausedLead } from "../../Services/Leads/LeadModel.ts"
import type { Leads } from "../../Services/Leads/Leads.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

export const longestReviewList = 500
export const pausedPageSize = 50

/** A row of a list, with the list's total. `lead_id` is null if the list is empty. */
export type RowWithTotal<Row> = Row & { readonly lead_id: LeadId | null; readonly total: number }

/** The total, and the rows without it. */
export const splitTotal = <Row extends { readonly lead_id: LeadId }>(rows: ReadonlyArray<RowWithTotal<Row>>) => ({
  leads: rows.flatMap(
    ({ total: _, ...row }): ReadonlyArray<Omit<RowWithTotal<Row>, "total">> => (row.lead_id === null ? [] : [row])
  ),
  total: single(rows).total
})

/** Makes `Leads.listAwaitingReview` and `Leads.listPaused`. */
export const makeLeadLists = Effect.map(SqlClient, (sql) => {
  const listAwaitingReview: typeof Leads.Service.listAwaitingReview = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<RowWithTotal<LeadAwaitingReview>>`
      select l.*, t.total
      from (
        select count(*) as total from lead where account_id = ${accountId} and pipeline_state = 'pending_review'
      ) t
      left join (
        select l.lead_id, l.name, l.email, l.phone, l.company, l.status, c.campaign_id, c.name as campaign,
          l.review_requested_at, l.review_reason, l.last_inbound_at
        from lead l left join campaign c on c.account_id = l.account_id and c.campaign_id = l.campaign_id
          and c.archived_at is null
        where l.account_id = ${accountId} and l.pipeline_state = 'pending_review'
        order by l.review_requested_at, l.lead_id limit ${longestReviewList}
      ) l on true
      order by l.review_requested_at, l.lead_id`.pipe(fromSql())
    return splitTotal(rows)
  }).pipe(Effect.withSpan("Leads.listAwaitingReview"))

  const listPaused: typeof Leads.Service.listPaused = Effect.fn("Leads.listPaused")(function* (afterLeadId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<RowWithTotal<PausedLead>>`
      select l.*, t.total
      from (select count(*) as total from lead where account_id = ${accountId} and paused_at is not null) t
      left join (
        select lead_id, name, email, phone, company, status, pipeline_state, paused_at, pause_reason from lead
        where account_id = ${accountId} and paused_at is not null and lead_id > ${afterLeadId}
        order by lead_id limit ${pausedPageSize + 1}
      ) l on true
      order by l.lead_id`.pipe(fromSql())
    const { leads, total } = splitTotal(rows)
    const page = leads.slice(0, pausedPageSize)
    // The query reads one lead more than the page, which shows whether there is another page.
    return { leads: page, total, next: leads.length > page.length ? page.at(-1)?.lead_id : undefined }
  })

  return { listAwaitingReview, listPaused }
})
