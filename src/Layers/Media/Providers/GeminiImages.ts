import { Effect, Redacted } from "effect"
import { ImageEngine, type ImageOrder } from "../../../Services/Media/ImageEngine.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { lookAtModel } from "../../Platform/Outbound/ModelLook.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import { interactionInput, interactionProblem, interactionResult } from "./GeminiInteractions.ts"
import { fetchPicture, imageClientOptions, opaqueOnly } from "./ImageCalls.ts"
import type { ImageSettings } from "./MediaSettings.ts"
import { contentRefused, orderFailure, unreadableAnswer } from "./ProviderErrors.ts"
import { watchMediaModels } from "./WatchMediaModels.ts"

/** The ratios that the models make. */
const ratios = ["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"] as const

const quotientOf = (ratio: string): number => {
  const [width = 1, height = 1] = ratio.split(":").map(Number)
  return width / height
}

/** The nearest ratio. The picture is then cropped to the requested size. */
const ratioFor = ({ height, width }: ImageOrder): string => {
  const distance = (ratio: string) => Math.abs(Math.log(quotientOf(ratio) / (width / height)))
  return ratios.reduce<string>((best, ratio) => (distance(ratio) < distance(best) ? ratio : best), ratios[0])
}

const largestSideOf1K = 1100

const orderOf = (order: ImageOrder, model: string) => ({
  model,
  input: interactionInput(order.prompt, order.pictures),
  response_format: {
    type: "image",
    aspect_ratio: ratioFor(order),
    image_size: Math.max(order.width, order.height) > largestSideOf1K ? "2K" : "1K",
    delivery: "inline"
  },
  // The interaction is not stored at the provider, because it is not needed later, and prompts may name people.
  store: false
})

/** Google's Gemini interface: one interaction for each picture. */
export const makeGeminiImages = ({ apiKey, models, url }: ImageSettings) =>
  Effect.gen(function* () {
    const http = yield* OutboundHttp
    const client = makeProviderClient({
      ...imageClientOptions(url),
      transport: http.request,
      headers: { "x-goog-api-key": Redacted.value(apiKey) }
    })
    const watched = yield* watchMediaModels("images", Object.values(models), (model) =>
      lookAtModel(client, `/models/${encodeURIComponent(model)}`)
    )

    return ImageEngine.of({
      mode: "live",
      make: (order) =>
        Effect.gen(function* () {
          if (order.isTransparent) return yield* opaqueOnly
          const model = models[order.model]
          const { json } = yield* watched.report(
            model,
            Effect.mapError(
              client.send({ method: "POST", path: "/interactions", json: orderOf(order, model) }),
              orderFailure
            )
          )
          const result = interactionResult(json, "image")
          if (result !== undefined) {
            return result.data === ""
              ? yield* fetchPicture(http, url, order.accountId, result.uri)
              : Buffer.from(result.data, "base64")
          }
          const isRefused = /safety|policy|prohibited|blocked|filter/i.test(interactionProblem(json))
          return yield* isRefused ? contentRefused : unreadableAnswer
        })
    })
  })
