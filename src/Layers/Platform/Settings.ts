import { Config, type ConfigError, Context, Effect, Either, Layer, LogLevel, Option, Redacted } from "effect"
import type { ToolCallLimits } from "../../Services/Accounts/CallLimit.ts"
import { parsedUrl } from "../../Services/Core/Outside/ParsedUrl.ts"
import { normaliseDomain } from "../../Services/Text/ContactDetails.ts"
import { isOnSeparateDomain, isSiteDomain } from "../../Services/Text/Web/SiteHost.ts"
import { checked, httpUrl, integerBetween, numberBetween, secret, wrongSetting } from "./Environment.ts"
import { isNetworkList, type TrustedProxies, trustedProxies } from "./Http/ClientAddress.ts"

/** All settings of the environment that the platform uses. */
export interface SettingsShape {
  readonly host: string
  readonly port: number
  /** The number of processes that share the port. `auto` means one for each processor. */
  readonly workers: number | "auto"
  /** The separate address of `/metrics` and the details of `/health/ready`, if there is one. */
  readonly operations: { readonly host: string; readonly port: number } | undefined
  /** The token that the pages at that address require. */
  readonly operationsToken: Option.Option<Redacted.Redacted>
  /** The address under which callers reach the gateway, without a trailing slash. */
  readonly baseUrl: string
  readonly dataDir: string
  /** If unset, the gateway runs a private database server in `dataDir`. */
  readonly databaseUrl: Option.Option<Redacted.Redacted>
  readonly replicaUrl: Option.Option<Redacted.Redacted>
  /** The longest accepted lag of the replica, in seconds. */
  readonly replicaLag: number
  /** The number of sessions in each of the two pools (reading and writing). */
  readonly poolSize: number
  readonly jobConcurrency: number
  /** The size limit of a request's body, in bytes. */
  readonly bodyLimit: number
  /** The limit of all bodies in memory at a time, in bytes. One account may use a quarter. */
  readonly bodyBufferLimit: number
  /** The size limit of one uploaded file, in bytes. */
  readonly uploadLimit: number
  /** The size limit of all files of one account, in bytes. */
  readonly accountStorageLimit: number
  readonly rateLimits: ToolCallLimits
  /**
   * Seconds for which a stopping gateway still answers but reports that it is not ready, so that proxies stop sending
   * requests.
   */
  readonly stopDelay: number
  /** The domain of the platform's mail addresses. */
  readonly mailDomain: string
  /** Accounts' sites are served under `name.siteDomain`. The domain is in lower case. */
  readonly siteDomain: string
  /** The proxies whose forwarded client addresses are trusted. */
  readonly trustedProxies: TrustedProxies
  /** For development: webhooks and downloads may reach this machine. */
  readonly outboundAllowLoopback: boolean
  readonly logLevel: LogLevel.LogLevel
  readonly otlpEndpoint: Option.Option<string>
  /** The share of requests that are traced, from 0 to 1. */
  readonly traceSampleRatio: number
}

export class Settings extends Context.Tag("Settings")<Settings, SettingsShape>() {}

const whole = (name: string, minimum: number, maximum: number, fallback: number) =>
  Config.withDefault(integerBetween(name, minimum, maximum), fallback)

/** A limit of calls per minute. */
const limit = (name: string) => Config.map(Config.option(integerBetween(name, 1, 1_000_000_000)), Option.getOrUndefined)

const databaseUrl = (name: string) =>
  checked(name, Config.redacted(name), "postgres://user:password@host:port/database", (url) =>
    /^postgres(?:ql)?:\/\/\S+$/.test(Redacted.value(url))
  )

const mostWorkers = 64

const workers = checked(
  "WORKERS",
  Config.map(Config.nonEmptyString("WORKERS"), (text) => text.trim().toLowerCase()),
  "auto, or a whole number from 1 to 64",
  (text) => text === "auto" || (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= mostWorkers)
).pipe(
  Config.withDefault("1"),
  Config.map((text): SettingsShape["workers"] => (text === "auto" ? text : Number(text)))
)

const config = Config.all({
  host: Config.nonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: whole("PORT", 0, 65_535, 8080),
  workers,
  operationsHost: Config.nonEmptyString("OPERATIONS_HOST").pipe(Config.withDefault("127.0.0.1")),
  operationsPort: Config.option(integerBetween("OPERATIONS_PORT", 0, 65_535)),
  operationsToken: secret("OPERATIONS_TOKEN"),
  baseUrl: httpUrl("BASE_URL"),
  dataDir: Config.nonEmptyString("DATA_DIR").pipe(Config.withDefault(".data")),
  databaseUrl: Config.option(databaseUrl("DATABASE_URL")),
  replicaUrl: Config.option(databaseUrl("DATABASE_REPLICA_URL")),
  replicaLag: whole("DATABASE_REPLICA_LAG", 1, 3600, 5),
  poolSize: whole("DATABASE_POOL_SIZE", 2, 200, 10),
  jobConcurrency: whole("JOB_CONCURRENCY", 1, 100, 4),
  bodyLimit: whole("BODY_LIMIT", 1024, 256 * 1024 * 1024, 16 * 1024 * 1024),
  bodyBufferLimit: whole("BODY_BUFFER_LIMIT", 4096, 16 * 1024 * 1024 * 1024, 256 * 1024 * 1024),
  uploadLimit: whole("UPLOAD_LIMIT", 1024, 1024 * 1024 * 1024, 25 * 1024 * 1024),
  accountStorageLimit: whole("ACCOUNT_STORAGE_LIMIT", 1024, Number.MAX_SAFE_INTEGER, 20 * 1024 * 1024 * 1024),
  rateLimits: Config.all({ perToken: limit("RATE_LIMIT_TOKEN"), perAccount: limit("RATE_LIMIT_ACCOUNT") }),
  stopDelay: whole("STOP_DELAY_SECONDS", 0, 300, 0),
  mailDomain: checked(
    "MAIL_DOMAIN",
    Config.nonEmptyString("MAIL_DOMAIN"),
    "a domain name such as mail.company.com",
    (domain) => Either.isRight(normaliseDomain(domain))
  ).pipe(Config.withDefault("mail.example.com")),
  siteDomain: checked(
    "SITE_DOMAIN",
    Config.map(Config.nonEmptyString("SITE_DOMAIN"), (domain) => domain.trim().toLowerCase()),
    "a domain name such as sites.company.com",
    isSiteDomain
  ).pipe(Config.withDefault("sites.localhost")),
  trustedProxies: checked(
    "TRUSTED_PROXIES",
    Config.string("TRUSTED_PROXIES"),
    "addresses or networks separated by commas, such as 127.0.0.1,10.0.0.0/8",
    isNetworkList
  ).pipe(Config.withDefault(""), Config.map(trustedProxies)),
  outboundAllowLoopback: Config.boolean("OUTBOUND_ALLOW_LOOPBACK").pipe(Config.withDefault(false)),
  logLevel: Config.logLevel("LOG_LEVEL").pipe(Config.withDefault(LogLevel.Info)),
  otlpEndpoint: httpUrl("OTEL_EXPORTER_OTLP_ENDPOINT"),
  traceSampleRatio: Config.withDefault(numberBetween("TRACE_SAMPLE_RATIO", 0, 1), 1)
})

const notApart = wrongSetting(
  "SITE_DOMAIN",
  "Expected a domain that BASE_URL is not under, and that is not under BASE_URL: sites are of others, and could pass as the gateway"
)

/** Reads and checks all settings; the error says which one is wrong, and how. */
export const loadSettings: Effect.Effect<SettingsShape, ConfigError.ConfigError> = Effect.flatMap(
  config,
  ({ operationsHost, operationsPort, ...settings }) => {
    const baseUrl = Option.getOrElse(settings.baseUrl, () => `http://${settings.host}:${settings.port}`)
    if (parsedUrl(baseUrl) !== undefined && !isOnSeparateDomain(baseUrl, settings.siteDomain))
      return Effect.fail(notApart)
    return Effect.succeed({
      ...settings,
      operations: Option.isSome(operationsPort) ? { host: operationsHost, port: operationsPort.value } : undefined,
      baseUrl
    })
  }
)

export const SettingsLive = Layer.effect(Settings, loadSettings)
