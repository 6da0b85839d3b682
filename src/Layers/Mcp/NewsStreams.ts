import type { IncomingMessage, ServerResponse } from "node:http"
import { Cause, Effect, Exit, Option, type Scope } from "effect"
import type { McpRequest } from "../../Api/Mcp/Messages.ts"
import {
  codes,
  notificationText,
  objectOf,
  type Problem,
  problem,
  problemText,
  type RequestId,
  resultText
} from "../../Api/Mcp/Protocol.ts"
import type { CallScope } from "../../Api/Mcp/Toolbox.ts"
import type { Transient, Unauthorized } from "../../Errors.ts"
import type { TokenHolder } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import { mostFollowed, ResourceNews } from "../../Services/Mcp/ResourceNews.ts"
import { type Listener, makeListeners } from "./Listeners.ts"
import type { McpStream } from "./McpStream.ts"

/**
 * Looks up the caller of a request and passes it to `then`. Returns the token's last known holder without waiting, if
 * there is one.
 */
export type Authenticate = (
  request: IncomingMessage,
  address: string,
  then: (exit: Exit.Exit<TokenHolder, Unauthorized | Transient>) => void
) => TokenHolder | undefined

/** A client that wants notifications. */
export interface Waiting {
  readonly holder: TokenHolder
  readonly address: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly stream: McpStream
  /** The id of the request that opened the stream. Undefined for an older client. */
  readonly id?: RequestId
  readonly session?: string
  readonly uris?: ReadonlySet<string>
  readonly honoured?: object
}

/** The most unread data of a stream, in bytes. */
const mostUnread = 256 * 1024

const notNow = problem(503, codes.internalError, "News cannot be told for now. Ask again.")
const tooManyStreams = problem(429, codes.invalidRequest, "Too many streams are open for this token.")

/** The resources for which notifications exist. */
interface Followed {
  readonly resources: { readonly hasNews: (uri: string, scope: CallScope) => boolean }
}

interface NewsStreamOptions {
  readonly authenticate: Authenticate
  readonly isDraining: () => boolean
  /** Runs a read for the caller. */
  readonly read: <A>(
    effect: Effect.Effect<A, never, Caller>,
    caller: Caller["Type"],
    onExit: (exit: Exit.Exit<A>) => void
  ) => void
}

/** Streams that notify clients of changes to the resources they follow. */
export const makeNewsStreams = ({
  authenticate,
  isDraining,
  read
}: NewsStreamOptions): Effect.Effect<
  {
    readonly open: (waiting: Waiting) => void
    readonly listen: (message: McpRequest, offer: Followed, scope: CallScope, waiting: Waiting) => void
  },
  never,
  ResourceNews | Scope.Scope
> =>
  Effect.gen(function* () {
    const news = yield* ResourceNews
    const listeners = yield* makeListeners(isDraining)

    /** Opens a stream. It lasts until the client leaves, its token ends or the gateway stops. */
    const open = (waiting: Waiting): void => {
      const { address, holder, id, request, requestId, response, stream } = waiting
      const refuse = (problem: Problem) =>
        stream.end({ status: problem.status, body: problemText(id ?? null, problem) })
      const { accountId, plan, tokenId } = holder
      const caller = { accountId, plan, tokenId, requestId }
      const latest = Effect.catchAll(news.latest, () => Effect.succeed(undefined))
      read(latest, caller, (exit) => {
        if (!stream.isOpen) return
        if (Exit.isFailure(exit) || exit.value === undefined) return refuse(notNow)
        const end = () =>
          id === undefined
            ? response.end()
            : stream.end({ status: 200, body: resultText(id, "modern", { type: "complete", members: "" }, "") })
        const meta = id === undefined ? {} : { _meta: { "io.modelcontextprotocol/subscriptionId": id } }
        const listener: Listener = {
          holder,
          uris: waiting.uris,
          session: waiting.session,
          tell: (uri) => {
            // A client that does not read its notifications would use up memory.
            if (response.writableLength > mostUnread) response.destroy()
            else stream.send(notificationText("notifications/resources/updated", { uri, ...meta }))
          },
          keepAlive: () => stream.keepAlive(),
          check: () => {
            authenticate(request, address, (holder) => {
              const failure = Exit.isFailure(holder)
                ? Option.getOrUndefined(Cause.failureOption(holder.cause))
                : undefined
              if (failure?._tag === "Unauthorized") end()
            })
          },
          close: end
        }
        if (!listeners.add(listener, exit.value)) return refuse(tooManyStreams)
        response.once("close", () => listeners.remove(listener))
        stream.open()
        if (id !== undefined) {
          stream.send(
            notificationText("notifications/subscriptions/acknowledged", { ...meta, notifications: waiting.honoured })
          )
        }
      })
    }

    /** The requested notifications that exist. */
    const listen = (message: McpRequest, offer: Followed, scope: CallScope, waiting: Waiting): void => {
      const requestedNotifications = objectOf(message.params["notifications"])
      const requestedUris = requestedNotifications["resourceSubscriptions"]
      const uris = (Array.isArray(requestedUris) ? requestedUris : [])
        .slice(0, mostFollowed)
        .filter((uri: unknown): uri is string => typeof uri === "string" && offer.resources.hasNews(uri, scope))
      const lists = ["toolsListChanged", "promptsListChanged", "resourcesListChanged"].filter(
        (name) => requestedNotifications[name] === true
      )
      open({
        ...waiting,
        id: message.id,
        uris: new Set(uris),
        honoured: {
          ...Object.fromEntries(lists.map((name) => [name, true])),
          ...(uris.length === 0 ? {} : { resourceSubscriptions: uris })
        }
      })
    }

    return { open, listen }
  })
