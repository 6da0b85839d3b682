import { randomUUID } from "node:crypto"
import { Effect, Redacted } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { GenerationFailed } from "../../../Services/Media/Generation.ts"
import { ImageEngine, type ImageOrder } from "../../../Services/Media/ImageEngine.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { textAt } from "../../Platform/AnswerPaths.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import type { ProviderRequest } from "../../Platform/Outbound/ProviderRequest.ts"
import type { ImageSettings } from "./MediaSettings.ts"
import { orderFailure, unreadableAnswer } from "./ProviderErrors.ts"

const largestImageBytes = 40 * 1024 * 1024
const downloadRetries = 2

const opaqueOnly = new GenerationFailed({
  code: "transparency_unsupported",
  detail: "The engine makes no images with a transparent background."
})
const promptOnly = new GenerationFailed({
  code: "references_unsupported",
  detail: "The engine makes images from words alone, without reference pictures."
})
const downloadFailed = new GenerationFailed({
  code: "result_not_fetched",
  detail: "The provider made the image, but it could not be fetched from the address that it gave."
})

/** Whether the model's name says that it takes only a prompt. Unknown models are expected to support everything. */
const takesPromptOnly = (model: string): boolean => /^dall-e/.test(model)

/** The nearest size that the model makes. The picture is then cropped to the requested size. */
const sizeFor = (model: string, { height, width }: ImageOrder): string => {
  const shape = width === height ? "square" : width > height ? "landscape" : "portrait"
  if (/^dall-e-3/.test(model)) return { square: "1024x1024", landscape: "1792x1024", portrait: "1024x1792" }[shape]
  if (/^dall-e-2/.test(model)) return "1024x1024"
  return { square: "1024x1024", landscape: "1536x1024", portrait: "1024x1536" }[shape]
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
  const fields = { model, prompt: order.prompt, size: sizeFor(model, order) }
  const background = order.isTransparent ? { background: "transparent" } : {}
  if (order.pictures.length > 0) {
    const body = multipartBody({ ...fields, n: "1", ...background }, order.pictures)
    return { method: "POST", path: "/images/edits", ...body }
  }
  const format = takesPromptOnly(model) ? { response_format: "b64_json" } : {}
  return { method: "POST", path: "/images/generations", json: { ...fields, n: 1, ...format, ...background } }
}

/** Any provider that implements the OpenAI images interface. */
export const makeLiveImages = ({ apiKey, models, url }: ImageSettings) =>
  Effect.map(OutboundHttp, (http) => {
    const provider = { name: "images", baseUrl: url, isOperators: true, maxResponseBytes: largestImageBytes }

    const client = makeProviderClient({
      ...provider,
      transport: http.request,
      headers: { authorization: `Bearer ${Redacted.value(apiKey)}` },
      timeout: "4 minutes"
    })

    /** The result is already paid for, so a failed download is repeated. The address needs no credentials. */
    const download = (accountId: AccountId, address: string) =>
      makeProviderClient({
        ...provider,
        transport: (request) => http.request({ ...request, account: accountId }),
        timeout: "1 minute"
      })
        .send({ method: "GET", path: address, expects: "bytes" })
        .pipe(
          Effect.filterOrFail(({ status }) => status === 200),
          Effect.retry({ times: downloadRetries }),
          Effect.mapBoth({ onFailure: () => downloadFailed, onSuccess: ({ body }) => body })
        )

    return ImageEngine.of({
      mode: "live",
      make: (order) =>
        Effect.gen(function* () {
          const model = models[order.model]
          if (order.isTransparent && takesPromptOnly(model)) return yield* opaqueOnly
          if (order.pictures.length > 0 && takesPromptOnly(model)) return yield* promptOnly
          const { json } = yield* Effect.mapError(client.send(requestFor(model, order)), orderFailure)
          const encoded = textAt(json, "data", 0, "b64_json")
          if (encoded !== "") return Buffer.from(encoded, "base64")
          const address = textAt(json, "data", 0, "url")
          return address === "" ? yield* unreadableAnswer : yield* download(order.accountId, address)
        })
    })
  })
