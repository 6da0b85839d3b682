import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId, Plan } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { maximumTouches } from "../../Services/Outreach/Cadence.ts"
import {
  afterAttempt,
  type TouchCargo,
  type TouchId,
  type UnappliedInstruction
} from "../../Services/Outreach/TouchLedger.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

/** A touch that has just ended. */
export interface EndedTouch {
  readonly account_id: AccountId
  readonly touch_id: TouchId
  readonly lead_id: LeadId
  readonly touch_number: number
  readonly is_notice: boolean
  readonly carries: TouchCargo | null
}

/** Counts the touches that did not follow an instruction. Returns the instructions for the next touch. */
export const makeCountUnapplied = Effect.gen(function* () {
  const sql = yield* SqlClient
  const notifications = yield* Notifications

  return (touch: EndedTouch) =>
    Effect.gen(function* () {
      const { account_id: accountId, carries, lead_id: leadId, touch_id: touchId, touch_number } = touch
      const unapplied = carries?.unapplied ?? []
      if (unapplied.length === 0) return []
      const [before] = yield* sql<{ readonly unapplied: ReadonlyArray<UnappliedInstruction> | null }>`
        select carries -> 'unapplied' as unapplied from touch
        where account_id = ${accountId} and lead_id = ${leadId} and touch_id < ${touchId} and status = 'done'
          and carries is not null
        order by touch_id desc limit 1`.pipe(fromSql())
      const attempt = afterAttempt(unapplied, before?.unapplied ?? [], touch_number >= maximumTouches)
      yield* sql`
        update touch set carries = carries || ${JSON.stringify({ unapplied: attempt.counted })}::jsonb
        where account_id = ${accountId} and touch_id = ${touchId}`.pipe(fromSql())
      if (attempt.reported.length > 0) {
        const rows = yield* sql<{ readonly plan: Plan }>`
          select plan from account where account_id = ${accountId}`.pipe(fromSql())
        const caller = Caller.forTask(accountId, single(rows).plan, `touch-${touchId}`)
        yield* notifications
          .tellOfLead(
            { kind: "instructions_not_followed", leadId, quote: attempt.reported.join(" ") },
            { instructions: attempt.reported }
          )
          .pipe(Effect.provideService(Caller, caller))
      }
      return attempt.waiting
    })
})
