import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Either, LogLevel, Option, Redacted } from "effect"
import { describeConfigError } from "../../src/Layers/Platform/Environment.ts"
import { loadSettings } from "../../src/Layers/Platform/Settings.ts"

const load = (environment: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(loadSettings, ConfigProvider.fromMap(new Map(Object.entries(environment))))

describe("the settings", () => {
  it.effect("all have a default", () =>
    Effect.gen(function* () {
      const settings = yield* load({})
      assert.deepInclude(settings, {
        host: "127.0.0.1",
        port: 8080,
        baseUrl: "http://127.0.0.1:8080",
        dataDir: ".data",
        bodyLimit: 16 * 1024 * 1024,
        logLevel: LogLevel.Info,
        outboundAllowLoopback: false,
        traceSampleRatio: 1
      })
      assert.isTrue(Option.isNone(settings.databaseUrl) && Option.isNone(settings.otlpEndpoint))
    })
  )

  it.effect("come from the environment, the public address without a slash at its end", () =>
    Effect.gen(function* () {
      const settings = yield* load({
        HOST: "0.0.0.0",
        PORT: "0",
        BASE_URL: "https://gateway.example/",
        DATABASE_URL: "postgres://gateway:secret@db.example:5432/gateway",
        LOG_LEVEL: "debug",
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318/",
        TRACE_SAMPLE_RATIO: "0.01"
      })
      assert.deepInclude(settings, {
        host: "0.0.0.0",
        port: 0,
        baseUrl: "https://gateway.example",
        logLevel: LogLevel.Debug,
        otlpEndpoint: Option.some("http://collector.example:4318"),
        traceSampleRatio: 0.01
      })
      assert.strictEqual(
        Option.getOrThrow(Option.map(settings.databaseUrl, Redacted.value)),
        "postgres://gateway:secret@db.example:5432/gateway"
      )
      assert.notInclude(JSON.stringify(settings), "secret")
    })
  )

  for (const [name, value, words] of [
    ["PORT", "80a80", "PORT"],
    ["PORT", "65536", "from 0 to 65535"],
    ["DATABASE_POOL_SIZE", "1", "from 2 to 200"],
    ["JOB_CONCURRENCY", "0", "from 1 to 100"],
    ["BODY_LIMIT", "-1", "BODY_LIMIT"],
    ["UPLOAD_LIMIT", "1e10", "from 1024"],
    ["BASE_URL", "ftp://gateway.example", "http or https"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector", "http or https"],
    ["DATABASE_URL", "mysql://root@db/gateway", "postgres://user:password@host:port/database"],
    ["DATABASE_REPLICA_URL", "db/gateway", "postgres://user:password@host:port/database"],
    ["DATABASE_REPLICA_LAG", "0", "from 1 to 3600"],
    ["STOP_DELAY_SECONDS", "301", "from 0 to 300"],
    ["MAIL_DOMAIN", "not a domain", "domain name"],
    ["SITE_DOMAIN", "sites", "domain name"],
    ["SITE_DOMAIN", "sites.-bad.example", "domain name"],
    ["SITE_DOMAIN", "10.0.0.1", "domain name"],
    ["TRUSTED_PROXIES", "10.0.0.0/8,proxy.example", "addresses or networks"],
    ["LOG_LEVEL", "loud", "LOG_LEVEL"],
    ["OUTBOUND_ALLOW_LOOPBACK", "perhaps", "OUTBOUND_ALLOW_LOOPBACK"],
    ["TRACE_SAMPLE_RATIO", "1.5", "from 0 to 1"]
  ] as const) {
    it.effect(`are refused with a message that helps: ${name}=${value}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(load({ [name]: value }))
        assert.include(describeConfigError(error), `${name}: Expected`)
        assert.include(describeConfigError(error), words)
      })
    )
  }

  for (const [base, sites, isOnSeparateDomain] of [
    ["https://api.example.com", "sites.example.com", true],
    ["https://api.example.com", "sites-example.com", true],
    ["https://example.com", "sites.example.com", false],
    ["https://api.sites.example.com", "sites.example.com", false],
    ["https://SITES.example.com", "Sites.Example.com", false],
    ["http://localhost:8080", "sites.localhost", true],
    ["http://sites.localhost:8080", "sites.localhost", false]
  ] as const) {
    it.effect(`the gateway at ${base} and sites under ${sites} are ${isOnSeparateDomain ? "apart" : "refused"}`, () =>
      Effect.gen(function* () {
        const loaded = yield* Effect.either(load({ BASE_URL: base, SITE_DOMAIN: sites }))
        assert.strictEqual(Either.isRight(loaded), isOnSeparateDomain)
        if (Either.isLeft(loaded)) assert.include(describeConfigError(loaded.left), "SITE_DOMAIN")
      })
    )
  }

  it.effect("never repeat the password of a wrong database address", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(load({ DATABASE_URL: "mysql://root:hunter2@db/gateway" }))
      assert.notInclude(describeConfigError(error), "hunter2")
    })
  )
})
