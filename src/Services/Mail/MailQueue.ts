import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { EmailMessageId } from "../Leads/LeadEmail.ts"
import type { TouchId } from "../Outreach/TouchLedger.ts"

/** An e-mail to a lead that is to be sent. */
export interface NewEmail {
  readonly accountId: AccountId
  readonly leadId: LeadId
  /** Null for what the owner wrote. */
  readonly touchId: TouchId | null
  readonly messageType: string
  /** The sender's address before and behind the sign; the Message-ID is of the same domain. */
  readonly handle: string
  readonly domain: string
  readonly toAddress: string | null
  readonly subject: string | null
  readonly body: string
  readonly inReplyTo: string | null
  /** Message-IDs of the conversation, the oldest first. */
  readonly references: ReadonlyArray<string>
  /** An invitation that goes along, as calendar programs read it. */
  readonly invitation?: string | undefined
}

/** A message as it was stored. */
export interface QueuedEmail {
  readonly id: EmailMessageId
  readonly messageId: string
  readonly toAddress: string
}

/** E-mails to leads that wait to be sent. Each call belongs in a transaction of the caller's, which holds the lead. */
export class MailQueue extends Context.Tag("MailQueue")<
  MailQueue,
  {
    /**
     * Stores messages of different touches as `queued`, and returns them in the same order. The caller enqueues the tasks
     * that send them.
     */
    readonly add: (messages: ReadonlyArray<NewEmail>) => Effect.Effect<ReadonlyArray<QueuedEmail>, Transient>
    /** Takes back what the owner wrote to a lead that is finished. */
    readonly cancelOwnersOwn: (accountId: AccountId, leadId: LeadId) => Effect.Effect<void, Transient>
    /** Takes back what the platform wrote before the lead answered, but for notices of meetings. */
    readonly cancelAnswered: (accountId: AccountId, leadId: LeadId) => Effect.Effect<void, Transient>
  }
>() {}
