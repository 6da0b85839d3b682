import { Config, ConfigError, Effect, Option, type Redacted } from "effect"
import { httpUrl, integerBetween, secret } from "../Platform/Environment.ts"

/** The search engine, and how to reach it. */
export interface EngineSettings {
  readonly engine: "brave" | "tavily" | "serper" | "searxng"
  /** The base URL without a trailing slash. */
  readonly url: string
  /** The API key. SearXNG needs none. */
  readonly key: Option.Option<Redacted.Redacted>
}

export interface WebSearchSettings {
  /** The search engine. Without one, searches use the account's own material. */
  readonly engine: Option.Option<EngineSettings>
  /** The most searches that an account may start in 24 hours. Each costs the operator money. */
  readonly searchesInDay: number
}

const defaultUrls = {
  brave: "https://api.search.brave.com",
  tavily: "https://api.tavily.com",
  serper: "https://google.serper.dev"
} as const

const config = Config.all({
  engine: Config.literal("brave", "tavily", "serper", "searxng")("WEB_SEARCH_ENGINE").pipe(Config.option),
  url: httpUrl("WEB_SEARCH_URL"),
  key: secret("WEB_SEARCH_API_KEY"),
  searchesInDay: integerBetween("WEB_SEARCHES_PER_DAY", 1, 100_000).pipe(Config.withDefault(200))
})

export const loadWebSearchSettings: Effect.Effect<WebSearchSettings, ConfigError.ConfigError> = Effect.gen(
  function* () {
    const { engine, key, searchesInDay, url } = yield* config
    if (Option.isNone(engine)) {
      if (Option.isSome(key) || Option.isSome(url)) {
        yield* Effect.logWarning("WEB_SEARCH_ENGINE is not set: online searches look into the account's own material.")
      }
      return { engine: Option.none(), searchesInDay }
    }
    if (engine.value === "searxng") {
      if (Option.isNone(url)) {
        return yield* Effect.fail(
          ConfigError.MissingData(["WEB_SEARCH_URL"], "Expected the address of the SearXNG server")
        )
      }
      return { engine: Option.some({ engine: "searxng", url: url.value, key }), searchesInDay }
    }
    if (Option.isNone(key)) {
      return yield* Effect.fail(ConfigError.MissingData(["WEB_SEARCH_API_KEY"], `Expected the key for ${engine.value}`))
    }
    const engineName = engine.value
    return {
      engine: Option.some({ engine: engineName, url: Option.getOrElse(url, () => defaultUrls[engineName]), key }),
      searchesInDay
    }
  }
)
