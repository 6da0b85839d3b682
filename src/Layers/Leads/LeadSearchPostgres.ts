import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { spanned } from "../../Services/Core/Calls/Spanned.ts"
import type { LeadSummary } from "../../Services/Leads/LeadModel.ts"
import { LeadSearch, type LeadSort } from "../../Services/Leads/LeadSearch.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { type RowWithTotal, splitTotal } from "./LeadLists.ts"
import { allOf, conditions, counterConditions, isCounted, makeResolve, makeValues, type ResolvedFilter } from "./Sql.ts"

const orders: { readonly [S in LeadSort]: (alias: string) => string } = {
  date_created: (alias) => `${alias}created_at desc, ${alias}lead_id desc`,
  last_prospecting_message: (alias) => `${alias}last_message_at desc nulls last, ${alias}lead_id desc`,
  status: (alias) => `${alias}status, ${alias}created_at desc, ${alias}lead_id desc`
}

interface Page {
  readonly sort: LeadSort
  readonly page: number
  readonly pageSize: number
}

const usualSize = 20

/**
 * The statement for one page and the total, with its values. Only filters that are set appear in it, so each
 * combination has its own plan.
 */
export const searchStatement = (accountId: number, filter: ResolvedFilter, { page, pageSize, sort }: Page) => {
  const { bind, values } = makeValues()
  const account = bind(accountId)
  const order = orders[sort]
  const ofAccount = `account_id = ${account}`
  const where = conditions(filter, bind)
  const counted = isCounted(filter) ? counterConditions(filter, bind) : []
  const matches =
    filter.query === undefined
      ? ""
      : `with matches as materialized (
          select * from leads_matching(${account}, ${bind(filter.query)})
          ${where.length === 0 ? "" : `where ${allOf(where)}`}
        )`
  const total = isCounted(filter)
    ? `select coalesce(sum(change), 0) as total from lead_counter where ${allOf([ofAccount, ...counted])}`
    : filter.query === undefined
      ? `select count(*) as total from lead where ${allOf([ofAccount, ...where])}`
      : "select count(*) as total from matches"
  const isUsual = page === 0 && pageSize === usualSize
  // If the page size is a parameter, the planner expects a tenth of all leads.
  const part = isUsual ? `limit ${usualSize}` : `limit ${bind(pageSize)} offset ${bind(page * pageSize)}`
  // No single index supports all filters. If the total shows that the page is empty, this condition avoids a scan of
  // all leads.
  const gate =
    isCounted(filter) && filter.hasLinkedIn !== undefined ? [`t.total > ${bind(page * pageSize)}::bigint`] : []
  const rows =
    filter.query === undefined
      ? `(select * from lead where ${allOf([...gate, ofAccount, ...where])} order by ${order("")} ${part}) l`
      : `(select lead_id from matches order by ${order("")} ${part}) m
          join lead l on l.${ofAccount} and l.lead_id = m.lead_id`
  const text = `
    ${matches}
    select p.lead_id, p.name, p.email, p.phone, p.company, p.status, p.pipeline_state,
      p.paused_at is not null as is_paused, p.track_id as campaign_id, p.campaign, p.linkedin_url, p.last_outbound_at,
      p.last_inbound_at, p.final_outcome, p.last_reply_at, p.last_reply_class, p.last_message_direction,
      p.last_message_channel, p.last_message_kind, p.next_touch_at, p.created_at, t.total
    from (${total}) t left join ${gate.length > 0 ? "lateral " : ""}(
      select l.*, c.campaign_id as track_id, c.name as campaign from ${rows}
      left join campaign c on c.${ofAccount} and c.campaign_id = l.campaign_id and c.archived_at is null
    ) p on true order by ${order("p.")}`
  return { text, values }
}

export const LeadSearchPostgres = Layer.effect(
  LeadSearch,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const resolve = yield* makeResolve
    return LeadSearch.of({
      search: Effect.fnUntraced(function* (filter, page) {
        const { accountId } = yield* Caller
        const { text, values } = searchStatement(accountId, yield* resolve(filter), page)
        return splitTotal(yield* sql.unsafe<RowWithTotal<LeadSummary>>(text, values).pipe(fromSql()))
      }, spanned("LeadSearch.search"))
    })
  })
)
