import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Layer } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { instructionsAfter } from "../../Services/ChatApp/ChatAppParking.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { AnswerDeliveries } from "../../Services/Outcomes/AnswerDeliveries.ts"
import { maximumTouches } from "../../Services/Outreach/Cadence.ts"
import { isPassedOver } from "../../Services/Outreach/SendGuard.ts"
import { type TouchCargo, type TouchId, TouchLedger } from "../../Services/Outreach/TouchLedger.ts"
import { scheduleWithinADay, takeTouchBack, useContext } from "../Leads/Sql/Schedule.ts"
import { allHeard, heard, setAside } from "../Leads/Sql/State.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { wakeDispatcher } from "../Prospecting/Sql.ts"

/** A touch that has just ended. */
interface EndedTouch {
  readonly lead_id: LeadId
  readonly touch_number: number
  readonly is_notice: boolean
  readonly carries: TouchCargo | null
}

export const TouchLedgerPostgres = Layer.effect(
  TouchLedger,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const answers = yield* AnswerDeliveries
    const finish = (accountId: AccountId, touchId: TouchId | null, end: string, reason: string | null) =>
      sql<EndedTouch>`
        update touch set status = ${end}, reason = ${reason}, finished_at = instant()
        where account_id = ${accountId} and touch_id = ${touchId} and status in ('writing', 'queued')
        returning lead_id, touch_number, meeting_id is not null as is_notice, carries`.pipe(fromSql())

    /** What the owner wrote meanwhile stays for the next touch. */
    const use = Effect.fnUntraced(function* (accountId: AccountId, leadId: LeadId, carried: TouchCargo | null) {
      if (carried === null) return
      const rows = yield* sql<{ readonly instructions: string | null }>`
        select next_touch_instructions as instructions from lead
        where account_id = ${accountId} and lead_id = ${leadId} for update`.pipe(fromSql())
      const instructions = instructionsAfter({
        now: rows[0]?.instructions ?? null,
        seen: carried.instructions,
        delivered: [],
        areFollowed: carried.instructions !== null
      })
      yield* useContext(sql, { accountId, leadId }, instructions, carried.context)
      if (carried.answer_id !== null) yield* answers.delivered(accountId, leadId, carried.answer_id)
    })

    const noteIn = (accountId: AccountId, millis: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => wakeDispatcher(sql, accountId, fromMillis(now + millis)))

    /** As if the touch had not been; a reply meanwhile has begun another count, and set the next touch itself. */
    const giveBack = (accountId: AccountId, { lead_id, touch_number }: EndedTouch, reason: string) => {
      const isAtOnce = isPassedOver(reason)
      return Effect.zipRight(
        takeTouchBack(sql, { accountId, leadId: lead_id }, touch_number, isAtOnce),
        isAtOnce ? wakeDispatcher(sql, accountId) : noteIn(accountId, 3_600_000)
      )
    }

    /** The cadence goes on, but what the owner wanted to be told is not left until its end. */
    const handOnSoon = (accountId: AccountId, { carries, lead_id }: EndedTouch) =>
      carries === null
        ? Effect.void
        : Effect.zipRight(scheduleWithinADay(sql, { accountId, leadId: lead_id }), noteIn(accountId, 86_400_000))

    return TouchLedger.of({
      settle: Effect.fn("TouchLedger.settle")(function* ({ accountId, end, isUnheard = false, reason, touchId }) {
        const [touch] = yield* finish(accountId, touchId, end, reason ?? null)
        if (touch === undefined || touch.is_notice) return
        if (end === "skipped") return yield* giveBack(accountId, touch, reason ?? "")
        yield* end === "failed" || isUnheard
          ? handOnSoon(accountId, touch)
          : use(accountId, touch.lead_id, touch.carries)
      }),

      allSettled: Effect.fn("TouchLedger.allSettled")(function* (touches) {
        const unheard = new Set(
          touches.filter(({ end, isUnheard }) => end === "failed" || isUnheard).map(({ touchId }) => touchId)
        )
        for (const part of unit.perAccount(touches)) {
          const ended = yield* sql<EndedTouch & { readonly account_id: AccountId; readonly touch_id: TouchId }>`
            update touch t set status = done.status, reason = done.reason, finished_at = instant()
            from unnest(${part.map(({ accountId }) => accountId)}::bigint[],
              ${part.map(({ touchId }) => touchId)}::bigint[], ${part.map(({ end }) => end)}::text[],
              ${part.map(({ reason }) => reason)}::text[]) as done (account_id, touch_id, status, reason)
            where t.account_id = done.account_id and t.touch_id = done.touch_id and t.status in ('writing', 'queued')
            returning t.account_id, t.touch_id, t.lead_id, t.touch_number, t.meeting_id is not null as is_notice,
              t.carries`.pipe(fromSql())
          for (const touch of ended) {
            if (touch.is_notice) continue
            yield* unheard.has(touch.touch_id)
              ? handOnSoon(touch.account_id, touch)
              : use(touch.account_id, touch.lead_id, touch.carries)
          }
        }
      }),

      sent: Effect.fn("TouchLedger.sent")(function* (accountId, leadId, touchId, what) {
        const [touch] = touchId === null ? [] : yield* finish(accountId, touchId, "done", null)
        if (touch !== undefined && !touch.is_notice) yield* use(accountId, leadId, touch.carries)
        yield* heard(sql, { accountId, leadId }, "outbound", what)
        const isLast = touch !== undefined && !touch.is_notice && touch.touch_number >= maximumTouches
        if (isLast) yield* setAside(sql, { accountId, leadId })
      }),

      allSent: Effect.fn("TouchLedger.allSent")(function* (messages) {
        const touches = messages.flatMap(({ accountId, touchId }) => (touchId === null ? [] : [{ accountId, touchId }]))
        const done = yield* Effect.forEach(unit.perAccount(touches), (part) =>
          sql<EndedTouch & { readonly account_id: AccountId }>`
            update touch t set status = 'done', reason = null, finished_at = instant()
            from unnest(${part.map(({ accountId }) => accountId)}::bigint[],
              ${part.map(({ touchId }) => touchId)}::bigint[]) as sent (account_id, touch_id)
            where t.account_id = sent.account_id and t.touch_id = sent.touch_id and t.status in ('writing', 'queued')
            returning t.account_id, t.lead_id, t.touch_number, t.meeting_id is not null as is_notice, t.carries`.pipe(
            fromSql()
          )
        )
        const ended = done.flat().filter(({ is_notice }) => !is_notice)
        for (const { account_id, carries, lead_id } of ended) yield* use(account_id, lead_id, carries)
        yield* allHeard(sql, unit, "outbound", messages)
        for (const { account_id, lead_id, touch_number } of ended) {
          if (touch_number >= maximumTouches) yield* setAside(sql, { accountId: account_id, leadId: lead_id })
        }
      }),

      received: Effect.fn("TouchLedger.received")(function* (accountId, leadId, channel) {
        // What it says is known once it was read.
        yield* heard(sql, { accountId, leadId }, "inbound", { channel, kind: null })
      }),

      allReceived: Effect.fn("TouchLedger.allReceived")(function* (leads, channel) {
        if (leads.length === 0) return
        yield* allHeard(
          sql,
          unit,
          "inbound",
          leads.map((lead) => ({ ...lead, channel, kind: null }))
        )
      })
    })
  })
)
