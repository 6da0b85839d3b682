import { Config, type ConfigError, Context, Effect, Either, Layer, LogLevel, Option, Redacted } from "effect"
import type { CallLimitOptions } from "../../Services/Accounts/CallLimit.ts"
import { normaliseDomain } from "../../Services/Text/ContactDetails.ts"
import { checked, httpUrl, integerBetween, numberBetween, secret } from "./Environment.ts"

/** Everything the gateway can be told by its environment. */
export interface SettingsShape {
  readonly host: string
  readonly port: number
  /** Where `/metrics` and the details of `/health/ready` are, if not beside everything else. */
  readonly operations: { readonly host: string; readonly port: number } | undefined
  /** What whoever asks for them has to know. */
  readonly operationsToken: Option.Option<Redacted.Redacted>
  /** Without a slash at its end; where callers reach the gateway. */
  readonly baseUrl: string
  readonly dataDir: string
  /** Unset: the gateway runs its own server under `dataDir`. */
  readonly databaseUrl: Option.Option<Redacted.Redacted>
  /** Sessions of each of the two pools (reading and writing). */
  readonly poolSize: number
  readonly jobConcurrency: number
  /** Bytes. */
  readonly bodyLimit: number
  /** Bytes of bodies that are held at a time; an account may hold a quarter. */
  readonly bodyBufferLimit: number
  /** Bytes of one uploaded file. */
  readonly uploadLimit: number
  /** Bytes of all files of one account. */
  readonly accountStorageLimit: number
  readonly rateLimits: CallLimitOptions
  /** What the platform's own mail addresses end in. */
  readonly mailDomain: string
  /** For development: webhooks and downloads may reach this machine. */
  readonly outboundAllowLoopback: boolean
  readonly logLevel: LogLevel.LogLevel
  readonly otlpEndpoint: Option.Option<string>
  /** 0 to 1: the share of requests that are traced. */
  readonly traceSampleRatio: number
}

export class Settings extends Context.Tag("Settings")<Settings, SettingsShape>() {}

const whole = (name: string, minimum: number, maximum: number, fallback: number) =>
  Config.withDefault(integerBetween(name, minimum, maximum), fallback)

/** Calls in a minute. */
const limit = (name: string) => Config.map(Config.option(integerBetween(name, 1, 1_000_000_000)), Option.getOrUndefined)

const databaseUrl = checked(
  "DATABASE_URL",
  Config.redacted("DATABASE_URL"),
  "postgres://user:password@host:port/database",
  (url) => /^postgres(?:ql)?:\/\/\S+$/.test(Redacted.value(url))
)

const config = Config.all({
  host: Config.nonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: whole("PORT", 0, 65_535, 8080),
  operationsHost: Config.nonEmptyString("OPERATIONS_HOST").pipe(Config.withDefault("127.0.0.1")),
  operationsPort: Config.option(integerBetween("OPERATIONS_PORT", 0, 65_535)),
  operationsToken: secret("OPERATIONS_TOKEN"),
  baseUrl: httpUrl("BASE_URL"),
  dataDir: Config.nonEmptyString("DATA_DIR").pipe(Config.withDefault(".data")),
  databaseUrl: Config.option(databaseUrl),
  poolSize: whole("DATABASE_POOL_SIZE", 2, 200, 10),
  jobConcurrency: whole("JOB_CONCURRENCY", 1, 100, 4),
  bodyLimit: whole("BODY_LIMIT", 1024, 256 * 1024 * 1024, 16 * 1024 * 1024),
  bodyBufferLimit: whole("BODY_BUFFER_LIMIT", 4096, 16 * 1024 * 1024 * 1024, 256 * 1024 * 1024),
  uploadLimit: whole("UPLOAD_LIMIT", 1024, 1024 * 1024 * 1024, 25 * 1024 * 1024),
  accountStorageLimit: whole("ACCOUNT_STORAGE_LIMIT", 1024, Number.MAX_SAFE_INTEGER, 20 * 1024 * 1024 * 1024),
  rateLimits: Config.all({ perToken: limit("RATE_LIMIT_TOKEN"), perAccount: limit("RATE_LIMIT_ACCOUNT") }),
  mailDomain: checked(
    "MAIL_DOMAIN",
    Config.nonEmptyString("MAIL_DOMAIN"),
    "a domain name such as mail.company.com",
    (domain) => Either.isRight(normaliseDomain(domain))
  ).pipe(Config.withDefault("mail.example.com")),
  outboundAllowLoopback: Config.boolean("OUTBOUND_ALLOW_LOOPBACK").pipe(Config.withDefault(false)),
  logLevel: Config.logLevel("LOG_LEVEL").pipe(Config.withDefault(LogLevel.Info)),
  otlpEndpoint: httpUrl("OTEL_EXPORTER_OTLP_ENDPOINT"),
  traceSampleRatio: Config.withDefault(numberBetween("TRACE_SAMPLE_RATIO", 0, 1), 1)
})

/** Reads and checks all settings; the error says which one is wrong, and how. */
export const loadSettings: Effect.Effect<SettingsShape, ConfigError.ConfigError> = Effect.map(
  config,
  ({ operationsHost, operationsPort, ...settings }) => ({
    ...settings,
    operations: Option.isSome(operationsPort) ? { host: operationsHost, port: operationsPort.value } : undefined,
    baseUrl: Option.getOrElse(settings.baseUrl, () => `http://${settings.host}:${settings.port}`)
  })
)

export const SettingsLive = Layer.effect(Settings, loadSettings)
