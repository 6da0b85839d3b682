import { Effect, Layer } from "effect"
import { ChatApp } from "../../Services/ChatApp/ChatApp.ts"
import { chatAppLineProvisioningJob } from "../../Services/ChatApp/ChatAppLines.ts"
import * as Room from "../Platform/Room.ts"
import { chatAppChecks } from "./ChatAppChecks.ts"
import { ChatAppConfigured } from "./ChatAppConfigured.ts"
import { ChatAppSettingsLive, loadChatAppSettings } from "./ChatAppSettings.ts"
import { chatAppRecurring, chatAppTaskHandlers } from "./ChatAppTasks.ts"
import { ChatAppLinesPostgres } from "./Lines/ChatAppLinesPostgres.ts"
import { chatAppSignupEndpoints } from "./Lines/SignupEndpoints.ts"
import { chatAppMigration, chatAppUserMigration } from "./Migrations.ts"
import { chatAppFileReferences, chatAppPersonalData } from "./PersonalData.ts"
import { ChatAppInboxPostgres } from "./Receiving/ChatAppInbox.ts"
import { chatAppWebhook } from "./Receiving/WebhookEndpoint.ts"
import { ChatAppMessagesPostgres } from "./Sending/ChatAppMessagesPostgres.ts"
import { ChatAppNoticesPostgres } from "./Sending/ChatAppNoticesPostgres.ts"
import { ChatAppOutboxPostgres } from "./Sending/ChatAppOutbox.ts"
import { ChatAppQueuePostgres } from "./Sending/ChatAppQueuePostgres.ts"
import { ChatAppOpeningsPostgres } from "./Sending/ChatAppSpend.ts"
import { chatAppSandboxEndpoints } from "./sandbox/ChatAppSandboxEndpoints.ts"
import { ChatAppSandboxLive } from "./sandbox/ChatAppSandboxInbound.ts"

const endpoints = Effect.gen(function* () {
  return [yield* chatAppWebhook, ...(yield* chatAppSignupEndpoints), ...(yield* chatAppSandboxEndpoints)]
})

/** The room of the messaging app: lines, messages, and webhooks of the provider. */
export const ChatAppRoom = Room.make({
  migrations: [chatAppMigration, chatAppUserMigration],
  early: ChatAppQueuePostgres,
  layer: ChatAppSandboxLive.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        ChatAppInboxPostgres,
        ChatAppLinesPostgres,
        ChatAppMessagesPostgres,
        ChatAppNoticesPostgres,
        ChatAppOpeningsPostgres,
        ChatAppOutboxPostgres
      )
    ),
    Layer.provideMerge(ChatAppConfigured),
    Layer.provideMerge(ChatAppSettingsLive)
  ),
  tasks: Effect.succeed(chatAppTaskHandlers),
  jobs: [chatAppLineProvisioningJob],
  recurring: chatAppRecurring,
  endpoints,
  modes: Effect.map(ChatApp, ({ mode }) => ({ chatapp: mode })),
  personalData: chatAppPersonalData,
  fileReferences: chatAppFileReferences,
  settings: [loadChatAppSettings],
  checks: chatAppChecks
})
