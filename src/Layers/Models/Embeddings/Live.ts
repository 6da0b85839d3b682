import { Config, ConfigError, Effect, Option, Redacted, Schema } from "effect"
import { transient } from "../../../Errors.ts"
import { Embeddings } from "../../../Services/Models/Embeddings.ts"
import { OutboundHttp, outboundTransient } from "../../../Services/Outbound/OutboundHttp.ts"
import { given, httpUrl, secret } from "../../Platform/Environment.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import type { ProviderFailure } from "../../Platform/Outbound/ProviderFailure.ts"
import { providerLayer } from "../../Platform/Outbound/ProviderLayer.ts"
import { watchedHttp } from "../../Platform/Outbound/WatchedHttp.ts"
import { noEmbeddings } from "./NoEmbeddings.ts"

export interface EmbeddingsSettings {
  /** The base URL with the version, without a trailing slash. */
  readonly url: string
  readonly apiKey: Option.Option<Redacted.Redacted>
  readonly model: string
}

const defaultUrl = "https://api.openai.com/v1"

const config = Config.all({
  url: httpUrl("EMBEDDINGS_URL"),
  apiKey: secret("EMBEDDINGS_API_KEY"),
  model: given("EMBEDDINGS_MODEL")
})

/** Reads the settings from the environment. None if neither an address nor a key is set. */
export const loadEmbeddingsSettings: Effect.Effect<
  Option.Option<EmbeddingsSettings>,
  ConfigError.ConfigError
> = Effect.gen(function* () {
  const { apiKey, model, url } = yield* config
  if (Option.isNone(url) && Option.isNone(apiKey)) return Option.none()
  if (Option.isNone(model)) {
    return yield* Effect.fail(ConfigError.MissingData(["EMBEDDINGS_MODEL"], "Expected the name of the model to use"))
  }
  return Option.some({ url: Option.getOrElse(url, () => defaultUrl), apiKey, model: model.value })
})

const maximumDimensions = 4096

const maxResponseBytes = 16 * 1024 * 1024

const Answer = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      index: Schema.optional(Schema.NonNegativeInt),
      embedding: Schema.Array(Schema.Finite).pipe(Schema.minItems(1), Schema.maxItems(maximumDimensions))
    })
  )
})

const unusable = transient("embeddings_unavailable", "The service for meanings gave no usable answer.", 30)

const serviceError = ({ answer, code, kind }: ProviderFailure) =>
  answer === undefined && kind !== "rejected"
    ? outboundTransient({ reason: code }, "the service for meanings")
    : unusable

/** Scales a vector to length one, so that the product of two vectors is their similarity. */
const unit = (vector: ReadonlyArray<number>): Float32Array => {
  const length = Math.hypot(...vector)
  return Float32Array.from(vector, (value) => (length === 0 ? 0 : value / length))
}

/** An OpenAI-compatible service at `{url}/embeddings`. */
export const makeEmbeddings = ({ apiKey, model, url }: EmbeddingsSettings) =>
  Effect.map(OutboundHttp, ({ request }) => {
    const client = makeProviderClient({
      name: "embeddings",
      baseUrl: url,
      transport: request,
      isOperators: true,
      headers: Option.isSome(apiKey) ? { authorization: `Bearer ${Redacted.value(apiKey.value)}` } : {},
      timeout: "10 seconds",
      maxResponseBytes
    })
    return Embeddings.of({
      model,
      embed: Effect.fn("Embeddings.embed")(function* (texts) {
        const { data } = yield* Effect.mapError(
          client.ask(Answer, { method: "POST", path: "/embeddings", json: { model, input: texts }, isRead: true }),
          serviceError
        )
        if (data.length !== texts.length) return yield* unusable
        return data
          .map(({ embedding, index }, place) => ({ vector: unit(embedding), index: index ?? place }))
          .sort((a, b) => a.index - b.index)
          .map(({ vector }) => vector)
      })
    })
  })

/** The service that the environment names, or none. */
export const EmbeddingsConfigured = providerLayer(Embeddings, {
  settings: loadEmbeddingsSettings,
  live: (settings) => Effect.provideServiceEffect(makeEmbeddings(settings), OutboundHttp, watchedHttp("embeddings")),
  sandbox: Effect.succeed(noEmbeddings)
})
