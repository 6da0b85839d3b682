import { Config, type ConfigError, Context, Effect, Layer, Option, Redacted } from "effect"
import type { ServiceMode } from "../../Services/Core/Outside/IntegrationModes.ts"
import { checked, given, httpUrl, integerBetween, matching, secret, wrongSetting } from "../Platform/Environment.ts"

/** The operator's access to the ads platform. Campaigns of all accounts run under its manager account. */
export interface AdsCredentials {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly refreshToken: Redacted.Redacted
  /** The id of the manager account, as digits. */
  readonly managerId: string
}

export interface AdsSettingsShape {
  readonly mode: ServiceMode
  /** The credentials. None in the sandbox. */
  readonly credentials: Option.Option<AdsCredentials>
  /** An optional token. It is sent if it is set, but the platform does not require it. */
  readonly developerToken: Option.Option<Redacted.Redacted>
  /** The base URLs, without a trailing slash. */
  readonly apiUrl: string
  readonly dataManagerUrl: string
  readonly tokenUrl: string
  readonly timeZone: string
  /** The platform's ids of the places and languages where campaigns run. */
  readonly geoTargets: ReadonlyArray<string>
  readonly languages: ReadonlyArray<string>
  /** Whether the operator declares that its accounts' campaigns are not political advertising in the EU. */
  readonly declaresNoEuPolitics: boolean
  readonly audience: {
    readonly uploads: "data_manager" | "offline_jobs"
    readonly adUserData: "CONSENT_GRANTED" | "CONSENT_DENIED" | "CONSENT_STATUS_UNSPECIFIED"
    readonly adPersonalization: "CONSENT_GRANTED" | "CONSENT_DENIED" | "CONSENT_STATUS_UNSPECIFIED"
  }
  readonly dailyOperations: number
  /** The secret that signs payment notices. Without it, none is accepted. */
  readonly paymentSecret: Option.Option<Redacted.Redacted>
  /**
   * The address to which the recharge page sends people to pay. `{reference}` in it is replaced by the campaign's
   * reference.
   */
  readonly paymentUrl: Option.Option<string>
}

export class AdsSettings extends Context.Tag("AdsSettings")<AdsSettings, AdsSettingsShape>() {}

const consent = (name: string) =>
  Config.literal(
    "granted",
    "denied",
    "unspecified"
  )(name).pipe(
    Config.withDefault("unspecified" as const),
    Config.map((value) =>
      value === "granted"
        ? ("CONSENT_GRANTED" as const)
        : value === "denied"
          ? ("CONSENT_DENIED" as const)
          : ("CONSENT_STATUS_UNSPECIFIED" as const)
    )
  )

const urlOr = (name: string, fallback: string) =>
  Config.map(
    httpUrl(name),
    Option.getOrElse(() => fallback)
  )

const ids = (name: string, fallback: string) =>
  matching(name, /^\d{1,10}(?:,\d{1,10}){0,49}$/, "numbers of the ads platform, with commas between").pipe(
    Config.withDefault(fallback),
    Config.map((text) => text.split(","))
  )

const isZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone })
    return true
  } catch {
    return false
  }
}

const digits = (text: string): string => text.replaceAll("-", "")

const config = Config.all({
  mode: Config.literal("sandbox", "live")("ADS_MODE").pipe(Config.withDefault("sandbox" as const)),
  clientId: given("ADS_CLIENT_ID"),
  clientSecret: secret("ADS_CLIENT_SECRET"),
  refreshToken: secret("ADS_REFRESH_TOKEN"),
  managerId: checked(
    "ADS_MANAGER_ID",
    given("ADS_MANAGER_ID"),
    "the manager account's number",
    Option.match({ onNone: () => true, onSome: (text) => /^[\d-]{3,20}$/.test(text) })
  ),
  developerToken: secret("ADS_DEVELOPER_TOKEN"),
  apiUrl: urlOr("ADS_API_URL", "https://googleads.googleapis.com"),
  dataManagerUrl: urlOr("ADS_DATA_MANAGER_URL", "https://datamanager.googleapis.com"),
  tokenUrl: urlOr("ADS_TOKEN_URL", "https://oauth2.googleapis.com/token"),
  timeZone: checked(
    "ADS_TIME_ZONE",
    Config.string("ADS_TIME_ZONE").pipe(Config.withDefault("America/Sao_Paulo")),
    "a time zone such as America/Sao_Paulo",
    isZone
  ),
  geoTargets: ids("ADS_GEO_TARGETS", "2076"),
  languages: ids("ADS_LANGUAGES", "1014"),
  declaresNoEuPolitics: Config.boolean("ADS_NO_EU_POLITICAL_ADVERTISING").pipe(Config.withDefault(false)),
  uploads: Config.literal(
    "data_manager",
    "offline_jobs"
  )("ADS_AUDIENCE_UPLOADS").pipe(Config.withDefault("data_manager" as const)),
  adUserData: consent("ADS_CONSENT_USER_DATA"),
  adPersonalization: consent("ADS_CONSENT_PERSONALIZATION"),
  dailyOperations: integerBetween("ADS_DAILY_OPERATIONS", 100, 10_000_000).pipe(Config.withDefault(15_000)),
  paymentSecret: secret("ADS_PAYMENT_SECRET"),
  paymentUrl: httpUrl("ADS_PAYMENT_URL")
})

export const loadAdsSettings: Effect.Effect<AdsSettingsShape, ConfigError.ConfigError> = Effect.flatMap(
  config,
  ({ adPersonalization, adUserData, clientId, clientSecret, managerId, refreshToken, uploads, ...rest }) => {
    const all = Option.all({ clientId, clientSecret, refreshToken, managerId: Option.map(managerId, digits) })
    if (rest.mode === "live" && Option.isNone(all)) {
      return Effect.fail(
        wrongSetting("ADS_MODE", "live needs ADS_CLIENT_ID, ADS_CLIENT_SECRET, ADS_REFRESH_TOKEN and ADS_MANAGER_ID")
      )
    }
    const secretText = Option.map(rest.paymentSecret, Redacted.value)
    if (Option.isSome(secretText) && !/^whsec_[A-Za-z0-9+/=]{32,200}$/.test(secretText.value)) {
      return Effect.fail(wrongSetting("ADS_PAYMENT_SECRET", "Expected whsec_ and a key of at least 24 bytes in Base64"))
    }
    return Effect.succeed({
      ...rest,
      // Sandbox campaigns do not run, so no declaration is needed.
      declaresNoEuPolitics: rest.declaresNoEuPolitics || rest.mode === "sandbox",
      credentials: rest.mode === "live" ? all : Option.none(),
      audience: { uploads, adUserData, adPersonalization }
    })
  }
)

export const AdsSettingsLive = Layer.effect(AdsSettings, loadAdsSettings)
