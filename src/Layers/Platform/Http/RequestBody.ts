import type { IncomingMessage } from "node:http"
import { Effect } from "effect"
import { bodyTooLarge, encodedBody } from "../../../Api.ts"
import { badRequest, type RequestRefused } from "../../../Errors.ts"

const cutShort = badRequest(
  "InvalidRequestBody",
  "The connection ended before the body was complete.",
  "Send the whole body that Content-Length announces."
)

const empty = Buffer.alloc(0)

/** The body, at most `limit` bytes: a larger one is refused when its length is announced or as soon as it is passed. */
export const readBody = (request: IncomingMessage, limit: number): Effect.Effect<Buffer, RequestRefused> =>
  Effect.suspend(() => {
    const { "content-encoding": encoding, "content-length": length, "transfer-encoding": transfer } = request.headers
    if (encoding !== undefined && encoding !== "identity") return Effect.fail(encodedBody)
    if (length !== undefined && Number(length) > limit) return Effect.fail(bodyTooLarge(limit))
    if (transfer === undefined && (length === undefined || length === "0")) return Effect.succeed(empty)
    return Effect.async((resume) => {
      const chunks: Array<Buffer> = []
      let size = 0
      request.on("data", (chunk: Buffer) => {
        size += chunk.length
        if (size > limit) {
          request.removeAllListeners("data")
          resume(Effect.fail(bodyTooLarge(limit)))
        } else chunks.push(chunk)
      })
      request.once("end", () =>
        resume(Effect.succeed(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
      )
      request.once("error", () => resume(Effect.fail(cutShort)))
      request.once("close", () => resume(Effect.fail(cutShort)))
    })
  })
