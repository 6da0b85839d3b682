import type { IncomingMessage, ServerResponse } from "node:http"
import type { Effect } from "effect"
import type { Answer } from "../../Api.ts"
import type { RequestRefused, ToolError, Unauthorized } from "../../Errors.ts"
import type { TokenHolder } from "../../Services/Accounts/Tokens/AccessTokens.ts"

/** A request for a console route that is not a tool. */
export interface ConsoleRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** Set once the session is known. */
  readonly record: { holder?: TokenHolder; limitHeaders?: Readonly<Record<string, string>> }
}

export type ConsoleFailure = ToolError | RequestRefused | Unauthorized

export type ConsoleRoute<R> = (request: ConsoleRequest) => Effect.Effect<Answer, ConsoleFailure, R>

/** The routes of one path, by their methods. */
export type ConsoleRoutes<R> = { readonly [Method in string]?: ConsoleRoute<R> }
