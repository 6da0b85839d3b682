import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { type NotFound, type Refused, type Transient, toolErrorBody, Unauthorized } from "../../../Errors.ts"
import { AccessTokens } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { bearerToken, type RequestScope, unauthorizedAnswer } from "./Endpoint.ts"

const noToken = new Unauthorized({ error: "The request has no access token.", howToFix: "Send a bearer token." })

/** The HTTP answer to a failed action in a sandbox. */
export const sandboxFailure = (error: NotFound | Refused | Transient) =>
  HttpServerResponse.unsafeJson(toolErrorBody(error), {
    status: error._tag === "NotFound" ? 404 : error._tag === "Refused" ? 422 : 503
  })

/** An action that a developer requests in a simulated service. */
type SandboxWork = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  NotFound | Refused | Transient,
  Caller | RequestScope
>

/**
 * Returns a function that runs such an action for the account of the request's token, or answers `notHere` if the
 * service is not simulated.
 */
export const makeSandboxCaller = (
  mode: "live" | "sandbox",
  notHere: HttpServerResponse.HttpServerResponse
): Effect.Effect<
  (work: SandboxWork) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, RequestScope>,
  never,
  AccessTokens
> =>
  Effect.map(
    AccessTokens,
    (tokens) => (work) =>
      Effect.gen(function* () {
        if (mode !== "sandbox") return notHere
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const token = bearerToken(headers)
        const holder = yield* token === undefined ? Effect.fail(noToken) : tokens.authenticate(token)
        return yield* Effect.provideService(work, Caller, { ...holder, requestId: "sandbox" })
      }).pipe(
        Effect.catchTags({
          Unauthorized: unauthorizedAnswer,
          NotFound: (error) => Effect.succeed(sandboxFailure(error)),
          Refused: (error) => Effect.succeed(sandboxFailure(error)),
          Transient: (error) => Effect.succeed(sandboxFailure(error))
        })
      )
  )
