import { type IncomingMessage, ServerResponse } from "node:http"
import type { ConnectionArrivals } from "../Admission/ConnectionArrivals.ts"
import { makeRefusals, mostImmediate, type Refusals } from "../Admission/Refusals.ts"
import { makeBodyReads } from "../Bodies/BodyReads.ts"
import { dropRest, leaveUnread, unreadBytes } from "../Bodies/UnreadBody.ts"
import { clientAddress, clientShare, type TrustedProxies } from "../ClientAddress.ts"

/** A refusal counts once more for each of these many unread bytes, because the server has to read and drop them. */
const bytesPerCost = 16 * 1024
/** Unread bodies are dropped a piece at a time at about 8 MB/s, since each piece is memory to be collected. */
const dropPieceEveryMillis = 30
/** A client that was answered early may send for this long before its connection closes. */
const longestRestMillis = 2000

/**
 * True if the client could repeat the request without cost: no work was done for it, or its body was not read. Such
 * answers are slowed down.
 */
const isFree = (status: number, unread: number): boolean =>
  status >= 500 || status === 401 || status === 429 || (status >= 400 && unread > 0)

/**
 * A response that delays refusals of clients with too many of them, and drops the unread rest of the request's body.
 */
export abstract class PacedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  protected abstract readonly refuse: Refusals
  /** Returns the client that refusals are counted for. All addresses of a subscriber count as one client. */
  protected abstract readonly clientOf: (request: IncomingMessage) => string
  protected abstract readonly dropReads: ReturnType<typeof makeBodyReads>
  #isPaced = false

  /**
   * Writes the answer, and ends it once the client has stopped sending. Closing the connection earlier would reset it,
   * and the client would lose the answer.
   */
  endAfterRest(body: string | Uint8Array): void {
    this.#writeWhenDue(() => {
      this.write(body)
      const timer = setTimeout(() => this.end(), longestRestMillis)
      this.req.once("close", () => {
        clearTimeout(timer)
        this.end()
      })
      dropRest(this.req, this.dropReads)
    })
  }

  override end(...args: ReadonlyArray<unknown>): this {
    if (!this.writableEnded && unreadBytes(this.req) > 0) {
      leaveUnread(this.req)
      this.once("finish", () => dropRest(this.req, this.dropReads))
    }
    this.#writeWhenDue(() => void Reflect.apply(ServerResponse.prototype["end"], this, args))
    return this
  }

  #writeWhenDue(write: () => void): void {
    const { req: request, statusCode } = this
    const unread = unreadBytes(request)
    if (this.#isPaced || !isFree(statusCode, unread)) return write()
    this.#isPaced = true
    const cost = 1 + Math.min(unread / bytesPerCost, mostImmediate)
    if (!this.refuse(this.clientOf(request), cost, write)) request.socket.destroySoon()
  }
}

/** Makes the response class for one server. */
export const pacedResponses = (
  arrivals: ConnectionArrivals["Type"],
  isProxy: TrustedProxies,
  refuse: Refusals = makeRefusals(arrivals.watch())
) => {
  const clientOf = (request: IncomingMessage): string => clientShare(clientAddress(request, isProxy))
  const dropReads = makeBodyReads(arrivals.watch(), dropPieceEveryMillis)
  return class<Request extends IncomingMessage = IncomingMessage> extends PacedResponse<Request> {
    protected override readonly refuse = refuse
    protected override readonly clientOf = clientOf
    protected override readonly dropReads = dropReads
  }
}
