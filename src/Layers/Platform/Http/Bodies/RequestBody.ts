import type { IncomingMessage, ServerResponse } from "node:http"
import { HttpServerRequest } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect, Either } from "effect"
import { bodyTooLarge, encodedBody } from "../../../../Api.ts"
import { badRequest, overloadedReason, type RequestRefused, type Transient, transient } from "../../../../Errors.ts"
import {
  BodyBudget,
  type BodyTenant,
  isAnonymous,
  largeBodyBytes,
  leastBytesPerSecond
} from "../Admission/BodyBudget.ts"
import { type BodyReading, pieceBytes } from "./BodyReads.ts"

const cutShort = badRequest(
  "InvalidRequestBody",
  "The connection ended before the body was complete.",
  "Send the whole body that Content-Length announces."
)

const tooSlow = badRequest(
  "InvalidRequestBody",
  "The body arrives too slowly.",
  `Send at least ${leastBytesPerSecond} bytes a second.`
)

/** The answer if the body itself is not too large, but the bodies of other requests fill the budget. */
export const noRoom: Transient = transient(
  overloadedReason,
  "More is being sent than the platform can hold at a time.",
  2
)

const empty = Buffer.alloc(0)

export interface BodyOptions {
  /** The most bytes of one body. */
  readonly limit: number
  readonly budget: BodyBudget["Type"]
  readonly tenant: BodyTenant
  /** True if work on the body continues after the answer, as with mail. */
  readonly leavesWork?: boolean
  /** Called with each chunk as it arrives. */
  readonly onChunk?: (chunk: Buffer) => void
}

type BodyRead = Either.Either<Buffer, RequestRefused | Transient>

/** Returns the result if the headers alone decide it, or else undefined. */
const readFromHeaders = ({ headers }: IncomingMessage, limit: number): BodyRead | undefined => {
  const { "content-encoding": encoding, "content-length": length, "transfer-encoding": transfer } = headers
  if (encoding !== undefined && encoding !== "identity") return Either.left(encodedBody)
  if (length !== undefined && Number(length) > limit) return Either.left(bodyTooLarge(limit))
  return transfer === undefined && (length === undefined || length === "0") ? Either.right(empty) : undefined
}

/** True if the body is long, or its length is not announced. */
export const isLongBody = ({ headers }: IncomingMessage): boolean => {
  const { "content-length": length, "transfer-encoding": transfer } = headers
  return transfer !== undefined || (length !== undefined && Number(length) >= largeBodyBytes)
}

/** Collects one body. Its bytes stay reserved until the response closes. */
class BodyCollector {
  readonly #request: IncomingMessage
  readonly #options: BodyOptions
  readonly #onResult: (body: BodyRead) => void
  readonly #announced: number | undefined
  /** Paces the reading of a long body; undefined for a short one, which is read at once. */
  readonly #reading: BodyReading | undefined
  #chunks: Array<Buffer> = []
  #size = 0
  #bytesOfPiece = 0
  #reservedBytes = 0
  #isOver = false
  #paceTimer: NodeJS.Timeout | undefined
  #leaveTurn = (): void => {}

  constructor(request: IncomingMessage, options: BodyOptions, onResult: (body: BodyRead) => void) {
    const { "content-length": length } = request.headers
    this.#request = request
    this.#options = options
    this.#onResult = onResult
    this.#announced = length === undefined ? undefined : Number(length)
    const isShort = this.#announced !== undefined && this.#announced < largeBodyBytes
    this.#reading = isShort ? undefined : options.budget.readingOf(options.tenant)
  }

  start(response: ServerResponse): void {
    const request = this.#request
    if (response.destroyed) return this.#onResult(Either.left(cutShort))
    response.once("close", () => {
      this.#leaveTurn()
      this.#release()
    })
    if (this.#reading !== undefined) request.pause()
    if (!this.#reserveArrived()) return this.#refuse(noRoom)
    request.on("data", (chunk: Buffer) => this.#add(chunk))
    this.#reading?.next(() => request.resume())
    let isWhole = false
    request.once("end", () => {
      isWhole = true
      clearInterval(this.#paceTimer)
      if (!this.#isOver) this.#queueResult()
    })
    request.once("close", () => clearInterval(this.#paceTimer))
    this.#watchPace()
    const onCutShort = () => {
      if (!isWhole) this.#onResult(Either.left(cutShort))
    }
    request.once("error", onCutShort)
    request.once("close", onCutShort)
  }

  /** Refuses a body without token or key that reserves memory and then arrives too slowly. */
  #watchPace(): void {
    const { budget, tenant } = this.#options
    if (!isAnonymous(tenant)) return
    const leastBytes = (leastBytesPerSecond * budget.paceWindowMillis) / 1000
    let sizeBefore = 0
    this.#paceTimer = setInterval(() => {
      const isSlow = !this.#request.isPaused() && this.#size < sizeBefore + leastBytes
      sizeBefore = this.#size
      if (isSlow && !this.#isOver) this.#refuse(tooSlow)
    }, budget.paceWindowMillis).unref()
  }

  #add(chunk: Buffer): void {
    const { limit, onChunk } = this.#options
    if (this.#isOver) return
    this.#size += chunk.length
    if (this.#size > limit) return this.#refuse(bodyTooLarge(limit))
    if (!this.#reserveArrived()) return this.#refuse(noRoom)
    this.#chunks.push(chunk)
    onChunk?.(chunk)
    this.#bytesOfPiece += chunk.length
    if (this.#reading === undefined || this.#bytesOfPiece < pieceBytes || this.#size === this.#announced) return
    this.#bytesOfPiece = 0
    this.#request.pause()
    this.#reading.next(() => this.#request.resume())
  }

  /** Reserves memory for the bytes that have arrived, including those that the connection has buffered. */
  #reserveArrived(): boolean {
    const { budget, tenant } = this.#options
    const missing = this.#size + this.#request.readableLength - this.#reservedBytes
    if (missing <= 0) return true
    if (!budget.reserve(tenant, missing)) return false
    this.#reservedBytes += missing
    return true
  }

  #queueResult(): void {
    const { budget, leavesWork, tenant } = this.#options
    this.#leaveTurn = budget.enqueue(
      tenant,
      this.#size,
      () => {
        const [first, second] = this.#chunks
        this.#onResult(Either.right(first !== undefined && second === undefined ? first : Buffer.concat(this.#chunks)))
      },
      () => this.#refuse(noRoom),
      leavesWork
    )
  }

  /**
   * Refuses the body and stops reading it. The refusal may be delayed, and the response drops the rest of the body
   * later.
   */
  #refuse(failure: RequestRefused | Transient): void {
    this.#request.removeAllListeners("data")
    this.#request.pause()
    this.#release()
    this.#onResult(Either.left(failure))
  }

  #release(): void {
    const { budget, tenant } = this.#options
    this.#isOver = true
    clearInterval(this.#paceTimer)
    this.#reading?.end()
    budget.release(tenant, this.#reservedBytes)
    this.#reservedBytes = 0
    this.#chunks = []
  }
}

/**
 * Reads a body of at most `limit` bytes. A larger one is refused when its length is announced, or as soon as it exceeds
 * the limit. The bytes stay reserved until the request is answered.
 */
export const readBody = (
  request: IncomingMessage,
  response: ServerResponse,
  options: BodyOptions
): Effect.Effect<Buffer, RequestRefused | Transient> =>
  Effect.suspend(
    () =>
      readFromHeaders(request, options.limit) ??
      Effect.async<Buffer, RequestRefused | Transient>((resume) =>
        new BodyCollector(request, options, resume).start(response)
      )
  )

/** Reads a body for callers that have no fiber yet. Calls `onResult` once. */
export const takeBody = (
  request: IncomingMessage,
  response: ServerResponse,
  options: BodyOptions,
  onResult: (body: BodyRead) => void
): void => {
  const result = readFromHeaders(request, options.limit)
  if (result !== undefined) return onResult(result)
  let hasResult = false
  const collector = new BodyCollector(request, options, (body) => {
    if (hasResult) return
    hasResult = true
    onResult(body)
  })
  collector.start(response)
}

/** Reads the body of a request to an endpoint. By default it counts for the client's address. */
export const endpointBody = (
  options: Omit<BodyOptions, "budget" | "tenant"> & { readonly tenant?: BodyTenant }
): Effect.Effect<Buffer, RequestRefused | Transient, HttpServerRequest.HttpServerRequest | BodyBudget> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const budget = yield* BodyBudget
    const incoming = NodeHttpServerRequest.toIncomingMessage(request)
    const { tenant = budget.anonymous(incoming) } = options
    return yield* readBody(incoming, NodeHttpServerRequest.toServerResponse(request), { ...options, budget, tenant })
  })
