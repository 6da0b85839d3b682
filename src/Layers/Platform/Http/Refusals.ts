import { type IncomingMessage, ServerResponse } from "node:http"
import { connectionArrivals } from "../ConnectionArrivals.ts"
import { drainRoundRobin, RoundRobinQueue } from "../RoundRobinQueue.ts"
import { dropRest, leaveUnread, unreadBytes } from "./UnreadBody.ts"

/** What one address is told at once in a second, and what a refusal counts for: one, and one more for each of these bytes left unread. */
const atOnce = 200
const bytesOfOne = 16 * 1024

/** Milliseconds that the others wait. */
const wait = 1000

/** More do not wait: they are told at once, and their connection is closed. */
export const mostWaiting = 2000

/** So many that have waited are told in one turn of the event loop. */
const toldInTurn = 4

export interface Refusals {
  /** Calls `tell` now, or after a while where the address is told very much; answers false where too many wait. */
  readonly tell: (address: string | undefined, cost: number, tell: () => void) => boolean
}

export interface RefusalsOptions {
  readonly now?: () => number
  readonly givesWay?: () => boolean
  readonly later?: (run: () => void, millis: number) => void
}

/**
 * A refusal costs its caller nothing, so that whoever repeats it at once could have thousands of them in a second, each with
 * a body that is read to be dropped. Those of one address beyond some are told a second later, and until then nothing more
 * is read of the request: a connection has one in a second at most, and others do not feel them.
 */
export const makeRefusals = ({
  givesWay = connectionArrivals.watch(),
  later = (run, millis) => void setTimeout(run, millis).unref(),
  now = () => performance.now()
}: RefusalsOptions = {}): Refusals => {
  let told = new Map<string | undefined, number>()
  let since = now()
  let waiting = 0
  const due = new RoundRobinQueue<string | undefined, () => void>()
  const schedule = drainRoundRobin(due, {
    inTurn: toldInTurn,
    givesWay,
    use: (tell) => {
      waiting--
      tell()
    }
  })
  const add = (address: string | undefined, tell: () => void): void => {
    due.add(address, tell)
    schedule()
  }
  return {
    tell: (address, cost, tell) => {
      if (now() >= since + wait) {
        told = new Map()
        since = now()
      }
      const before = told.get(address) ?? 0
      if (before < atOnce) {
        told.set(address, before + cost)
        tell()
        return true
      }
      if (waiting >= mostWaiting) {
        tell()
        return false
      }
      waiting++
      later(() => add(address, tell), wait)
      return true
    }
  }
}

/** Of this process, which has one event loop. */
const refusals = makeRefusals()

const isFree = (status: number, unread: number): boolean =>
  status >= 500 || status === 401 || status === 429 || (status >= 400 && unread > 0)

const told = new WeakSet<ServerResponse>()

/** Writes an answer: at once, but for a refusal of which its sender has had many. */
export const tellInTime = (response: ServerResponse, tell: () => void): void => {
  const { req: request, statusCode } = response
  const unread = unreadBytes(request)
  if (told.has(response) || !isFree(statusCode, unread)) return tell()
  told.add(response)
  const { socket } = request
  const cost = 1 + Math.min(unread / bytesOfOne, atOnce)
  if (!refusals.tell(socket.remoteAddress, cost, tell)) socket.destroySoon()
}

/** The answer of whatever route: it is written when it ends, and what is left of the request is dropped then. */
export class AnswerInTime<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override end(...given: ReadonlyArray<unknown>): this {
    const { req: request } = this
    if (!this.writableEnded && unreadBytes(request) > 0) {
      leaveUnread(request)
      this.once("finish", () => dropRest(request))
    }
    tellInTime(this, () => {
      Reflect.apply(ServerResponse.prototype["end"], this, given)
    })
    return this
  }
}
