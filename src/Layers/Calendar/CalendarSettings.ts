import { Config, type ConfigError, Context, Effect, Either, Layer, Option, Redacted } from "effect"
import type { ServiceMode } from "../../Services/Core/IntegrationModes.ts"
import { given, httpUrl, secret, wrongSetting } from "../Platform/Environment.ts"

export interface CalendarSettingsShape {
  /** Real where the operator has a client at the provider. */
  readonly mode: ServiceMode
  readonly client: { readonly id: string; readonly secret: Redacted.Redacted }
  /** Without a slash at their ends. */
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

const config = Config.all({
  mode: Config.literal("sandbox", "live")("CALENDAR_MODE").pipe(Config.withDefault("sandbox" as const)),
  id: given("CALENDAR_CLIENT_ID"),
  secret: secret("CALENDAR_CLIENT_SECRET"),
  apiUrl: urlOr("CALENDAR_API_URL", "https://www.googleapis.com/calendar/v3"),
  authorizeUrl: urlOr("CALENDAR_AUTHORIZE_URL", "https://accounts.google.com/o/oauth2/v2/auth"),
  tokenUrl: urlOr("CALENDAR_TOKEN_URL", "https://oauth2.googleapis.com/token"),
  revokeUrl: urlOr("CALENDAR_REVOKE_URL", "https://oauth2.googleapis.com/revoke")
}).pipe(
  Config.mapOrFail(({ id, mode, secret: given, ...urls }) =>
    mode === "live" && (Option.isNone(id) || Option.isNone(given))
      ? Either.left(
          wrongSetting(
            "CALENDAR_MODE",
            "live needs CALENDAR_CLIENT_ID and CALENDAR_CLIENT_SECRET of a client at the provider"
          )
        )
      : Either.right({
          mode,
          client: {
            id: Option.getOrElse(id, () => "sandbox"),
            secret: Option.getOrElse(given, () => Redacted.make("sandbox"))
          },
          ...urls
        })
  )
)

/** Reads the settings of calendars; the error says which one is wrong, and how. */
export const loadCalendarSettings: Effect.Effect<CalendarSettingsShape, ConfigError.ConfigError> = Effect.map(
  config,
  (settings) => settings
)

export const CalendarSettingsLive = Layer.effect(CalendarSettings, loadCalendarSettings)
