import { Duration, Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"
import { LeadId } from "../Leads/Ids.ts"
import { OutreachChannel } from "./Ids.ts"

/**
 * Sends the `email_message` row that stands `queued`. Handled by the mail layer. A server that is away or puts the
 * sender off is tried again for a day and a half; one that is slow to answer is waited for.
 */
export const sendEmail = Task.make("send_email", {
  sends: "email",
  payload: Schema.Struct({ accountId: AccountId, emailMessageId: Schema.Int }),
  maxAttempts: 14,
  timeout: "3 minutes"
})

/** The same for an answer, and for what a person wrote: it does not queue behind outreach. */
export const sendUrgentEmail = Task.make("send_urgent_email", {
  sends: "email",
  payload: Schema.Struct({ accountId: AccountId, emailMessageId: Schema.Int }),
  pool: "urgent",
  maxAttempts: 14,
  timeout: "3 minutes"
})

/** Sends the `chatapp_message` row that stands `queued`. Handled by the messaging-app layer. */
export const sendChatAppMessage = Task.make("send_chatapp_message", {
  sends: "chatapp_message",
  payload: Schema.Struct({ accountId: AccountId, chatAppMessageId: Schema.Int })
})

/** The same for an answer, and for what a person wrote. */
export const sendUrgentChatAppMessage = Task.make("send_urgent_chatapp_message", {
  sends: "chatapp_message",
  payload: Schema.Struct({ accountId: AccountId, chatAppMessageId: Schema.Int }),
  pool: "urgent"
})

/** The one waiting task of a message of the messaging app. */
export const chatAppSendKey = (accountId: AccountId, chatAppMessageId: number): string =>
  `chatapp_message/${accountId}/${chatAppMessageId}`

/** Dials the `voice_call` row that stands `queued`. Handled by the voice layer. */
export const placeVoiceCall = Task.make("place_voice_call", {
  sends: "voice_call",
  payload: Schema.Struct({ accountId: AccountId, voiceCallRequestId: Schema.Int })
})

/**
 * Reads what a lead wrote or said, once its row (`received`, or a completed call) is committed: classifies it and acts
 * on it. `messageId` is the id in the channel's own table. Handled by the prospecting engine.
 */
export const readReply = Task.make("read_reply", {
  payload: Schema.Struct({
    accountId: AccountId,
    leadId: LeadId,
    channel: OutreachChannel,
    messageId: Schema.Int
  }),
  pool: "urgent",
  // A model that is away for a day is waited for.
  maxAttempts: 400,
  retryDelay: (attempt) => Duration.seconds(Math.min(300, Math.exp(Math.min(attempt, 6))))
})
