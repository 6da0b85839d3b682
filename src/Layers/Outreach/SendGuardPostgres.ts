import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import type { PipelineState } from "../../Services/Leads/Ids.ts"
import { type SendBlock, SendGuard } from "../../Services/Outreach/SendGuard.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

interface GuardRow {
  readonly pipeline_state: PipelineState
  readonly is_paused: boolean
  readonly is_unsubscribed: boolean
  readonly has_contact: boolean
  readonly is_suppressed: boolean
  readonly is_blacklisted: boolean
  readonly is_campaign_paused: boolean
  readonly is_prospecting_active: boolean
  readonly is_notice: boolean
  /** An answer or a passage that the message rests on is no longer there. */
  readonly is_knowledge_changed: boolean
  readonly notice_block: "meeting_cancelled" | "meeting_over" | "meeting_moved" | "user_controlled" | null
}

/** The lead is in the hands of the account because of the meeting; whoever is done with it hears nothing. */
const noticeBlockOf = (row: GuardRow): SendBlock | undefined => {
  if (row.notice_block !== null) return row.notice_block
  if (row.pipeline_state !== "user_controlled" && row.pipeline_state !== "in_pipeline") return row.pipeline_state
  return row.is_paused ? "paused" : undefined
}

/** The first reason in order of weight: a person's wish before the account's, the account's before the pipeline's. */
const blockOf = (row: GuardRow, isAutonomous: boolean): SendBlock | undefined => {
  if (row.is_unsubscribed) return "unsubscribed"
  if (row.is_suppressed) return "suppressed"
  if (row.is_blacklisted) return "blacklisted"
  if (!row.has_contact) return "no_contact"
  if (!isAutonomous) return undefined
  if (row.is_notice) return noticeBlockOf(row)
  if (!row.is_prospecting_active) return "account_prospecting_off"
  if (row.is_campaign_paused) return "campaign_paused"
  if (row.pipeline_state !== "in_pipeline") return row.pipeline_state
  if (row.is_paused) return "paused"
  return row.is_knowledge_changed ? "knowledge_changed" : undefined
}

export const SendGuardPostgres = Layer.effect(
  SendGuard,
  Effect.map(SqlClient, (sql) =>
    SendGuard.of({
      check: Effect.fn("SendGuard.check")(function* ({ accountId, channel, isAutonomous, leadId, touchId }) {
        const rows = yield* sql<GuardRow>`
          select * from send_guard(${accountId}, ${leadId}, ${channel === "email"}, ${touchId})`.pipe(fromSql())
        const row = rows[0]
        return row === undefined
          ? Option.some<SendBlock>("lead_not_found")
          : Option.fromNullable(blockOf(row, isAutonomous))
      })
    })
  )
)
