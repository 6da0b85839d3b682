import { Clock, Effect } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import type { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { AccountEvents } from "../../../Services/Events/AccountEvents.ts"
import { Notifications } from "../../../Services/Events/Notifications.ts"
import type { OwnerNewsReason } from "../../../Services/Events/OwnerNotices.ts"
import { Leads } from "../../../Services/Leads/Leads.ts"
import type { LanguageModelFailed } from "../../../Services/Models/LanguageModel.ts"
import { isOutage, ModelOutages } from "../../../Services/Models/ModelOutages.ts"
import type { TouchFacts } from "../../../Services/Outreach/TouchFacts.ts"
import type { Touch } from "../../../Services/Outreach/TouchTasks.ts"
import { afterOutage } from "../../../Services/Outreach/WrittenTouch.ts"
import { makeEndTouches } from "../EndTouches.ts"

/** A run of the task that composes a touch. */
export interface Attempt {
  readonly attempt: number
  readonly isLast: boolean
}

/** Ends touches for which no message could be written. */
export const makeUnwrittenTouches = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const outages = yield* ModelOutages
  const leads = yield* Leads
  const notifications = yield* Notifications
  const events = yield* AccountEvents
  const { end } = yield* makeEndTouches

  /** Ends a touch and hands its lead to a person for review. */
  const sendForReview = (
    touch: Touch,
    { reason, why }: { readonly reason: string; readonly why: OwnerNewsReason }
  ): Effect.Effect<void, Transient, Caller> =>
    unit
      .write(
        Effect.gen(function* () {
          const { leadId } = touch
          yield* end(touch, "skipped", reason, undefined)
          yield* leads.transition(leadId, "flag_for_review", { actor: "platform", reason })
          yield* notifications.tellOfLead({ kind: "lead_sent_for_human_review", leadId, why }, { reason })
          yield* events.append({ type: "lead_sent_for_human_review", data: { lead_id: leadId, reason } })
        })
      )
      .pipe(
        // The lead was deleted or taken over in between, so there is nothing left to review.
        Effect.catchTags({ NotFound: () => Effect.void, Refused: () => Effect.void })
      )

  /** Asks a person to review a message that could not be written well. */
  const askForReview = (touch: Touch, facts: TouchFacts, reason: string): Effect.Effect<void, Transient, Caller> => {
    if (facts.notice !== null || facts.is_holding_line) return unit.write(end(touch, "failed", reason, undefined))
    return sendForReview(touch, {
      reason,
      why: reason === "answer_in_another_language" ? reason : "message_not_written"
    })
  }

  /** Postpones the touch until the outage is over, and notifies the account once. */
  const deferForOutage = (touch: Touch) =>
    unit.write(
      Effect.gen(function* () {
        const { isNews } = yield* outages.failed(touch.accountId)
        const next = afterOutage(touch.leadId, yield* Clock.currentTimeMillis)
        yield* end(touch, "skipped", "language_model_unavailable", next)
        if (isNews) yield* notifications.tell({ kind: "language_model_unavailable" })
      })
    )

  return {
    askForReview,

    /** The cadence of an interested lead has ended, so the owner decides. */
    putBeforeOwner: (touch: Touch) => sendForReview(touch, { reason: "cadence_ended", why: "cadence_ended" }),

    modelFailed: (
      touch: Touch,
      facts: TouchFacts,
      failure: LanguageModelFailed,
      { attempt, isLast }: Attempt
    ): Effect.Effect<void, Transient, Caller> => {
      if (isOutage(failure) && (attempt > 1 || isLast)) return deferForOutage(touch)
      return isLast
        ? askForReview(touch, facts, `language_model_${failure.reason}`)
        : Effect.fail(transient("language_model_unavailable", "The language model gave no usable answer.", 30))
    }
  }
})
