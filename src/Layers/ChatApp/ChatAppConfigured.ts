import { Effect, Layer, Option } from "effect"
import { ChatApp } from "../../Services/ChatApp/ChatApp.ts"
import { stopsDryRun } from "../../Services/Core/Calls/DryRun.ts"
import { OutboundHttp } from "../../Services/Outbound/OutboundHttp.ts"
import { watchedHttp } from "../Platform/Outbound/WatchedHttp.ts"
import { ChatAppSettings } from "./ChatAppSettings.ts"
import { makeLiveChatApp } from "./Graph/GraphChatApp.ts"
import { makeSandboxChatApp } from "./sandbox/ChatAppSandbox.ts"

const service = "chatapp"

/** Returns a provider that sends nothing in a dry run, not even in the sandbox. */
const stoppingDryRuns = (chatApp: ChatApp["Type"]): ChatApp["Type"] => ({
  ...chatApp,
  send: stopsDryRun(service, chatApp.send),
  connectOwnNumber: stopsDryRun(service, chatApp.connectOwnNumber),
  activate: stopsDryRun(service, chatApp.activate),
  updateProfile: stopsDryRun(service, chatApp.updateProfile),
  setPicture: stopsDryRun(service, chatApp.setPicture)
})

/** Provides the real provider if its credentials are configured, or else the sandbox. */
export const ChatAppConfigured = Layer.effect(
  ChatApp,
  Effect.gen(function* () {
    const settings = yield* ChatAppSettings
    return Option.isSome(settings.credentials)
      ? // An account may connect a line with its own key.
        yield* Effect.provideServiceEffect(
          makeLiveChatApp(settings, settings.credentials.value),
          OutboundHttp,
          watchedHttp(service, "account")
        )
      : yield* makeSandboxChatApp(settings)
  }).pipe(Effect.map(stoppingDryRuns))
)
