import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Layer } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { instructionsAfter } from "../../Services/ChatApp/ChatAppParking.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { isPassedOver } from "../../Services/Outreach/SendGuard.ts"
import { type TouchCargo, type TouchId, TouchLedger } from "../../Services/Outreach/TouchLedger.ts"
import { countChanged, countedColumns } from "../Campaigns/Sql.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { noteDue } from "../Prospecting/Sql.ts"

/** A touch that has just ended. */
interface EndedTouch {
  readonly lead_id: LeadId
  readonly touch_number: number
  readonly is_notice: boolean
  readonly carries: TouchCargo | null
}

export const TouchLedgerPostgres = Layer.effect(
  TouchLedger,
  Effect.map(SqlClient, (sql) => {
    const finish = (accountId: AccountId, touchId: TouchId | null, end: string, reason: string | null) =>
      sql<EndedTouch>`
        update touch set status = ${end}, reason = ${reason}, finished_at = instant()
        where account_id = ${accountId} and touch_id = ${touchId} and status in ('writing', 'queued')
        returning lead_id, touch_number, meeting_id is not null as is_notice, carries`.pipe(fromSql())

    const heard = (accountId: AccountId, leadId: LeadId, column: "last_outbound_at" | "last_inbound_at") =>
      sql`
        with before as (
          select ${sql.literal(countedColumns("l"))} from lead l
          where l.account_id = ${accountId} and l.lead_id = ${leadId} for no key update
        ), changed as (
          update lead l set ${sql(column)} = instant()
          from before where l.account_id = ${accountId} and l.lead_id = before.lead_id
          returning ${sql.literal(countedColumns("l"))}
        ), ${sql.literal(countChanged)}
        select from changed`.pipe(fromSql())

    /** What the owner wrote meanwhile stays for the next touch. */
    const use = Effect.fnUntraced(function* (accountId: AccountId, leadId: LeadId, carried: TouchCargo | null) {
      if (carried === null) return
      const isLead = sql`account_id = ${accountId} and lead_id = ${leadId}`
      const rows = yield* sql<{ readonly instructions: string | null }>`
        select next_touch_instructions as instructions from lead where ${isLead} for update`.pipe(fromSql())
      const instructions = instructionsAfter({
        now: rows[0]?.instructions ?? null,
        seen: carried.instructions,
        delivered: [],
        areFollowed: carried.instructions !== null
      })
      yield* sql`
        update lead set next_touch_instructions = ${instructions},
          owner_context = case when owner_context is distinct from ${carried.context} then owner_context end
        where ${isLead}`.pipe(fromSql())
      if (carried.answer_id === null) return
      yield* sql`
        update lead_answer_delivery set status = 'delivered', delivered_at = instant()
        where ${isLead} and answer_id = ${carried.answer_id} and status = 'queued'`.pipe(fromSql())
    })

    const noteIn = (accountId: AccountId, millis: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => noteDue(sql, accountId, fromMillis(now + millis)))

    /** As if the touch had not been; a reply meanwhile has begun another count, and set the next touch itself. */
    const giveBack = (accountId: AccountId, { lead_id, touch_number }: EndedTouch, reason: string) => {
      const again = sql`instant() + ${isPassedOver(reason) ? "0" : "1 hour"}::interval`
      return sql`
        update lead set touch_count = case when touch_count = ${touch_number} then touch_count - 1 else touch_count end,
          next_touch_at = case when pipeline_state <> 'in_pipeline' then next_touch_at
            when touch_count = ${touch_number} then ${again} else coalesce(next_touch_at, ${again}) end
        where account_id = ${accountId} and lead_id = ${lead_id}`.pipe(
        fromSql(),
        Effect.zipRight(isPassedOver(reason) ? noteDue(sql, accountId) : noteIn(accountId, 3_600_000))
      )
    }

    /** The cadence goes on, but what the owner wanted to be told is not left until its end. */
    const handOnSoon = (accountId: AccountId, { carries, lead_id }: EndedTouch) =>
      carries === null
        ? Effect.void
        : sql`
            update lead set next_touch_at = least(next_touch_at, instant() + interval '1 day')
            where account_id = ${accountId} and lead_id = ${lead_id} and pipeline_state = 'in_pipeline'`.pipe(
            fromSql(),
            Effect.zipRight(noteIn(accountId, 86_400_000))
          )

    return TouchLedger.of({
      settle: Effect.fn("TouchLedger.settle")(function* ({ accountId, end, isUnheard = false, reason, touchId }) {
        const [touch] = yield* finish(accountId, touchId, end, reason ?? null)
        if (touch === undefined || touch.is_notice) return
        if (end === "skipped") return yield* giveBack(accountId, touch, reason ?? "")
        yield* end === "failed" || isUnheard
          ? handOnSoon(accountId, touch)
          : use(accountId, touch.lead_id, touch.carries)
      }),

      sent: Effect.fn("TouchLedger.sent")(function* (accountId, leadId, touchId) {
        const [touch] = touchId === undefined || touchId === null ? [] : yield* finish(accountId, touchId, "done", null)
        if (touch !== undefined && !touch.is_notice) yield* use(accountId, leadId, touch.carries)
        yield* heard(accountId, leadId, "last_outbound_at")
      }),

      received: Effect.fn("TouchLedger.received")(function* (accountId, leadId) {
        yield* heard(accountId, leadId, "last_inbound_at")
      })
    })
  })
)
