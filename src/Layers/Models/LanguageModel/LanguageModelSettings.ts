import { Config, ConfigError, Effect, Option, type Redacted } from "effect"
import { given, httpUrl, integerBetween, numberBetween, secret } from "../../Platform/Environment.ts"

/** The address of the language model, and its prices. */
export interface LanguageModelSettings {
  readonly provider: "openai" | "anthropic"
  /** The base URL with the version, without a trailing slash: `https://api.openai.com/v1`. */
  readonly url: string
  readonly apiKey: Redacted.Redacted
  /** The model's name at the provider. */
  readonly model: string
  /** The model's thinking effort. None uses the model's default. */
  readonly effort: Option.Option<string>
  /** Added to the limit of each answer, since providers count thinking too. */
  readonly thinkingTokens: number
  /** US dollars for a million tokens. */
  readonly prices: Option.Option<{ readonly input: number; readonly output: number }>
}

/** Current models of the providers in November 2026, balanced between quality and price. */
export const defaultModels = { openai: "gpt-6.1-sol", anthropic: "claude-sonnet-5-5" } as const

/** A low effort is enough, because the gateway requests short texts and classifications within seconds. */
const defaultEffort = "low"
const defaultThinkingTokens = 4000

const defaultUrls = { openai: "https://api.openai.com/v1", anthropic: "https://api.anthropic.com/v1" } as const

/** US dollars for a million tokens. */
const price = (name: string) => Config.option(numberBetween(name, 0, 10_000))

const config = Config.all({
  provider: Config.literal(
    "openai",
    "anthropic"
  )("LANGUAGE_MODEL_PROVIDER").pipe(Config.withDefault("openai" as const)),
  url: httpUrl("LANGUAGE_MODEL_URL"),
  apiKey: secret("LANGUAGE_MODEL_API_KEY"),
  model: given("LANGUAGE_MODEL"),
  effort: Config.option(
    Config.literal("default", "none", "minimal", "low", "medium", "high", "xhigh", "max")("LANGUAGE_MODEL_EFFORT")
  ),
  thinkingTokens: Config.option(integerBetween("LANGUAGE_MODEL_THINKING_TOKENS", 0, 32_000)),
  inputPrice: price("LANGUAGE_MODEL_INPUT_PRICE"),
  outputPrice: price("LANGUAGE_MODEL_OUTPUT_PRICE")
})

/** Anthropic's libraries expect the address without its version, so both forms are accepted. */
const withVersion = (provider: "openai" | "anthropic", address: string): string =>
  provider === "anthropic" && new URL(address).pathname === "/" ? `${address}/v1` : address

/** Reads the settings from the environment. None without a key, so that the sandbox is used. */
export const loadLanguageModelSettings: Effect.Effect<
  Option.Option<LanguageModelSettings>,
  ConfigError.ConfigError
> = Effect.gen(function* () {
  const { apiKey, effort, inputPrice, outputPrice, provider, thinkingTokens, url, ...names } = yield* config
  // A server at another address may have other models, and models that do not think, so there are no defaults for it.
  const isOwnServer = Option.isNone(url)
  const model = Option.orElse(names.model, () => (isOwnServer ? Option.some(defaultModels[provider]) : Option.none()))
  if (Option.isNone(apiKey)) {
    if (Option.isSome(url) || Option.isSome(names.model)) {
      yield* Effect.logWarning("LANGUAGE_MODEL_API_KEY is not set: messages are written and replies read in sandbox.")
    }
    return Option.none()
  }
  if (Option.isNone(model)) {
    return yield* Effect.fail(ConfigError.MissingData(["LANGUAGE_MODEL"], "Expected the name of the model to use"))
  }
  return Option.some({
    provider,
    url: withVersion(
      provider,
      Option.getOrElse(url, () => defaultUrls[provider])
    ),
    apiKey: apiKey.value,
    model: model.value,
    effort: Option.filter(
      Option.orElse(effort, () => (isOwnServer ? Option.some(defaultEffort) : Option.none())),
      (level) => level !== "default"
    ),
    thinkingTokens: Option.getOrElse(thinkingTokens, () => (isOwnServer ? defaultThinkingTokens : 0)),
    prices: Option.all({ input: inputPrice, output: outputPrice })
  })
})
