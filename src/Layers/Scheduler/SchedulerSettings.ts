import { Config, type ConfigError, Context, Effect, Layer, Option, Redacted } from "effect"
import type { ServiceMode } from "../../Services/Core/Outside/IntegrationModes.ts"
import { given, httpUrl, secret, wrongSetting } from "../Platform/Environment.ts"

export interface SchedulerSettingsShape {
  readonly mode: ServiceMode
  /** The base URL without a trailing slash. */
  readonly apiUrl: string
  readonly authorizationUrl: string
  readonly client: { readonly id: string; readonly secret: Redacted.Redacted }
  /** The key that signs the app's webhooks. None in the sandbox, where each simulated account has a separate key. */
  readonly signingKey: Redacted.Redacted | undefined
  readonly scopes: ReadonlyArray<string>
}

export class SchedulerSettings extends Context.Tag("SchedulerSettings")<SchedulerSettings, SchedulerSettingsShape>() {}

export const requiredScopes = [
  "users:read",
  "event_types:read",
  "scheduled_events:write",
  "scheduling_links:write",
  "webhooks:write"
]
export const simulatedApiUrl = "https://api.scheduler.sandbox.invalid"

const config = Config.all({
  mode: Config.literal("sandbox", "live")("SCHEDULER_MODE").pipe(Config.withDefault("sandbox" as const)),
  apiUrl: httpUrl("SCHEDULER_API_URL"),
  authorizationUrl: httpUrl("SCHEDULER_AUTH_URL"),
  clientId: given("SCHEDULER_CLIENT_ID"),
  clientSecret: secret("SCHEDULER_CLIENT_SECRET"),
  signingKey: secret("SCHEDULER_WEBHOOK_KEY"),
  scopes: given("SCHEDULER_SCOPES")
})

export const loadSchedulerSettings: Effect.Effect<SchedulerSettingsShape, ConfigError.ConfigError> = Effect.flatMap(
  config,
  ({ apiUrl, authorizationUrl, clientId, clientSecret, mode, scopes, signingKey }) => {
    const isLive = mode === "live"
    const missing = Object.entries({
      SCHEDULER_CLIENT_ID: Option.isNone(clientId),
      SCHEDULER_CLIENT_SECRET: Option.isNone(clientSecret),
      SCHEDULER_WEBHOOK_KEY: Option.isNone(signingKey)
    }).find(([, isMissing]) => isMissing)
    if (isLive && missing !== undefined) {
      return Effect.fail(wrongSetting(missing[0], "Expected where SCHEDULER_MODE is live"))
    }
    return Effect.succeed({
      mode,
      apiUrl: isLive ? Option.getOrElse(apiUrl, () => "https://api.calendly.com") : simulatedApiUrl,
      authorizationUrl: Option.getOrElse(authorizationUrl, () => "https://auth.calendly.com"),
      client: {
        id: Option.getOrElse(clientId, () => ""),
        secret: Option.getOrElse(clientSecret, () => Redacted.make(""))
      },
      signingKey: isLive ? Option.getOrUndefined(signingKey) : undefined,
      scopes: Option.match(scopes, { onNone: () => requiredScopes, onSome: (text) => text.split(/[\s,]+/) })
    })
  }
)

export const SchedulerSettingsLive = Layer.effect(SchedulerSettings, loadSchedulerSettings)
