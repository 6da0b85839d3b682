import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { TouchId } from "../Outreach/TouchLedger.ts"
import type { ChatAppMediaKind } from "./ChatApp.ts"
import type { ChatAppMessageId } from "./ChatAppMessages.ts"

/** The file of a message, at a public address. */
export interface QueuedMedia {
  readonly url: string
  readonly kind?: ChatAppMediaKind | undefined
  readonly fileName?: string | undefined
}

/** A message to a lead that is to be sent. */
export interface NewChatAppMessage {
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly touchId?: TouchId | null
  readonly messageType: string
  readonly phone: string | null
  readonly body: string
  readonly media?: QueuedMedia | undefined
  /** Sent as it stands, and only once the one that it follows has left. */
  readonly isVerbatim?: boolean
  readonly follows?: ChatAppMessageId | null | undefined
  /** Why it cannot be sent: it is written down as failed. */
  readonly failure?: string | undefined
}

/** Messages to leads that wait to be sent. Each call belongs in a transaction of the caller's, which holds the lead. */
export class ChatAppQueue extends Context.Tag("ChatAppQueue")<
  ChatAppQueue,
  {
    /**
     * Stores messages of different touches as `queued`, and returns their ids in the same order. The caller enqueues the
     * tasks that send them.
     */
    readonly add: (
      messages: ReadonlyArray<NewChatAppMessage>
    ) => Effect.Effect<ReadonlyArray<ChatAppMessageId>, Transient>
    /** Takes back what the owner wrote to a lead that is finished. */
    readonly cancelOwnersOwn: (accountId: AccountId, leadId: LeadId) => Effect.Effect<void, Transient>
    /** Takes back what the platform wrote before the lead answered, but for notices of meetings. */
    readonly cancelAnswered: (accountId: AccountId, leadId: LeadId) => Effect.Effect<void, Transient>
  }
>() {}
