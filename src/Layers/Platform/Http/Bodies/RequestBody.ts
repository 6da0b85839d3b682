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

/** The body is not too large, but the bodies of other requests fill the budget. */
export const noRoom: Transient = transient(
  overloadedReason,
  "More is being sent than the platform can hold at a time.",
  2
)

const empty = Buffer.alloc(0)

export interface BodyOptions {
  /** Bytes of one body. */
  readonly limit: number
  readonly budget: BodyBudget["Type"]
  readonly tenant: BodyTenant
  /** Whether the body is still worked on after the answer, as mail is. */
  readonly leavesWork?: boolean
  /** Called with each chunk as it arrives. */
  readonly onChunk?: (chunk: Buffer) => void
}

type BodyRead = Either.Either<Buffer, RequestRefused | Transient>

/** The result that follows from the headers alone, if any. */
const readFromHeaders = ({ headers }: IncomingMessage, limit: number): BodyRead | undefined => {
  const { "content-encoding": encoding, "content-length": length, "transfer-encoding": transfer } = headers
  if (encoding !== undefined && encoding !== "identity") return Either.left(encodedBody)
  if (length !== undefined && Number(length) > limit) return Either.left(bodyTooLarge(limit))
  return transfer === undefined && (length === undefined || length === "0") ? Either.right(empty) : undefined
}

/** Whether the body is long, or may be. */
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
  /** A short body needs no turn to be read. */
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

  /** Refuses a body of an unknown client that takes its room without filling it. */
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

  /** Reserves also what the connection has read ahead. */
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

  /** The rest stays unread here: the refusal may be delayed, and the rest is read behind it. */
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
 * The body, at most `limit` bytes: a larger one is refused when its length is announced or as soon as it is passed. Its
 * bytes stay reserved until the request is answered.
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

/** Calls `onResult` once, for callers that have no fiber yet. */
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

/** The body of the request of an endpoint. By default it counts for the address of the client. */
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
