import { Config, type ConfigError, Context, Effect, Either, Layer, Option, Redacted } from "effect"
import type { ServiceMode } from "../../Services/Core/Outside/IntegrationModes.ts"
import { given, httpUrl, secret, wrongSetting } from "../Platform/Environment.ts"

export interface CalendarSettingsShape {
  /** Live if the operator has a client at the provider. */
  readonly mode: ServiceMode
  /** False if the operator has no client at Google. */
  readonly isGoogleOffered: boolean
  readonly client: { readonly id: string; readonly secret: Redacted.Redacted }
  readonly microsoft: {
    /** False if the operator has no client at Microsoft. */
    readonly isOffered: boolean
    readonly client: { readonly id: string; readonly secret: Redacted.Redacted }
    /** The base URLs, without trailing slashes. */
    readonly apiUrl: string
    readonly loginUrl: string
  }
  /** The base URLs, without trailing slashes. */
  readonly apiUrl: string
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly revokeUrl: string
}

export class CalendarSettings extends Context.Tag("CalendarSettings")<CalendarSettings, CalendarSettingsShape>() {}

const urlOr = (name: string, fallback: string) =>
  Config.map(
    httpUrl(name),
    Option.getOrElse(() => fallback)
  )

const sandboxClient = { id: "sandbox", secret: Redacted.make("sandbox") }

const config = Config.all({
  mode: Config.literal("sandbox", "live")("CALENDAR_MODE").pipe(Config.withDefault("sandbox" as const)),
  id: given("CALENDAR_CLIENT_ID"),
  secret: secret("CALENDAR_CLIENT_SECRET"),
  apiUrl: urlOr("CALENDAR_API_URL", "https://www.googleapis.com/calendar/v3"),
  authorizeUrl: urlOr("CALENDAR_AUTHORIZE_URL", "https://accounts.google.com/o/oauth2/v2/auth"),
  tokenUrl: urlOr("CALENDAR_TOKEN_URL", "https://oauth2.googleapis.com/token"),
  revokeUrl: urlOr("CALENDAR_REVOKE_URL", "https://oauth2.googleapis.com/revoke"),
  microsoftId: given("CALENDAR_MICROSOFT_CLIENT_ID"),
  microsoftSecret: secret("CALENDAR_MICROSOFT_CLIENT_SECRET"),
  microsoftApiUrl: urlOr("CALENDAR_MICROSOFT_API_URL", "https://graph.microsoft.com/v1.0"),
  microsoftLoginUrl: urlOr("CALENDAR_MICROSOFT_LOGIN_URL", "https://login.microsoftonline.com/common/oauth2/v2.0")
}).pipe(
  Config.mapOrFail(
    ({ id, microsoftApiUrl, microsoftId, microsoftLoginUrl, microsoftSecret, mode, secret: clientSecret, ...urls }) => {
      const google = Option.all({ id, secret: clientSecret })
      const microsoft = Option.all({ id: microsoftId, secret: microsoftSecret })
      return mode === "live" && Option.isNone(google) && Option.isNone(microsoft)
        ? Either.left(
            wrongSetting(
              "CALENDAR_MODE",
              "live needs CALENDAR_CLIENT_ID and CALENDAR_CLIENT_SECRET of a client at Google, or CALENDAR_MICROSOFT_CLIENT_ID and CALENDAR_MICROSOFT_CLIENT_SECRET of one at Microsoft"
            )
          )
        : Either.right({
            mode,
            isGoogleOffered: mode === "sandbox" || Option.isSome(google),
            client: Option.getOrElse(google, () => sandboxClient),
            microsoft: {
              isOffered: mode === "sandbox" || Option.isSome(microsoft),
              client: Option.getOrElse(microsoft, () => sandboxClient),
              apiUrl: microsoftApiUrl,
              loginUrl: microsoftLoginUrl
            },
            ...urls
          })
    }
  )
)

/** Reads and checks the calendar settings. An error names the setting and what is wrong with it. */
export const loadCalendarSettings: Effect.Effect<CalendarSettingsShape, ConfigError.ConfigError> = Effect.map(
  config,
  (settings) => settings
)

export const CalendarSettingsLive = Layer.effect(CalendarSettings, loadCalendarSettings)
