import { Effect } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import { sniffMediaType } from "../../../Services/Files/MediaType.ts"
import { GenerationFailed } from "../../../Services/Media/Generation.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { lookAtModel } from "../../Platform/Outbound/ModelLook.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import type { ProviderFailure } from "../../Platform/Outbound/ProviderFailure.ts"
import { addressFailure, answerOf, contentRefused, orderFailure } from "./ProviderErrors.ts"

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

export const generationFailure = (message: string): GenerationFailed =>
  /safety|policy|moderation|sensitive|blocked|filter|nsfw|rai/i.test(message)
    ? contentRefused
    : new GenerationFailed({ code: "provider_failed", detail: "The provider could not make the video." })

/** The bytes, if they are an MP4. */
export const asVideo = (bytes: Uint8Array): Effect.Effect<Uint8Array, GenerationFailed> =>
  sniffMediaType(bytes, "") === "video/mp4" ? Effect.succeed(bytes) : Effect.fail(notAVideo)

/** A status request changes nothing, so it can be repeated after every failure. */
const statusFailure = (failure: ProviderFailure): GenerationFailed | Transient =>
  addressFailure(failure) ?? (answerOf(failure)?.status === 404 ? orderGone : busy)

const redirectTarget = (failure: ProviderFailure, address: string): string | undefined => {
  const answer = answerOf(failure)
  const location = answer?.headers["location"]
  if (answer === undefined || answer.status < 300 || answer.status > 399 || location === undefined) return undefined
  return parsedUrl(location, address)?.href
}

/** The calls that the providers have in common. */
export const makeVideoClient = (name: string, url: string, credentials: { readonly [name: string]: string }) =>
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
              return status === 200 ? asVideo(body) : Effect.fail(downloadFailed)
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
      download: (address: string) => download(address, maximumRedirects),
      lookAtModel: (path: string) => lookAtModel(client, path)
    }
  })
