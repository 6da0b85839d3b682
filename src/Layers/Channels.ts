import { Effect, Layer } from "effect"
import { ChatApp } from "../Services/ChatApp/ChatApp.ts"
import { IntegrationModes } from "../Services/Core/IntegrationModes.ts"
import { Mail } from "../Services/Mail/Mail.ts"
import { LanguageModel } from "../Services/Models/LanguageModel.ts"
import { Voice } from "../Services/Voice/Voice.ts"
import { ChatAppConfigured } from "./ChatApp/ChatAppConfigured.ts"
import { ChatAppInboxPostgres } from "./ChatApp/ChatAppInbox.ts"
import { ChatAppLinesPostgres } from "./ChatApp/ChatAppLinesPostgres.ts"
import { ChatAppMessagesPostgres } from "./ChatApp/ChatAppMessagesPostgres.ts"
import { ChatAppOutboxPostgres } from "./ChatApp/ChatAppOutbox.ts"
import { ChatAppSettingsLive } from "./ChatApp/ChatAppSettings.ts"
import { chatAppSandboxEndpoints } from "./ChatApp/SandboxEndpoints.ts"
import { ChatAppSandboxLive } from "./ChatApp/SandboxInbound.ts"
import { chatAppSignupEndpoints } from "./ChatApp/SignupEndpoints.ts"
import { chatAppWebhook } from "./ChatApp/WebhookEndpoint.ts"
import { MailServices, mailEndpoints } from "./Mail/MailLayers.ts"
import { MailSettingsLive } from "./Mail/MailSettings.ts"
import { VoiceCallsPostgres } from "./Voice/VoiceCallsPostgres.ts"
import { VoiceConfigured } from "./Voice/VoiceConfigured.ts"
import { voiceEndpoints } from "./Voice/VoiceEndpoints.ts"

const MailChannel = MailServices.pipe(Layer.provideMerge(MailSettingsLive))

const ChatAppChannel = ChatAppSandboxLive.pipe(
  Layer.provideMerge(
    Layer.mergeAll(ChatAppInboxPostgres, ChatAppLinesPostgres, ChatAppMessagesPostgres, ChatAppOutboxPostgres)
  ),
  Layer.provideMerge(ChatAppConfigured),
  Layer.provideMerge(ChatAppSettingsLive)
)

const VoiceChannel = Layer.merge(VoiceCallsPostgres, VoiceConfigured)

/** Which of the outside services are the real ones. */
const IntegrationModesLive = Layer.effect(
  IntegrationModes,
  Effect.gen(function* () {
    const { mode: mail } = yield* Mail
    const { mode: chatapp } = yield* ChatApp
    const { mode: voice } = yield* Voice
    const { mode: language_model } = yield* LanguageModel
    return { mail, chatapp, voice, language_model }
  })
)

/** The ways to reach leads: each is the real provider where the environment has credentials for one. */
export const Channels = IntegrationModesLive.pipe(
  Layer.provideMerge(Layer.mergeAll(MailChannel, ChatAppChannel, VoiceChannel))
)

/** What providers and people call from outside: notices, replies, unsubscriptions, and the developer's sandboxes. */
export const channelEndpoints = Effect.gen(function* () {
  return [
    ...(yield* mailEndpoints),
    yield* chatAppWebhook,
    ...(yield* chatAppSignupEndpoints),
    ...(yield* chatAppSandboxEndpoints),
    ...(yield* voiceEndpoints)
  ]
})
