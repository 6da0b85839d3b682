import { Duration, Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"
import { LeadId } from "../Leads/Ids.ts"
import { OutreachChannel } from "./Ids.ts"

/**
 * Sends a queued `email_message`. The mail layer handles it. If the server is unavailable or defers the sender, it is
 * retried for a day and a half. A slow server is waited for.
 */
export const sendEmail = Task.make("send_email", {
  sends: "email",
  payload: Schema.Struct({ accountId: AccountId, emailMessageId: Schema.Int }),
  maxAttempts: 14,
  timeout: "3 minutes"
})

/** Like `sendEmail`, for answers and for messages that a person wrote. They do not wait behind outreach. */
export const sendUrgentEmail = Task.make("send_urgent_email", {
  sends: "email",
  payload: Schema.Struct({ accountId: AccountId, emailMessageId: Schema.Int }),
  pool: "urgent",
  maxAttempts: 14,
  timeout: "3 minutes"
})

/** Sends a queued `chatapp_message`. The messaging-app layer handles it. */
export const sendChatAppMessage = Task.make("send_chatapp_message", {
  sends: "chatapp_message",
  payload: Schema.Struct({ accountId: AccountId, chatAppMessageId: Schema.Int })
})

/** Like `sendChatAppMessage`, for answers and for messages that a person wrote. */
export const sendUrgentChatAppMessage = Task.make("send_urgent_chatapp_message", {
  sends: "chatapp_message",
  payload: Schema.Struct({ accountId: AccountId, chatAppMessageId: Schema.Int }),
  pool: "urgent"
})

/** The key of a messaging-app message's task, so that only one waits. */
export const chatAppSendKey = (accountId: AccountId, chatAppMessageId: number): string =>
  `chatapp_message/${accountId}/${chatAppMessageId}`

/** Dials a queued `voice_call`. The voice layer handles it. */
export const placeVoiceCall = Task.make("place_voice_call", {
  sends: "voice_call",
  payload: Schema.Struct({ accountId: AccountId, voiceCallRequestId: Schema.Int })
})

/**
 * Classifies a lead's message or call and acts on it, once its row (`received`, or a completed call) is committed.
 * `messageId` is the id in the channel's table. The prospecting engine handles it.
 */
export const readReply = Task.make("read_reply", {
  payload: Schema.Struct({
    accountId: AccountId,
    leadId: LeadId,
    channel: OutreachChannel,
    messageId: Schema.Int
  }),
  pool: "urgent",
  // Enough to wait a day for an unavailable model.
  maxAttempts: 400,
  retryDelay: (attempt) => Duration.seconds(Math.min(300, Math.exp(Math.min(attempt, 6))))
})
