import type { IncomingMessage, ServerResponse } from "node:http"
import { HttpServerRequest } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect, Either } from "effect"
import { bodyTooLarge, encodedBody } from "../../../Api.ts"
import { badRequest, overloadedReason, type RequestRefused, type Transient, transient } from "../../../Errors.ts"
import { BodyBudget, type BodyBudgetShape, pieceSize, smallBody } from "./BodyBudget.ts"
import type { BodyParty } from "./BodyPace.ts"

const cutShort = badRequest(
  "InvalidRequestBody",
  "The connection ended before the body was complete.",
  "Send the whole body that Content-Length announces."
)

/** The body is of the size that it may have, but others' are held already. */
export const noRoom: Transient = transient(
  overloadedReason,
  "More is being sent than the platform can hold at a time.",
  2
)

const empty = Buffer.alloc(0)

export interface BodyOptions {
  /** Bytes of one body. */
  readonly limit: number
  readonly budget: BodyBudgetShape
  readonly party: BodyParty
  /** Is told of each piece as it comes. */
  readonly onPiece?: (piece: Buffer) => void
}

type BodyRead = Either.Either<Buffer, RequestRefused | Transient>

/** What is known of the body before it comes. */
const readAtOnce = ({ headers }: IncomingMessage, limit: number): BodyRead | undefined => {
  const { "content-encoding": encoding, "content-length": length, "transfer-encoding": transfer } = headers
  if (encoding !== undefined && encoding !== "identity") return Either.left(encodedBody)
  if (length !== undefined && Number(length) > limit) return Either.left(bodyTooLarge(limit))
  return transfer === undefined && (length === undefined || length === "0") ? Either.right(empty) : undefined
}

/** Whether the body is long, or may be. */
export const isLongBody = ({ headers }: IncomingMessage): boolean => {
  const { "content-length": length, "transfer-encoding": transfer } = headers
  return transfer !== undefined || (length !== undefined && Number(length) >= smallBody)
}

const collect = (
  request: IncomingMessage,
  response: ServerResponse,
  { budget, limit, onPiece, party }: BodyOptions,
  answered: (body: BodyRead) => void
): void => {
  if (response.destroyed) return answered(Either.left(cutShort))
  const { "content-length": length } = request.headers
  const announced = length === undefined ? undefined : Number(length)
  const reading = announced === undefined || announced >= smallBody ? budget.reading(party) : undefined
  let chunks: Array<Buffer> = []
  let size = 0
  let taken = 0
  let ofPiece = 0
  let isOver = false
  let leave = (): void => {}
  response.once("close", () => {
    isOver = true
    leave()
    reading?.end()
    budget.giveBack(party, taken)
    chunks = []
  })
  /** The refusal may be told later, and what is left of the body is read behind it. */
  const stop = (failure: RequestRefused | Transient): void => {
    isOver = true
    request.removeAllListeners("data")
    request.pause()
    reading?.end()
    budget.giveBack(party, taken)
    taken = 0
    chunks = []
    answered(Either.left(failure))
  }
  /** Also what the connection has read ahead counts. */
  const isHeld = (): boolean => {
    const more = size + request.readableLength - taken
    if (more <= 0) return true
    if (!budget.take(party, more)) return false
    taken += more
    return true
  }
  if (reading !== undefined) request.pause()
  if (!isHeld()) return stop(noRoom)
  request.on("data", (chunk: Buffer) => {
    if (isOver) return
    size += chunk.length
    if (size > limit) return stop(bodyTooLarge(limit))
    if (!isHeld()) return stop(noRoom)
    chunks.push(chunk)
    onPiece?.(chunk)
    ofPiece += chunk.length
    if (reading === undefined || ofPiece < pieceSize || size === announced) return
    ofPiece = 0
    request.pause()
    reading.next(() => request.resume())
  })
  reading?.next(() => request.resume())
  let isWhole = false
  request.once("end", () => {
    isWhole = true
    if (isOver) return
    leave = budget.inTurn(
      party,
      size,
      () => answered(Either.right(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))),
      () => stop(noRoom)
    )
  })
  const ended = () => {
    if (!isWhole) answered(Either.left(cutShort))
  }
  request.once("error", ended)
  request.once("close", ended)
}

/**
 * The body, at most `limit` bytes: a larger one is refused when its length is announced or as soon as it is passed. Its
 * bytes count against the budget from when they arrive until the request is answered.
 */
export const readBody = (
  request: IncomingMessage,
  response: ServerResponse,
  options: BodyOptions
): Effect.Effect<Buffer, RequestRefused | Transient> =>
  Effect.suspend(
    () =>
      readAtOnce(request, options.limit) ??
      Effect.async<Buffer, RequestRefused | Transient>((resume) => collect(request, response, options, resume))
  )

/** The same for those who wait with a function instead of a fiber; it is called once. */
export const takeBody = (
  request: IncomingMessage,
  response: ServerResponse,
  options: BodyOptions,
  answered: (body: BodyRead) => void
): void => {
  const known = readAtOnce(request, options.limit)
  if (known !== undefined) return answered(known)
  let isAnswered = false
  collect(request, response, options, (body) => {
    if (isAnswered) return
    isAnswered = true
    answered(body)
  })
}

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
