import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { plusSeconds, type Timestamp } from "../../../Services/Core/Timestamp.ts"
import { isNewEnd } from "../../../Services/Crm/CrmRules.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { Outcomes } from "../../../Services/Outcomes/Outcomes.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import type { ClosedDeal, CrmClient } from "../Calling/CrmAdapter.ts"
import type { CrmPlace } from "../Pushing/LeadFacts.ts"

/** The overlap in seconds by which each poll of closed deals reaches back behind the previous one. */
const overlapSeconds = 900

/** Reads the deals that were closed at a CRM, and registers the outcomes of their leads. */
export const makeClosedDeals = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const outcomes = yield* Outcomes

  const registerOutcome = Effect.fnUntraced(function* (place: CrmPlace, deal: ClosedDeal) {
    yield* unit.write(
      Effect.gen(function* () {
        // One deal may have several contacts that are separate leads in the gateway.
        const isOf = sql`k.account_id = ${place.accountId} and k.crm = ${place.crm}
          and k.crm_account = ${place.crmAccount} and k.kind = 'deal' and k.external_id = ${deal.id}
          and k.heard_outcome is distinct from ${deal.outcome}`
        const all = yield* sql<{
          readonly leadId: LeadId
          readonly outcome: "won" | "lost" | "gave_up" | null
          readonly lastEnd: string | null
        }>`
          with before as (
            select k.lead_id, coalesce(k.heard_outcome, k.written ->> 'closed_as') as last_end from crm_link k
            where ${isOf} for update
          ), heard as (
            update crm_link k set heard_outcome = ${deal.outcome} from before
            where ${isOf} and k.lead_id = before.lead_id returning k.lead_id
          )
          select l.lead_id as "leadId", l.final_outcome as outcome, before.last_end as "lastEnd"
          from heard join before on before.lead_id = heard.lead_id
            join lead l on l.account_id = ${place.accountId} and l.lead_id = heard.lead_id`.pipe(fromSql())
        const value = deal.outcome === "won" && (deal.value ?? 0) > 0 ? deal.value : undefined
        yield* Effect.forEach(
          all.filter((lead) => isNewEnd(deal.outcome, lead)),
          ({ leadId }) =>
            outcomes
              .register(leadId, {
                outcome: deal.outcome,
                reason: deal.reason?.slice(0, 1000) ?? `Closed in ${place.crm}.`,
                dealValueBrl: value
              })
              .pipe(Effect.catchTags({ NotFound: () => Effect.void, Refused: () => Effect.void })),
          { discard: true }
        )
      })
    )
  })

  /** Polls closed deals, including some from before the last poll, because the CRM may list them late. */
  const poll = Effect.fnUntraced(function* (place: CrmPlace, client: CrmClient | undefined, since: Timestamp) {
    // A delivery that arrives during the poll causes another one.
    const isOf = sql`account_id = ${place.accountId} and crm = ${place.crm} and crm_account = ${place.crmAccount}`
    const began = yield* sql<{ readonly now: Timestamp }>`
      update crm_integration set polled_at = instant() where ${isOf} returning instant() as now`.pipe(fromSql())
    const look = client === undefined ? Effect.succeed([]) : client.closedSince(plusSeconds(since, -overlapSeconds))
    const again = sql`update crm_integration set polled_at = '-infinity' where ${isOf}`.pipe(fromSql())
    const closed = yield* Effect.tapError(look, () => again)
    yield* Effect.forEach(closed, (deal) => registerOutcome(place, deal), { discard: true })
    const until = began[0]?.now ?? since
    yield* sql`
      update crm_integration set polled_until = ${until} where ${isOf}`.pipe(fromSql())
  })

  return { poll }
})
