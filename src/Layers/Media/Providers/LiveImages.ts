import { randomUUID } from "node:crypto"
import { Clock, Effect, Redacted } from "effect"
import { GenerationFailed } from "../../../Services/Media/Generation.ts"
import { ImageEngine, type ImageOrder } from "../../../Services/Media/ImageEngine.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { jsonOf } from "../../Platform/AnswerPaths.ts"
import type { ImageSettings } from "./MediaSettings.ts"
import { addressRefused, orderRefused, orderUnanswered, textMember, unreadableAnswer } from "./ProviderAnswer.ts"

const mostBytes = 40 * 1024 * 1024

const opaqueOnly = new GenerationFailed({
  code: "transparency_unsupported",
  detail: "The engine makes no images with a transparent background."
})
const wordsOnly = new GenerationFailed({
  code: "references_unsupported",
  detail: "The engine makes images from words alone, without reference pictures."
})
const notFetched = new GenerationFailed({
  code: "result_not_fetched",
  detail: "The provider made the image, but it could not be fetched from the address that it gave."
})

/** What models of this interface can do, as far as their names tell; unknown ones are asked for everything. */
const isOfWords = (model: string): boolean => /^dall-e/.test(model)

/** The nearest size that the model makes; the picture is cut to the one that was asked for. */
const sizeFor = (model: string, { height, width }: ImageOrder): string => {
  const shape = width === height ? "square" : width > height ? "landscape" : "portrait"
  if (/^dall-e-3/.test(model)) return { square: "1024x1024", landscape: "1792x1024", portrait: "1024x1792" }[shape]
  if (/^dall-e-2/.test(model)) return "1024x1024"
  return { square: "1024x1024", landscape: "1536x1024", portrait: "1024x1536" }[shape]
}

interface Body {
  readonly type: string
  readonly bytes: Uint8Array | string
}

const jsonBody = (value: object): Body => ({ type: "application/json", bytes: JSON.stringify(value) })

const formBody = (fields: { readonly [name: string]: string }, pictures: ReadonlyArray<Uint8Array>): Body => {
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
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(parts) }
}

/** Any provider that speaks the OpenAI images interface. */
export const makeLiveImages = ({ apiKey, models, url }: ImageSettings) =>
  Effect.map(OutboundHttp, (http) => {
    const post = (path: string, { bytes, type }: Body) =>
      Effect.gen(function* () {
        const response = yield* http.request({
          method: "POST",
          url: `${url}${path}`,
          headers: {
            authorization: `Bearer ${Redacted.value(apiKey)}`,
            "content-type": type,
            accept: "application/json"
          },
          body: bytes,
          timeout: "4 minutes",
          maxResponseBytes: mostBytes,
          allowNonPublic: true
        })
        if (response.status < 200 || response.status > 299) {
          return yield* Effect.fail(orderRefused(response, yield* Clock.currentTimeMillis))
        }
        return jsonOf(response.body)
      }).pipe(
        Effect.catchTags({
          Refused: () => addressRefused,
          OutboundFailure: (failure) => Effect.fail(orderUnanswered(failure))
        })
      )

    /** A result that was made and paid for is asked for a few times before it is given up. */
    const download = (address: string, order: ImageOrder) =>
      http
        .request({
          account: order.accountId,
          method: "GET",
          url: address,
          // A provider on the operator's own network answers with addresses there.
          allowNonPublic: address.startsWith(new URL(url).origin),
          timeout: "1 minute",
          maxResponseBytes: mostBytes
        })
        .pipe(
          Effect.filterOrFail(
            ({ status }) => status === 200,
            () => notFetched
          ),
          Effect.map(({ body }) => body),
          Effect.retry({ times: 2 }),
          Effect.catchAll(() => Effect.fail(notFetched))
        )

    return ImageEngine.of({
      mode: "live",
      make: (order) =>
        Effect.gen(function* () {
          const model = models[order.model]
          if (order.isTransparent && isOfWords(model)) return yield* opaqueOnly
          if (order.pictures.length > 0 && isOfWords(model)) return yield* wordsOnly
          const fields = { model, prompt: order.prompt, n: "1", size: sizeFor(model, order) }
          const answer = yield* order.pictures.length > 0
            ? post(
                "/images/edits",
                formBody({ ...fields, ...(order.isTransparent ? { background: "transparent" } : {}) }, order.pictures)
              )
            : post(
                "/images/generations",
                jsonBody({
                  ...fields,
                  n: 1,
                  ...(isOfWords(model) ? { response_format: "b64_json" } : {}),
                  ...(order.isTransparent ? { background: "transparent" } : {})
                })
              )
          const encoded = textMember(answer, "data", 0, "b64_json")
          if (encoded !== undefined) return Buffer.from(encoded, "base64")
          const address = textMember(answer, "data", 0, "url")
          return address === undefined ? yield* unreadableAnswer : yield* download(address, order)
        })
    })
  })
