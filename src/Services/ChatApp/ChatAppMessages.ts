import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import * as Task from "../Jobs/Task.ts"
import { LeadId, PipelineState } from "../Leads/Ids.ts"
import type { ChatAppHealth, ChatAppPriceCategory } from "./ChatApp.ts"
import type { CheckedAttachment } from "./ChatAppAttachment.ts"
import type { ChatAppQuality } from "./ChatAppModel.ts"
import type { ProviderState } from "./ChatAppRules.ts"

export const ChatAppMessageId = Schema.Int.pipe(Schema.brand("ChatAppMessageId"))
export type ChatAppMessageId = typeof ChatAppMessageId.Type

export const SentToLead = Schema.Struct({
  lead_id: LeadId,
  delivery: Schema.Literal("sent_now", "parked").annotations({
    description:
      "sent_now: on its way as it was written. parked: kept with the lead, and delivered when it is contacted next."
  }),
  chatapp_message_id: Schema.NullOr(ChatAppMessageId).annotations({ description: "Null while the message is parked." }),
  attachment_message_id: Schema.NullOr(ChatAppMessageId).annotations({
    description: "The attachment is a message of its own, sent after the text."
  }),
  window_open_until: Schema.NullOr(Timestamp).annotations({
    description: "Until when free messages to the lead are possible; null when it has not written in the last 24 hours."
  }),
  pipeline_state: PipelineState,
  next_touch_at: Schema.NullOr(Timestamp),
  next_touch_instructions: Schema.NullOr(Schema.String)
})
export type SentToLead = typeof SentToLead.Type

/** The owner's messages to leads on the messaging app. */
export class ChatAppMessages extends Context.Tag("ChatAppMessages")<
  ChatAppMessages,
  {
    /**
     * A lead in the pipeline gets the message at its next touch. A lead that the owner controls gets it now, if its
     * service window is open. Call it in a transaction.
     */
    readonly sendToLead: (
      leadId: LeadId,
      message: { readonly text: string; readonly attachment: CheckedAttachment | undefined }
    ) => Effect.Effect<SentToLead, NotFound | Refused | Transient, Caller>
  }
>() {}

/** Sends queued messages. */
export class ChatAppOutbox extends Context.Tag("ChatAppOutbox")<
  ChatAppOutbox,
  {
    /**
     * One attempt to send a queued message. Fails with `Transient` if it should be retried, unless it is the last
     * attempt. The message is sent at most once, however many attempts run at once or after a crash.
     */
    readonly deliver: (
      message: { readonly accountId: AccountId; readonly chatAppMessageId: number },
      attempt: { readonly isLast: boolean }
    ) => Effect.Effect<void, Transient>
  }
>() {}

/** A message that a person sent to a line. Its texts are bounded but untrusted. */
export interface ReceivedMessage {
  readonly _tag: "Received"
  readonly lineId: string
  /** Digits without a plus. Undefined if the person hides the number, and then there is a `userId`. */
  readonly waId: string | undefined
  /** The provider's identifier of the person. */
  readonly userId: string | undefined
  readonly providerMessageId: string
  /** Unix seconds, from the provider. */
  readonly timestamp: number | undefined
  readonly body: string
  readonly media: { readonly id: string; readonly type: string; readonly fileName: string | undefined } | undefined
  /** The provider's id of the message that it answers. */
  readonly replyTo: string | undefined
}

/** A report on a message that the gateway sent. */
export interface MessageStateReport {
  readonly _tag: "State"
  readonly lineId: string
  readonly providerMessageId: string
  readonly reference: string | undefined
  readonly state: ProviderState
  readonly timestamp: number | undefined
  readonly pricing: { readonly isBillable: boolean; readonly category: ChatAppPriceCategory } | undefined
  /** Only for a failure. `reason` is in snake_case. */
  readonly failure: { readonly reason: string; readonly isUnreachable: boolean } | undefined
  /** The provider's identifier of the recipient. */
  readonly userId: string | undefined
}

/** A person allowed or stopped a business's marketing messages. */
export interface MarketingPreferenceReport {
  readonly _tag: "Preference"
  readonly lineId: string
  readonly waId: string | undefined
  readonly userId: string | undefined
  readonly isStopped: boolean
  /** Unix seconds. */
  readonly timestamp: number | undefined
}

/** News about the provider's account that lines belong to: its templates, its quality, its restrictions. */
export interface LineReport {
  readonly _tag: "LineReport"
  readonly providerAccountId: string
  /** The number concerned, digits only. Undefined for all numbers of the provider's account. */
  readonly phone: string | undefined
  /** The template concerned. */
  readonly template: string | undefined
  /** Null if the problem is over. */
  readonly health: ChatAppHealth | null
  readonly quality: ChatAppQuality | undefined
}

export type ChatAppEvent = ReceivedMessage | MessageStateReport | MarketingPreferenceReport | LineReport

/** Receives events from the provider. */
export class ChatAppInbox extends Context.Tag("ChatAppInbox")<
  ChatAppInbox,
  {
    /** Processes each event in a separate transaction. An event that was already processed changes nothing. */
    readonly take: (events: ReadonlyArray<ChatAppEvent>) => Effect.Effect<void, Transient>
    /**
     * Stores the file of a received message. If the file is already stored or unavailable, or the last attempt fails,
     * this succeeds without it.
     */
    readonly fetchMedia: (
      message: { readonly accountId: AccountId; readonly chatAppMessageId: number },
      attempt: { readonly isLast: boolean }
    ) => Effect.Effect<void, Transient>
  }
>() {}

/** Fetches the file of a received message from the provider. */
export const fetchChatAppMedia = Task.make("fetch_chatapp_media", {
  payload: Schema.Struct({ accountId: AccountId, chatAppMessageId: Schema.Int }),
  timeout: "5 minutes",
  maxAttempts: 10
})
