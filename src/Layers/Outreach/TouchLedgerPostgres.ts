import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Duration, Effect, Layer } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { instructionsAfter } from "../../Services/ChatApp/ChatAppParking.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { AnswerDeliveries } from "../../Services/Outcomes/AnswerDeliveries.ts"
import { maximumTouches } from "../../Services/Outreach/Cadence.ts"
import { staysDue } from "../../Services/Outreach/SendGuard.ts"
import { type SettledTouch, TouchLedger } from "../../Services/Outreach/TouchLedger.ts"
import { markContextUsed, scheduleWithinADay, undoTouch } from "../Leads/Sql/Schedule.ts"
import { freezeAfterCadence, recordLastMessages } from "../Leads/Sql/State.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { wakeDispatcher } from "../Prospecting/Sql.ts"
import { type EndedTouch, makeCountUnapplied } from "./UnappliedInstructions.ts"

const hour = Duration.toMillis("1 hour")
const day = Duration.toMillis("1 day")

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const answers = yield* AnswerDeliveries
  const countUnapplied = yield* makeCountUnapplied

  const finish = (touches: ReadonlyArray<Omit<SettledTouch, "isUnheard">>) =>
    Effect.gen(function* () {
      const endedTouches = yield* Effect.forEach(unit.perAccount(touches), (part) =>
        sql<EndedTouch>`
          update touch t set status = done.status, reason = done.reason, finished_at = instant()
          from unnest(${part.map(({ accountId }) => accountId)}::bigint[],
            ${part.map(({ touchId }) => touchId)}::bigint[], ${part.map(({ end }) => end)}::text[],
            ${part.map(({ reason }) => reason)}::text[]) as done (account_id, touch_id, status, reason)
          where t.account_id = done.account_id and t.touch_id = done.touch_id and t.status in ('writing', 'queued')
          returning t.account_id, t.touch_id, t.lead_id, t.touch_number, t.notice is not null as is_notice,
            t.carries`.pipe(fromSql())
      )
      // Meeting notices are not part of the cadence.
      return endedTouches.flat().filter(({ is_notice }) => !is_notice)
    })

  /**
   * Marks the owner's content that the touch passed on as used. Content that the owner wrote since then stays for the
   * next touch.
   */
  const useCarriedContent = (touch: EndedTouch) =>
    Effect.gen(function* () {
      const { account_id: accountId, carries, lead_id: leadId } = touch
      if (carries === null) return
      const unapplied = yield* countUnapplied(touch)
      const rows = yield* sql<{ readonly instructions: string | null }>`
        select next_touch_instructions as instructions from lead
        where account_id = ${accountId} and lead_id = ${leadId} for update`.pipe(fromSql())
      const instructions = instructionsAfter({
        now: rows[0]?.instructions ?? null,
        seen: carries.instructions,
        delivered: [],
        areFollowed: carries.instructions !== null,
        unapplied
      })
      yield* markContextUsed(sql, { accountId, leadId }, instructions, carries.context)
      if (carries.answer_id !== null) yield* answers.delivered(accountId, leadId, carries.answer_id)
    })

  const wakeDispatcherIn = (accountId: AccountId, millis: number) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => wakeDispatcher(sql, accountId, fromMillis(now + millis)))

  /** Removes the touch from the count, unless a reply has restarted the count and set the next touch. */
  const takeBack = ({ account_id: accountId, lead_id: leadId, touch_number }: EndedTouch, reason: string) => {
    const isAtOnce = staysDue(reason)
    return Effect.zipRight(
      undoTouch(sql, { accountId, leadId }, touch_number, isAtOnce),
      isAtOnce ? wakeDispatcher(sql, accountId) : wakeDispatcherIn(accountId, hour)
    )
  }

  /** The cadence continues, but the owner's content is sent before its end. */
  const passOnSoon = ({ account_id: accountId, carries, lead_id: leadId }: EndedTouch) =>
    carries === null
      ? Effect.void
      : Effect.zipRight(scheduleWithinADay(sql, { accountId, leadId }), wakeDispatcherIn(accountId, day))

  return TouchLedger.of({
    settle: Effect.fn("TouchLedger.settle")(function* (touches) {
      if (touches.length === 0) return
      const settled = new Map(touches.map((touch) => [touch.touchId, touch]))
      for (const touch of yield* finish(touches)) {
        const { end = "done", isUnheard = false, reason = null } = settled.get(touch.touch_id) ?? {}
        if (end === "skipped") yield* takeBack(touch, reason ?? "")
        else if (end === "failed" || isUnheard) yield* passOnSoon(touch)
        else yield* useCarriedContent(touch)
      }
    }),

    sent: Effect.fn("TouchLedger.sent")(function* (messages) {
      if (messages.length === 0) return
      const touches = messages.flatMap(({ accountId, touchId }) =>
        touchId === null ? [] : [{ accountId, touchId, end: "done" as const, reason: null }]
      )
      const endedTouches = touches.length === 0 ? [] : yield* finish(touches)
      for (const touch of endedTouches) yield* useCarriedContent(touch)
      yield* recordLastMessages(sql, unit, "outbound", messages)
      for (const { account_id, lead_id, touch_number } of endedTouches) {
        if (touch_number >= maximumTouches) yield* freezeAfterCadence(sql, { accountId: account_id, leadId: lead_id })
      }
    }),

    received: Effect.fn("TouchLedger.received")(function* (leads, channel) {
      if (leads.length === 0) return
      // The kind is set once the reply was classified.
      yield* recordLastMessages(
        sql,
        unit,
        "inbound",
        leads.map((lead) => ({ ...lead, channel, kind: null }))
      )
    })
  })
})

export const TouchLedgerPostgres = Layer.effect(TouchLedger, make)
