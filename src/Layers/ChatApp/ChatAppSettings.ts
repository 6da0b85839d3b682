import { Config, type ConfigError, Context, Effect, Either, Layer, Option, type Redacted } from "effect"
import type { ChatAppPriceCategory, ChatAppPrices } from "../../Services/ChatApp/ChatApp.ts"
import { given, httpUrl, matching, secret, wrongSetting } from "../Platform/Environment.ts"

/** The operator's credentials at the provider. */
export interface ChatAppCredentials {
  readonly accessToken: Redacted.Redacted
  /** The secret of the operator's app, which signs the provider's webhooks. */
  readonly appSecret: Redacted.Redacted
  readonly appId: string
  /** The provider sends it to verify that the gateway controls the webhook route. */
  readonly verifyToken: Redacted.Redacted
  /** The numbers that are assigned to accounts: one to each, in this order. */
  readonly phoneNumberIds: ReadonlyArray<string>
  /** The sign-up that lets owners connect their own numbers. Without it, they cannot. */
  readonly signupConfigId: Option.Option<string>
}

export interface ChatAppSettingsShape {
  /** The credentials. Without them, the provider is simulated. */
  readonly credentials: Option.Option<ChatAppCredentials>
  /** The base URL without a trailing slash. */
  readonly apiUrl: string
  /** The page on which owners start the sign-up, without a trailing slash. */
  readonly dialogUrl: string
  readonly prices: ChatAppPrices
  readonly opening: { readonly template: string; readonly category: ChatAppPriceCategory }
}

export class ChatAppSettings extends Context.Tag("ChatAppSettings")<ChatAppSettings, ChatAppSettingsShape>() {}

const urlOr = (name: string, fallback: string) =>
  Config.map(
    httpUrl(name),
    Option.getOrElse(() => fallback)
  )

const price = (name: string, fallback: string) =>
  matching(name, /^\d{1,4}(?:\.\d{1,4})?$/, "a price in BRL such as 0.35, with at most four decimals").pipe(
    Config.withDefault(fallback)
  )

const ids = (text: string): ReadonlyArray<string> => [
  ...new Set(
    text
      .split(",")
      .map((id) => id.trim())
      .filter((id) => id !== "")
  )
]

const credentials = Config.all({
  accessToken: secret("CHATAPP_ACCESS_TOKEN"),
  appSecret: secret("CHATAPP_APP_SECRET"),
  appId: given("CHATAPP_APP_ID"),
  verifyToken: secret("CHATAPP_VERIFY_TOKEN"),
  phoneNumberIds: matching(
    "CHATAPP_PHONE_NUMBER_IDS",
    /^[\d\s,]*$/,
    "the provider's numeric ids of phone numbers, separated by commas"
  ).pipe(Config.map(ids), Config.withDefault([])),
  signupConfigId: given("CHATAPP_SIGNUP_CONFIG_ID")
}).pipe(
  Config.mapOrFail(({ accessToken, appId, appSecret, verifyToken, ...rest }) => {
    const secrets = [accessToken, appSecret, verifyToken]
    if (Option.isNone(appId) && secrets.every(Option.isNone)) return Either.right(Option.none<ChatAppCredentials>())
    return Option.match(Option.all({ accessToken, appId, appSecret, verifyToken }), {
      onNone: () =>
        Either.left(
          wrongSetting(
            "CHATAPP_ACCESS_TOKEN",
            "CHATAPP_ACCESS_TOKEN, CHATAPP_APP_SECRET, CHATAPP_APP_ID and CHATAPP_VERIFY_TOKEN belong together: set all four, or none for the sandbox"
          )
        ),
      onSome: (all) => Either.right(Option.some<ChatAppCredentials>({ ...all, ...rest }))
    })
  })
)

const config = Config.all({
  credentials,
  apiUrl: urlOr("CHATAPP_API_URL", "https://graph.facebook.com/v23.0"),
  dialogUrl: urlOr("CHATAPP_SIGNUP_URL", "https://www.facebook.com/v23.0/dialog/oauth"),
  prices: Config.all({
    marketing: price("CHATAPP_PRICE_MARKETING_BRL", "0.35"),
    utility: price("CHATAPP_PRICE_UTILITY_BRL", "0.04"),
    authentication: price("CHATAPP_PRICE_AUTHENTICATION_BRL", "0.04"),
    service: price("CHATAPP_PRICE_SERVICE_BRL", "0")
  }),
  opening: Config.all({
    template: matching(
      "CHATAPP_OPENING_TEMPLATE",
      /^[a-z0-9_]{1,512}$/,
      "the name of a template: lower-case letters, digits and _"
    ).pipe(Config.withDefault("prospecting_opening")),
    category: Config.literal(
      "marketing",
      "utility"
    )("CHATAPP_OPENING_CATEGORY").pipe(Config.withDefault("marketing" as const))
  })
})

/** Reads and checks the messaging-app settings. An error names the setting and what is wrong with it. */
export const loadChatAppSettings: Effect.Effect<ChatAppSettingsShape, ConfigError.ConfigError> = Effect.map(
  config,
  (settings) => settings
)

export const ChatAppSettingsLive = Layer.effect(ChatAppSettings, loadChatAppSettings)
