import { Clock, Effect, Redacted } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import { parsedUrl } from "../../../Services/Core/ParsedUrl.ts"
import { sniffMediaType } from "../../../Services/Files/MediaType.ts"
import { GenerationFailed } from "../../../Services/Media/Generation.ts"
import type { VideoOrder, VideoProgress, VideoProvider } from "../../../Services/Media/VideoEngine.ts"
import { OutboundHttp, type OutboundRequest } from "../../../Services/Outbound/OutboundHttp.ts"
import { jsonOf } from "../../Platform/AnswerPaths.ts"
import type { VideoProviderSettings } from "./MediaSettings.ts"
import {
  addressRefused,
  contentRefused,
  member,
  orderRefused,
  orderUnanswered,
  textMember,
  unreadableAnswer
} from "./ProviderAnswer.ts"

const mostBytes = 256 * 1024 * 1024
const mostAnswerBytes = 40 * 1024 * 1024

const busy = transient("provider_unreachable", "The provider could not be asked for the moment.", 15)
const notFetched = new GenerationFailed({
  code: "result_not_fetched",
  detail: "The provider made the video, but it could not be fetched from the address that it gave."
})
const notAVideo = new GenerationFailed({ code: "not_a_video", detail: "What the provider answered is no MP4." })
const orderGone = new GenerationFailed({ code: "order_gone", detail: "The provider does not know the order any more." })

const failedAs = (words: string) =>
  /safety|policy|moderation|sensitive|blocked|filter|nsfw|rai/i.test(words)
    ? contentRefused
    : new GenerationFailed({ code: "provider_failed", detail: "The provider could not make the video." })

/** What both providers are asked in the same way. */
const makeAsking = Effect.map(OutboundHttp, (http) => {
  const ask = (request: Pick<OutboundRequest, "method" | "url" | "headers" | "body">) =>
    http.request({
      timeout: "1 minute",
      maxResponseBytes: mostAnswerBytes,
      allowNonPublic: true,
      ...request
    })
  return {
    /** Places an order. */
    post: (url: string, headers: { readonly [name: string]: string }, body: object) =>
      Effect.gen(function* () {
        const response = yield* ask({
          method: "POST",
          url,
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(body)
        })
        if (response.status > 299) return yield* Effect.fail(orderRefused(response, yield* Clock.currentTimeMillis))
        return jsonOf(response.body)
      }).pipe(
        Effect.catchTags({
          Refused: () => addressRefused,
          OutboundFailure: (failure) => Effect.fail(orderUnanswered(failure))
        })
      ),
    /** Looks after an order, which changes nothing: asked again whatever went wrong. */
    get: (url: string, headers: { readonly [name: string]: string }) =>
      ask({ method: "GET", url, headers }).pipe(
        Effect.catchTags({ Refused: () => addressRefused, OutboundFailure: () => Effect.fail(busy) }),
        Effect.flatMap((response): Effect.Effect<unknown, GenerationFailed | Transient> => {
          if (response.status === 404) return Effect.fail(orderGone)
          return response.status > 299 ? Effect.fail(busy) : Effect.succeed(jsonOf(response.body))
        })
      ),
    cancel: (url: string, headers: { readonly [name: string]: string }) =>
      Effect.ignore(ask({ method: "POST", url, headers, body: "" })),
    /** Follows the redirect of a download; credentials go to the provider's own host alone. */
    download: (url: string, own: string, headers: { readonly [name: string]: string }) => {
      const fetched = (address: string, hops: number): Effect.Effect<Uint8Array, GenerationFailed> =>
        Effect.gen(function* () {
          const isOwn = parsedUrl(address)?.origin === new URL(own).origin
          const response = yield* http.request({
            method: "GET",
            url: address,
            headers: isOwn ? headers : {},
            allowNonPublic: isOwn,
            timeout: "5 minutes",
            maxResponseBytes: mostBytes
          })
          const { location } = response.headers
          if (response.status >= 300 && response.status < 400 && location !== undefined && hops > 0) {
            return yield* fetched(new URL(location, address).href, hops - 1)
          }
          if (response.status !== 200) return yield* notFetched
          return sniffMediaType(response.body, "") === "video/mp4" ? response.body : yield* notAVideo
        }).pipe(
          Effect.catchTags({ Refused: () => Effect.fail(notFetched), OutboundFailure: () => Effect.fail(notFetched) })
        )
      return fetched(url, 3)
    }
  }
})

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")

/** Google's Gemini interface: `predictLongRunning`, and the operation that it answers. */
export const makeGeminiVideos = ({ apiKey, models, url }: VideoProviderSettings) =>
  Effect.map(makeAsking, ({ download, get, post }): VideoProvider => {
    const headers = { "x-goog-api-key": Redacted.value(apiKey) }
    return {
      order: ({ aspect, duration, firstFrame, model, prompt, resolution }) =>
        Effect.gen(function* () {
          const image =
            firstFrame === undefined
              ? {}
              : { image: { bytesBase64Encoded: base64(firstFrame), mimeType: "image/jpeg" } }
          const answer = yield* post(`${url}/models/${encodeURIComponent(models[model])}:predictLongRunning`, headers, {
            instances: [{ prompt, ...image }],
            parameters: { aspectRatio: aspect, durationSeconds: duration, resolution }
          })
          const name = textMember(answer, "name")
          return name === undefined || !/^[\w./-]{1,300}$/.test(name) ? yield* unreadableAnswer : name
        }),
      look: (orderId) =>
        Effect.gen(function* () {
          const answer = yield* get(`${url}/${orderId}`, headers)
          if (member(answer, "done") !== true) return { _tag: "Running", percent: 30 } satisfies VideoProgress
          const problem = textMember(answer, "error", "message")
          if (problem !== undefined) return yield* failedAs(problem)
          const made = member(answer, "response", "generateVideoResponse")
          const address = textMember(made, "generatedSamples", 0, "video", "uri")
          if (address !== undefined) return { _tag: "Done", address } satisfies VideoProgress
          return yield* member(made, "raiMediaFilteredReasons") === undefined ? unreadableAnswer : contentRefused
        }),
      fetch: (address) => download(address, url, headers),
      // The interface has no way to take an order back.
      cancel: () => Effect.void
    }
  })

/** Replicate's predictions. */
export const makeReplicateVideos = ({ apiKey, models, url }: VideoProviderSettings) =>
  Effect.map(makeAsking, ({ cancel, download, get, post }): VideoProvider => {
    const headers = { authorization: `Bearer ${Redacted.value(apiKey)}` }
    const input = ({ aspect, duration, firstFrame, prompt, resolution }: VideoOrder) => ({
      prompt,
      duration,
      aspect_ratio: aspect,
      resolution,
      ...(firstFrame === undefined ? {} : { image: `data:image/jpeg;base64,${base64(firstFrame)}` })
    })
    return {
      order: (order) =>
        Effect.gen(function* () {
          const answer = yield* post(`${url}/models/${models[order.model]}/predictions`, headers, {
            input: input(order)
          })
          const id = textMember(answer, "id")
          return id === undefined || !/^[\w-]{1,100}$/.test(id) ? yield* unreadableAnswer : id
        }),
      look: (orderId) =>
        Effect.gen(function* () {
          const answer = yield* get(`${url}/predictions/${orderId}`, headers)
          switch (textMember(answer, "status")) {
            case "starting":
              return { _tag: "Running", percent: 5 } satisfies VideoProgress
            case "processing":
              return { _tag: "Running", percent: 50 } satisfies VideoProgress
            case "succeeded": {
              const address = textMember(answer, "output") ?? textMember(answer, "output", 0)
              return address === undefined
                ? yield* unreadableAnswer
                : ({ _tag: "Done", address } satisfies VideoProgress)
            }
            case "failed":
            case "canceled":
            case "aborted":
              return yield* failedAs(textMember(answer, "error") ?? "")
            default:
              return yield* unreadableAnswer
          }
        }),
      fetch: (address) => download(address, url, headers),
      cancel: (orderId) => cancel(`${url}/predictions/${orderId}/cancel`, headers)
    }
  })
