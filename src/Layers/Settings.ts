import { Config, ConfigError, Context, Effect, Either, Layer, LogLevel, Option, Redacted } from "effect"
import { normaliseDomain } from "../Services/ContactDetails.ts"

/** Everything the gateway can be told by its environment. */
export interface SettingsShape {
  readonly host: string
  readonly port: number
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
  /** Bytes of one uploaded file. */
  readonly uploadLimit: number
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

const intBetween = (name: string, minimum: number, maximum: number, fallback: number) =>
  Config.integer(name).pipe(
    Config.validate({
      message: `Expected a whole number from ${minimum} to ${maximum}`,
      validation: (value) => value >= minimum && value <= maximum
    }),
    Config.withDefault(fallback)
  )

const httpUrl = (name: string) =>
  Config.string(name).pipe(
    Config.mapOrFail((text) =>
      URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
        ? Either.right(text.replace(/\/+$/, ""))
        : Either.left(ConfigError.InvalidData([], "Expected an http or https address"))
    )
  )

const databaseUrl = Config.redacted("DATABASE_URL").pipe(
  Config.validate({
    message: "Expected postgres://user:password@host:port/database",
    validation: (url) => /^postgres(?:ql)?:\/\/\S+$/.test(Redacted.value(url))
  }),
  Config.option
)

const config = Config.all({
  host: Config.nonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: intBetween("PORT", 0, 65_535, 8080),
  baseUrl: Config.option(httpUrl("BASE_URL")),
  dataDir: Config.nonEmptyString("DATA_DIR").pipe(Config.withDefault(".data")),
  databaseUrl,
  poolSize: intBetween("DATABASE_POOL_SIZE", 2, 200, 10),
  jobConcurrency: intBetween("JOB_CONCURRENCY", 1, 100, 4),
  bodyLimit: intBetween("BODY_LIMIT", 1024, 256 * 1024 * 1024, 16 * 1024 * 1024),
  uploadLimit: intBetween("UPLOAD_LIMIT", 1024, 1024 * 1024 * 1024, 25 * 1024 * 1024),
  mailDomain: Config.nonEmptyString("MAIL_DOMAIN").pipe(
    Config.validate({
      message: "Expected a domain name such as mail.company.com",
      validation: (domain) => Either.isRight(normaliseDomain(domain))
    }),
    Config.withDefault("mail.example.com")
  ),
  outboundAllowLoopback: Config.boolean("OUTBOUND_ALLOW_LOOPBACK").pipe(Config.withDefault(false)),
  logLevel: Config.logLevel("LOG_LEVEL").pipe(Config.withDefault(LogLevel.Info)),
  otlpEndpoint: Config.option(httpUrl("OTEL_EXPORTER_OTLP_ENDPOINT")),
  traceSampleRatio: Config.number("TRACE_SAMPLE_RATIO").pipe(
    Config.validate({ message: "Expected a number from 0 to 1", validation: (ratio) => ratio >= 0 && ratio <= 1 }),
    Config.withDefault(1)
  )
})

/** Reads and checks all settings; the error says which one is wrong, and how. */
export const loadSettings: Effect.Effect<SettingsShape, ConfigError.ConfigError> = Effect.map(config, (settings) => ({
  ...settings,
  baseUrl: Option.getOrElse(settings.baseUrl, () => `http://${settings.host}:${settings.port}`)
}))

export const SettingsLive = Layer.effect(Settings, loadSettings)
