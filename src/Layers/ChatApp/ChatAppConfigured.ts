import { Effect, Layer, Option } from "effect"
import { ChatApp } from "../../Services/ChatApp/ChatApp.ts"
import { stopsDryRun } from "../../Services/Core/DryRun.ts"
import { OutboundHttp } from "../../Services/Outbound/OutboundHttp.ts"
import { watchedHttp } from "../Platform/Outbound/WatchedHttp.ts"
import { ChatAppSettings } from "./ChatAppSettings.ts"
import { makeLiveChatApp } from "./Graph/GraphChatApp.ts"
import { makeSandboxChatApp } from "./sandbox/ChatAppSandbox.ts"

const service = "chatapp"

/** Nothing leaves in a dry run, also of the sandbox. */
const stoppingDryRuns = (chatApp: ChatApp["Type"]): ChatApp["Type"] => ({
  ...chatApp,
  send: stopsDryRun(service, chatApp.send),
  connectOwnNumber: stopsDryRun(service, chatApp.connectOwnNumber),
  activate: stopsDryRun(service, chatApp.activate),
  updateProfile: stopsDryRun(service, chatApp.updateProfile),
  setPicture: stopsDryRun(service, chatApp.setPicture)
})

/** The provider that the settings have credentials for; the sandbox where they have none. */
export const ChatAppConfigured = Layer.effect(
  ChatApp,
  Effect.gen(function* () {
    const settings = yield* ChatAppSettings
    return Option.isSome(settings.credentials)
      ? // An account may connect a line with a key of its own.
        yield* Effect.provideServiceEffect(
          makeLiveChatApp(settings, settings.credentials.value),
          OutboundHttp,
          watchedHttp(service, "account")
        )
      : yield* makeSandboxChatApp(settings)
  }).pipe(Effect.map(stoppingDryRuns))
)
