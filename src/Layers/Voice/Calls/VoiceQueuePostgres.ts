import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { TouchId } from "../../../Services/Outreach/TouchLedger.ts"
import { VoiceQueue } from "../../../Services/Voice/VoiceQueue.ts"
import { inOrderOf } from "../../Outreach/Sql.ts"
import { makeAccountSeal } from "../../Platform/Postgres/AccountSeal.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

export const VoiceQueuePostgres = Layer.effect(
  VoiceQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const seal = yield* makeAccountSeal
    return VoiceQueue.of({
      add: Effect.fnUntraced(function* (calls) {
        const references = yield* Effect.forEach(calls, ({ accountId }) => seal.reference(accountId))
        const rows = yield* sql<{ readonly id: number; readonly touchId: TouchId }>`
          insert into voice_call (client_reference, account_id, lead_id, touch_id, kind, phone, goal, opening_line, status)
          select reference, account_id, lead_id, touch_id, 'prospecting', phone, goal, opening_line, 'queued'
          from unnest(${references}::uuid[], ${calls.map(({ accountId }) => accountId)}::bigint[],
            ${calls.map(({ leadId }) => leadId)}::bigint[], ${calls.map(({ touchId }) => touchId)}::bigint[],
            ${calls.map(({ phone }) => phone)}::text[], ${calls.map(({ goal }) => goal)}::text[],
            ${calls.map(({ openingLine }) => openingLine)}::text[])
            as c (reference, account_id, lead_id, touch_id, phone, goal, opening_line)
          returning voice_call_request_id as id, touch_id as "touchId"`.pipe(fromSql())
        return inOrderOf(calls)(rows).map(({ id }) => id)
      }),

      cancelAnswered: (accountId, leadId) =>
        sql<{ readonly id: number }>`
          update voice_call set status = 'cancelled', failure_reason = 'lead_replied', was_picked_up = false,
            goal_achieved = false, finished_at = instant()
          where account_id = ${accountId} and lead_id = ${leadId} and kind = 'prospecting' and status = 'queued'
          returning voice_call_request_id as id`.pipe(
          Effect.map((calls) => calls.map(({ id }) => id)),
          fromSql()
        )
    })
  })
)
