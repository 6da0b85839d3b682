import { Effect, Layer, Option } from "effect"
import { ChatApp } from "../../Services/ChatApp/ChatApp.ts"
import { ChatAppSettings } from "./ChatAppSettings.ts"
import { makeLiveChatApp } from "./Live.ts"
import { makeSandboxChatApp } from "./Sandbox.ts"

/** The provider that the settings have credentials for; the sandbox where they have none. */
export const ChatAppConfigured = Layer.effect(
  ChatApp,
  Effect.gen(function* () {
    const settings = yield* ChatAppSettings
    return Option.isSome(settings.credentials)
      ? yield* makeLiveChatApp(settings, settings.credentials.value)
      : yield* makeSandboxChatApp(settings)
  })
)
