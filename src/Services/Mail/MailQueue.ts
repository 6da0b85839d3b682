import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { EmailMessageId } from "../Leads/Email/LeadEmail.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { TouchId } from "../Outreach/TouchLedger.ts"

/** An e-mail to a lead. */
export interface NewEmail {
  readonly accountId: AccountId
  readonly leadId: LeadId
  /** Null for a message that the owner wrote. */
  readonly touchId: TouchId | null
  readonly messageType: string
  /** The parts of the sender's address before and after the @. The Message-ID uses the same domain. */
  readonly handle: string
  readonly domain: string
  readonly toAddress: string | null
  readonly subject: string | null
  readonly body: string
  readonly inReplyTo: string | null
  /** Message-IDs of the conversation, the oldest first. */
  readonly references: ReadonlyArray<string>
  /** A calendar invitation in iCalendar format. */
  readonly invitation?: string | undefined
}

/** A stored message. */
export interface QueuedEmail {
  readonly id: EmailMessageId
  readonly messageId: string
  readonly toAddress: string
}

/** E-mails to leads that wait to be sent. Call it in a transaction that holds the lead. */
export class MailQueue extends Context.Tag("MailQueue")<
  MailQueue,
  {
    /**
     * Stores messages of different touches as `queued`, and returns them in the same order. The caller enqueues the
     * tasks that send them.
     */
    readonly add: (messages: ReadonlyArray<NewEmail>) => Effect.Effect<ReadonlyArray<QueuedEmail>, Transient>
    /** Cancels the owner's messages to a lead that has left the pipeline. */
    readonly cancelOwnersOwn: (accountId: AccountId, leadId: LeadId) => Effect.Effect<void, Transient>
    /** Cancels the platform's messages that became outdated when the lead replied, except meeting notices. */
    readonly cancelAnswered: (accountId: AccountId, leadId: LeadId) => Effect.Effect<void, Transient>
  }
>() {}
