import type { IncomingMessage, ServerResponse } from "node:http"
import { HttpServerRequest } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import { bodyTooLarge, encodedBody } from "../../../Api.ts"
import { badRequest, type RequestRefused, type Transient, transient } from "../../../Errors.ts"
import { BodyBudget, type BodyBudgetShape, type BodyParty } from "./BodyBudget.ts"

const cutShort = badRequest(
  "InvalidRequestBody",
  "The connection ended before the body was complete.",
  "Send the whole body that Content-Length announces."
)

/** The body is of the size that it may have, but others' are held already. */
export const noRoom: Transient = transient("overloaded", "More is being sent than the platform can hold at a time.", 2)

const empty = Buffer.alloc(0)

export interface BodyOptions {
  /** Bytes of one body. */
  readonly limit: number
  readonly budget: BodyBudgetShape
  readonly party: BodyParty
  /** Is told of each piece as it comes. */
  readonly onPiece?: (piece: Buffer) => void
}

/**
 * The body, at most `limit` bytes: a larger one is refused when its length is announced or as soon as it is passed. Its
 * bytes count against the budget from when they arrive until the request is answered.
 */
export const readBody = (
  request: IncomingMessage,
  response: ServerResponse,
  { budget, limit, onPiece, party }: BodyOptions
): Effect.Effect<Buffer, RequestRefused | Transient> =>
  Effect.suspend(() => {
    const { "content-encoding": encoding, "content-length": length, "transfer-encoding": transfer } = request.headers
    if (encoding !== undefined && encoding !== "identity") return Effect.fail(encodedBody)
    if (length !== undefined && Number(length) > limit) return Effect.fail(bodyTooLarge(limit))
    if (transfer === undefined && (length === undefined || length === "0")) return Effect.succeed(empty)
    return Effect.async((resume) => {
      let chunks: Array<Buffer> = []
      let size = 0
      let isOver = false
      let leave = (): void => {}
      response.once("close", () => {
        isOver = true
        leave()
        budget.giveBack(party, size)
        chunks = []
      })
      const stop = (failure: RequestRefused | Transient): void => {
        request.removeAllListeners("data")
        chunks = []
        resume(Effect.fail(failure))
      }
      request.on("data", (chunk: Buffer) => {
        if (isOver) return
        if (size + chunk.length > limit) return stop(bodyTooLarge(limit))
        if (!budget.take(party, chunk.length)) return stop(noRoom)
        size += chunk.length
        chunks.push(chunk)
        onPiece?.(chunk)
      })
      let isWhole = false
      request.once("end", () => {
        isWhole = true
        if (isOver) return
        leave = budget.inTurn(
          party,
          size,
          () => resume(Effect.succeed(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))),
          () => stop(noRoom)
        )
      })
      const ended = () => {
        if (!isWhole) resume(Effect.fail(cutShort))
      }
      request.once("error", ended)
      request.once("close", ended)
    })
  })

/** The body of the request of an endpoint. */
export const endpointBody = (
  options: Omit<BodyOptions, "budget">
): Effect.Effect<Buffer, RequestRefused | Transient, HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const budget = yield* BodyBudget
    return yield* readBody(
      NodeHttpServerRequest.toIncomingMessage(request),
      NodeHttpServerRequest.toServerResponse(request),
      { ...options, budget }
    )
  })
