import type { IncomingMessage } from "node:http"
import { Effect, Option } from "effect"
import { headerValue, type McpRequest } from "../../Api/Mcp/Messages.ts"
import { codes, isObject, notificationText, type Problem, problem } from "../../Api/Mcp/Protocol.ts"
import type { CallScope } from "../../Api/Mcp/Toolbox.ts"
import { isTrue } from "../../Api/Mcp/Toolsets.ts"
import type { TokenHolder } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { ClientQuestions, QuestionedCall } from "../../Services/Mcp/ClientQuestions.ts"
import type { McpStream } from "./McpStream.ts"

const cannotAsk = problem(400, codes.invalidRequest, "The client takes no stream, so that nothing can be asked.")
const notNow = problem(503, codes.internalError, "The question cannot be kept for now. Repeat the call.")

const lookForAnswerEvery = "300 millis"

interface ScopeParts {
  readonly exchange: {
    readonly address: string
    readonly request: IncomingMessage
    readonly session: string | undefined
    readonly stream: McpStream
  }
  readonly message: McpRequest
  readonly holder: TokenHolder
  readonly caller: Caller["Type"]
  readonly questions: ClientQuestions["Type"]
  readonly note: CallScope["note"]
}

/** Asks the client a question during its call. Waits for the answer while the stream is open. */
const asking =
  ({ caller, exchange: { stream }, questions }: ScopeParts) =>
  (method: string, params: object, call: QuestionedCall): Effect.Effect<unknown, Problem> => {
    if (!stream.canStream) return Effect.fail(cannotAsk)
    return Effect.gen(function* () {
      const { id } = yield* questions.open(call)
      stream.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }))
      while (stream.isOpen) {
        const answer = yield* questions.answered(id)
        if (Option.isSome(answer)) return answer.value
        yield* Effect.sleep(lookForAnswerEvery)
      }
      return undefined
    }).pipe(
      Effect.provideService(Caller, caller),
      Effect.mapError(() => notNow)
    )
  }

/** Creates the scope of a message: what it may do, and the data that the client sent with it. */
export const makeCallScope = (parts: ScopeParts): CallScope => {
  const { exchange, holder, message, note } = parts
  const { address, request, session, stream } = exchange
  const key = message.meta["io.prospecting-gateway/idempotencyKey"]
  const dryRun = message.meta["io.prospecting-gateway/dryRun"]
  const { inputResponses, requestState } = message.params
  return {
    era: message.era,
    meta: message.meta,
    capabilities: message.capabilities,
    address,
    bounds: holder.bounds,
    confirmation: holder.confirmation ?? "when_possible",
    lockdown: isTrue(headerValue(request.headers, "x-mcp-lockdown")),
    session,
    idempotencyKey: typeof key === "string" ? key : headerValue(request.headers, "idempotency-key"),
    dryRun:
      dryRun === undefined
        ? headerValue(request.headers, "dry-run")
        : typeof dryRun === "string"
          ? dryRun
          : JSON.stringify(dryRun),
    inputResponses: isObject(inputResponses) ? inputResponses : undefined,
    requestState: typeof requestState === "string" ? requestState : undefined,
    note,
    notify: (method, params) => stream.send(notificationText(method, params)),
    ask: asking(parts)
  }
}
