import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import type { PipelineState } from "../../Services/LeadPipeline.ts"
import type { OutreachChannel } from "../../Services/OutreachTasks.ts"
import { type SendBlock, SendGuard } from "../../Services/SendGuard.ts"
import { fromSql } from "./Sql.ts"

interface GuardRow {
  readonly pipeline_state: PipelineState
  readonly is_paused: boolean
  readonly is_unsubscribed: boolean
  readonly has_contact: boolean
  readonly is_suppressed: boolean
  readonly is_blacklisted: boolean
  readonly is_campaign_paused: boolean
  readonly is_prospecting_active: boolean
}

/** The first reason in order of weight: a person's wish before the account's, the account's before the pipeline's. */
const blockOf = (row: GuardRow, isAutonomous: boolean): SendBlock | undefined => {
  if (row.is_unsubscribed) return "unsubscribed"
  if (row.is_suppressed) return "suppressed"
  if (row.is_blacklisted) return "blacklisted"
  if (!row.has_contact) return "no_contact"
  if (!isAutonomous) return undefined
  if (!row.is_prospecting_active) return "account_prospecting_off"
  if (row.is_campaign_paused) return "campaign_paused"
  if (row.pipeline_state !== "in_pipeline") return row.pipeline_state
  return row.is_paused ? "paused" : undefined
}

export const SendGuardPostgres = Layer.effect(
  SendGuard,
  Effect.map(SqlClient, (sql) => {
    const contactOf = (channel: OutreachChannel) =>
      channel === "email"
        ? { email: sql`l.email`, phone: sql`null::text`, any: sql`l.email` }
        : { email: sql`null::text`, phone: sql`l.phone`, any: sql`l.phone` }

    return SendGuard.of({
      check: Effect.fn("SendGuard.check")(function* ({ accountId, channel, isAutonomous, leadId }) {
        const contact = contactOf(channel)
        // A statement of its own: one that waited for the lock would judge the rest by what it saw before the wait.
        yield* sql`
          select from lead where account_id = ${accountId} and lead_id = ${leadId} for update`.pipe(fromSql())
        const rows = yield* sql<GuardRow>`
          select l.pipeline_state, l.paused_at is not null as is_paused, l.unsubscribed_at is not null as is_unsubscribed,
            ${contact.any} is not null as has_contact,
            exists (select from email_suppression s where s.account_id = l.account_id and s.email = ${contact.email})
              as is_suppressed,
            exists (select from blacklist_match(l.account_id, ${contact.email}, ${contact.phone})) as is_blacklisted,
            coalesce((select not c.is_active from campaign c
              where c.account_id = l.account_id and c.campaign_id = l.campaign_id), false) as is_campaign_paused,
            (select a.is_prospecting_active from account a where a.account_id = l.account_id) as is_prospecting_active
          from lead l where l.account_id = ${accountId} and l.lead_id = ${leadId}`.pipe(fromSql())
        const row = rows[0]
        return row === undefined
          ? Option.some<SendBlock>("lead_not_found")
          : Option.fromNullable(blockOf(row, isAutonomous))
      })
    })
  })
)
