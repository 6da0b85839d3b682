import { Context, type Effect, type Option, Schema } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { OutreachChannel } from "./Ids.ts"
import type { TouchId } from "./TouchLedger.ts"

/** The most important block: the lead's wish first, then the account's, then the pipeline's. */
export const SendBlock = Schema.Literal(
  "lead_not_found",
  "unsubscribed",
  "suppressed",
  "blacklisted",
  "no_contact",
  "paused",
  "not_started",
  "user_controlled",
  "pending_review",
  "finished",
  "campaign_paused",
  "account_prospecting_off",
  "meeting_cancelled",
  "meeting_over",
  "meeting_moved",
  "knowledge_changed",
  "review_decided"
)
export type SendBlock = typeof SendBlock.Type

const mayStayDue: ReadonlySet<string> = new Set([
  "account_prospecting_off",
  "campaign_paused",
  "paused",
  "knowledge_changed"
])

/**
 * Whether leads with this block stay due. The claim skips them, so they continue as soon as the block is lifted. The
 * block also applies if only the message must be written again. Leads with other blocks are checked again later.
 */
export const staysDue = (reason: string): boolean => mayStayDue.has(reason)

export interface GuardedMessage {
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly channel: OutreachChannel
  /**
   * Whether the platform sends on its own initiative. The owner's messages are also sent to leads that the owner
   * controls or paused, but never to unsubscribed or blacklisted ones.
   */
  readonly isAutonomous: boolean
  /**
   * The message's touch. A meeting notice is also sent to a lead that was handed over because of the meeting, even if
   * prospecting is off, as long as the meeting has not changed.
   */
  readonly touchId: TouchId | null
}

/**
 * The last check before messages are sent. It locks their leads, so run it in the transaction that marks the messages
 * as `sending`. A change that stops a lead is then either visible here, or waits until the send has begun.
 */
export class SendGuard extends Context.Tag("SendGuard")<
  SendGuard,
  {
    /** Returns why each message may not be sent, in their order. For several leads, lock the leads first. */
    readonly check: (
      messages: ReadonlyArray<GuardedMessage>
    ) => Effect.Effect<ReadonlyArray<Option.Option<SendBlock>>, Transient>
  }
>() {}
