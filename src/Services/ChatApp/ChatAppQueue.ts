import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { TouchId } from "../Outreach/TouchLedger.ts"
import type { ChatAppMediaKind } from "./ChatApp.ts"
import type { ChatAppMessageId } from "./ChatAppMessages.ts"

/** A message's file, at a public address. */
export interface QueuedMedia {
  readonly url: string
  readonly kind?: ChatAppMediaKind | undefined
  readonly fileName?: string | undefined
}

/** A message to a lead. */
export interface NewChatAppMessage {
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly touchId?: TouchId | null
  readonly messageType: string
  readonly phone: string | null
  readonly body: string
  readonly media?: QueuedMedia | undefined
  /** Sent unchanged, and only after the message that it follows. */
  readonly isVerbatim?: boolean
  readonly follows?: ChatAppMessageId | null | undefined
  /** Why it cannot be sent. It is then stored as failed. */
  readonly failure?: string | undefined
}

/** Messages to leads that wait to be sent. Call it in a transaction that holds the lead. */
export class ChatAppQueue extends Context.Tag("ChatAppQueue")<
  ChatAppQueue,
  {
    /**
     * Stores messages of different touches as `queued`, and returns their ids in the same order. The caller enqueues
     * the tasks that send them.
     */
    readonly add: (
      messages: ReadonlyArray<NewChatAppMessage>
    ) => Effect.Effect<ReadonlyArray<ChatAppMessageId>, Transient>
    /** Cancels the owner's messages to a lead that has left the pipeline. */
    readonly cancelOwnersOwn: (accountId: AccountId, leadId: LeadId) => Effect.Effect<void, Transient>
    /** Cancels the platform's messages that became outdated when the lead replied, except meeting notices. */
    readonly cancelAnswered: (accountId: AccountId, leadId: LeadId) => Effect.Effect<void, Transient>
  }
>() {}
