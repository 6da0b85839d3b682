import { Effect, Option, Redacted } from "effect"
import { skipped } from "../../Services/Core/Outside/CheckResult.ts"
import type { Check } from "../Platform/Operators/Check.ts"
import { checkCredentials } from "../Platform/Outbound/ProviderCheck.ts"
import { loadChatAppSettings } from "./ChatAppSettings.ts"

/** Asks for the first number of the accounts, or for the user of the token if there are no numbers. */
const chatAppCheck = Effect.flatMap(loadChatAppSettings, ({ apiUrl, credentials }) =>
  Option.match(credentials, {
    onNone: () => Effect.succeed(skipped("CHATAPP_ACCESS_TOKEN is not set: the messaging app is simulated.")),
    onSome: ({ accessToken, phoneNumberIds: [first] }) =>
      checkCredentials({
        name: "chatapp",
        baseUrl: apiUrl,
        headers: { authorization: `Bearer ${Redacted.value(accessToken)}` },
        request: { method: "GET", path: `/${first ?? "me"}`, query: { fields: "id" } },
        setting: "CHATAPP_ACCESS_TOKEN",
        ...(first === undefined ? {} : { subject: "CHATAPP_PHONE_NUMBER_IDS" })
      })
  })
)

export const chatAppChecks: ReadonlyArray<Check> = [{ name: "chatapp", run: chatAppCheck }]
