import { Effect, Redacted } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import { parsedUrl } from "../../../Services/Core/ParsedUrl.ts"
import { sniffMediaType } from "../../../Services/Files/MediaType.ts"
import { GenerationFailed } from "../../../Services/Media/Generation.ts"
import type { VideoOrder, VideoProgress, VideoProvider } from "../../../Services/Media/VideoEngine.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { at, textAt } from "../../Platform/AnswerPaths.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import type { ProviderFailure } from "../../Platform/Outbound/ProviderFailure.ts"
import type { VideoProviderSettings } from "./MediaSettings.ts"
import { addressFailure, answerOf, contentRefused, orderFailure, unreadableAnswer } from "./ProviderErrors.ts"

const largestVideoBytes = 256 * 1024 * 1024
const largestAnswerBytes = 40 * 1024 * 1024
const maximumRedirects = 3
const busySeconds = 15

const busy = transient("provider_unreachable", "The provider could not be reached for the moment.", busySeconds)
const downloadFailed = new GenerationFailed({
  code: "result_not_fetched",
  detail: "The provider made the video, but it could not be fetched from the address that it gave."
})
const notAVideo = new GenerationFailed({ code: "not_a_video", detail: "The provider's answer is not an MP4." })
const orderGone = new GenerationFailed({ code: "order_gone", detail: "The provider no longer knows the order." })

const generationFailure = (message: string): GenerationFailed =>
  /safety|policy|moderation|sensitive|blocked|filter|nsfw|rai/i.test(message)
    ? contentRefused
    : new GenerationFailed({ code: "provider_failed", detail: "The provider could not make the video." })

/** A status request changes nothing, so it is repeated whatever went wrong. */
const statusFailure = (failure: ProviderFailure): GenerationFailed | Transient =>
  addressFailure(failure) ?? (answerOf(failure)?.status === 404 ? orderGone : busy)

const redirectTarget = (failure: ProviderFailure, address: string): string | undefined => {
  const answer = answerOf(failure)
  const location = answer?.headers["location"]
  if (answer === undefined || answer.status < 300 || answer.status > 399 || location === undefined) return undefined
  return parsedUrl(location, address)?.href
}

/** The calls that both providers have in common. */
const makeVideoClient = (name: string, url: string, credentials: { readonly [name: string]: string }) =>
  Effect.map(OutboundHttp, (http) => {
    const client = makeProviderClient({
      name,
      baseUrl: url,
      transport: http.request,
      isOperators: true,
      headers: credentials,
      timeout: "1 minute",
      maxResponseBytes: largestAnswerBytes
    })

    /** Redirects may lead to another host, which gets no credentials. */
    const download = (address: string, redirectsLeft: number): Effect.Effect<Uint8Array, GenerationFailed> =>
      client
        .send({
          method: "GET",
          path: address,
          expects: "bytes",
          timeout: "5 minutes",
          maxResponseBytes: largestVideoBytes
        })
        .pipe(
          Effect.matchEffect({
            onFailure: (failure) => {
              const target = redirectTarget(failure, address)
              return target === undefined || redirectsLeft === 0
                ? Effect.fail(downloadFailed)
                : download(target, redirectsLeft - 1)
            },
            onSuccess: ({ body, status }) => {
              if (status !== 200) return Effect.fail(downloadFailed)
              return sniffMediaType(body, "") === "video/mp4" ? Effect.succeed(body) : Effect.fail(notAVideo)
            }
          })
        )

    return {
      order: (path: string, json: object): Effect.Effect<unknown, GenerationFailed | Transient> =>
        client
          .send({ method: "POST", path, json })
          .pipe(Effect.mapBoth({ onFailure: orderFailure, onSuccess: (answer) => answer.json })),
      status: (path: string): Effect.Effect<unknown, GenerationFailed | Transient> =>
        client
          .send({ method: "GET", path, expects: "any" })
          .pipe(Effect.mapBoth({ onFailure: statusFailure, onSuccess: (answer) => answer.json })),
      cancel: (path: string): Effect.Effect<void> =>
        Effect.ignore(client.send({ method: "POST", path, body: "", expects: "any" })),
      download: (address: string) => download(address, maximumRedirects)
    }
  })

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")

/** The interface reports no percentages. */
const percentOfRunning = 30

/** Google's Gemini interface: `predictLongRunning`, and the operation that it returns. */
export const makeGeminiVideos = ({ apiKey, models, url }: VideoProviderSettings) =>
  Effect.map(
    makeVideoClient("gemini", url, { "x-goog-api-key": Redacted.value(apiKey) }),
    (client): VideoProvider => ({
      order: ({ aspect, duration, firstFrame, model, prompt, resolution }) =>
        Effect.gen(function* () {
          const image =
            firstFrame === undefined
              ? {}
              : { image: { bytesBase64Encoded: base64(firstFrame), mimeType: "image/jpeg" } }
          const answer = yield* client.order(`/models/${encodeURIComponent(models[model])}:predictLongRunning`, {
            instances: [{ prompt, ...image }],
            parameters: { aspectRatio: aspect, durationSeconds: duration, resolution }
          })
          const name = textAt(answer, "name")
          return /^[\w./-]{1,300}$/.test(name) ? name : yield* unreadableAnswer
        }),
      look: (orderId) =>
        Effect.gen(function* () {
          const answer = yield* client.status(`/${orderId}`)
          if (at(answer, "done") !== true) {
            return { _tag: "Running", percent: percentOfRunning } satisfies VideoProgress
          }
          const problem = textAt(answer, "error", "message")
          if (problem !== "") return yield* generationFailure(problem)
          const result = at(answer, "response", "generateVideoResponse")
          const address = textAt(result, "generatedSamples", 0, "video", "uri")
          if (address !== "") return { _tag: "Done", address } satisfies VideoProgress
          return yield* at(result, "raiMediaFilteredReasons") === undefined ? unreadableAnswer : contentRefused
        }),
      fetch: client.download,
      // The interface cannot cancel an order.
      cancel: () => Effect.void
    })
  )

const replicateInput = ({ aspect, duration, firstFrame, prompt, resolution }: VideoOrder) => ({
  prompt,
  duration,
  aspect_ratio: aspect,
  resolution,
  ...(firstFrame === undefined ? {} : { image: `data:image/jpeg;base64,${base64(firstFrame)}` })
})

const replicateProgress = (answer: unknown): Effect.Effect<VideoProgress, GenerationFailed> => {
  switch (textAt(answer, "status")) {
    case "starting":
      return Effect.succeed({ _tag: "Running", percent: 5 })
    case "processing":
      return Effect.succeed({ _tag: "Running", percent: 50 })
    case "succeeded": {
      const address = textAt(answer, "output") || textAt(answer, "output", 0)
      return address === "" ? Effect.fail(unreadableAnswer) : Effect.succeed({ _tag: "Done", address })
    }
    case "failed":
    case "canceled":
    case "aborted":
      return Effect.fail(generationFailure(textAt(answer, "error")))
    default:
      return Effect.fail(unreadableAnswer)
  }
}

/** Replicate's predictions. */
export const makeReplicateVideos = ({ apiKey, models, url }: VideoProviderSettings) =>
  Effect.map(
    makeVideoClient("replicate", url, { authorization: `Bearer ${Redacted.value(apiKey)}` }),
    (client): VideoProvider => ({
      order: (order) =>
        Effect.gen(function* () {
          const answer = yield* client.order(`/models/${models[order.model]}/predictions`, {
            input: replicateInput(order)
          })
          const id = textAt(answer, "id")
          return /^[\w-]{1,100}$/.test(id) ? id : yield* unreadableAnswer
        }),
      look: (orderId) => Effect.flatMap(client.status(`/predictions/${orderId}`), replicateProgress),
      fetch: client.download,
      cancel: (orderId) => client.cancel(`/predictions/${orderId}/cancel`)
    })
  )
