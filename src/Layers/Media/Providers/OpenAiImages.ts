import { randomUUID } from "node:crypto"
import { Effect, Redacted } from "effect"
import { ImageEngine, type ImageOrder } from "../../../Services/Media/ImageEngine.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { textAt } from "../../Platform/AnswerPaths.ts"
import { lookAtModel } from "../../Platform/Outbound/ModelLook.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import type { ProviderRequest } from "../../Platform/Outbound/ProviderRequest.ts"
import { fetchPicture, imageClientOptions } from "./ImageCalls.ts"
import type { ImageSettings } from "./MediaSettings.ts"
import { orderFailure, unreadableAnswer } from "./ProviderErrors.ts"
import { watchMediaModels } from "./WatchMediaModels.ts"

/** The nearest size that all models of the interface make. The picture is then cropped to the requested size. */
const sizeFor = ({ height, width }: ImageOrder): string => {
  if (width === height) return "1024x1024"
  return width > height ? "1536x1024" : "1024x1536"
}

type RequestBody = Pick<ProviderRequest, "body" | "headers">

const multipartBody = (
  fields: { readonly [name: string]: string },
  pictures: ReadonlyArray<Uint8Array>
): RequestBody => {
  const boundary = `gateway-${randomUUID()}`
  const parts: Array<Buffer> = []
  for (const [name, value] of Object.entries(fields)) {
    parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`))
  }
  pictures.forEach((bytes, index) => {
    parts.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="image[]"; filename="reference-${index + 1}.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
      ),
      Buffer.from(bytes),
      Buffer.from("\r\n")
    )
  })
  parts.push(Buffer.from(`--${boundary}--\r\n`))
  return { headers: { "content-type": `multipart/form-data; boundary=${boundary}` }, body: Buffer.concat(parts) }
}

const requestFor = (model: string, order: ImageOrder): ProviderRequest => {
  const background = order.isTransparent ? { background: "transparent" } : {}
  const fields = { model, prompt: order.prompt, size: sizeFor(order), ...background }
  return order.pictures.length > 0
    ? { method: "POST", path: "/images/edits", ...multipartBody({ ...fields, n: "1" }, order.pictures) }
    : { method: "POST", path: "/images/generations", json: { ...fields, n: 1 } }
}

/** Any provider that implements the OpenAI images interface. */
export const makeOpenAiImages = ({ apiKey, models, url }: ImageSettings) =>
  Effect.gen(function* () {
    const http = yield* OutboundHttp
    const client = makeProviderClient({
      ...imageClientOptions(url),
      transport: http.request,
      headers: { authorization: `Bearer ${Redacted.value(apiKey)}` }
    })
    const watched = yield* watchMediaModels("images", Object.values(models), (model) =>
      lookAtModel(client, `/models/${encodeURIComponent(model)}`)
    )

    return ImageEngine.of({
      mode: "live",
      make: (order) =>
        Effect.gen(function* () {
          const model = models[order.model]
          const { json } = yield* watched.report(
            model,
            Effect.mapError(client.send(requestFor(model, order)), orderFailure)
          )
          const encoded = textAt(json, "data", 0, "b64_json")
          if (encoded !== "") return Buffer.from(encoded, "base64")
          const address = textAt(json, "data", 0, "url")
          return address === "" ? yield* unreadableAnswer : yield* fetchPicture(http, url, order.accountId, address)
        })
    })
  })
