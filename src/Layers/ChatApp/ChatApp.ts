import { Effect, Layer } from "effect"
import { ChatApp } from "../../Services/ChatApp/ChatApp.ts"
import { chatAppLineProvisioningJob } from "../../Services/ChatApp/ChatAppLines.ts"
import * as Room from "../Platform/Room.ts"
import { ChatAppConfigured } from "./ChatAppConfigured.ts"
import { ChatAppInboxPostgres } from "./ChatAppInbox.ts"
import { ChatAppLinesPostgres } from "./ChatAppLinesPostgres.ts"
import { ChatAppMessagesPostgres } from "./ChatAppMessagesPostgres.ts"
import { ChatAppNoticesPostgres } from "./ChatAppNoticesPostgres.ts"
import { ChatAppOutboxPostgres } from "./ChatAppOutbox.ts"
import { ChatAppQueuePostgres } from "./ChatAppQueuePostgres.ts"
import { ChatAppSettingsLive } from "./ChatAppSettings.ts"
import { ChatAppOpeningsPostgres } from "./ChatAppSpend.ts"
import { chatAppRecurring, chatAppTaskHandlers } from "./ChatAppTasks.ts"
import { chatAppMigration } from "./Migrations.ts"
import { chatAppFileReferences, chatAppPersonalData } from "./PersonalData.ts"
import { chatAppSandboxEndpoints } from "./SandboxEndpoints.ts"
import { ChatAppSandboxLive } from "./SandboxInbound.ts"
import { chatAppSignupEndpoints } from "./SignupEndpoints.ts"
import { chatAppWebhook } from "./WebhookEndpoint.ts"

const endpoints = Effect.gen(function* () {
  return [yield* chatAppWebhook, ...(yield* chatAppSignupEndpoints), ...(yield* chatAppSandboxEndpoints)]
})

/** The messaging app: lines, messages, and the provider's notices. */
export const ChatAppRoom = Room.make({
  migrations: [chatAppMigration],
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
  fileReferences: chatAppFileReferences
})
