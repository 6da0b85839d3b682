import type { IncomingMessage } from "node:http"
import { Effect } from "effect"
import { type Prefix, platformPrefix, prefixes } from "../../../Api.ts"
import { type Refused, type RequestRefused, type Transient, Unauthorized } from "../../../Errors.ts"
import { AccessTokens, type TokenUse } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import type { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { RawArguments } from "../../../Tools/Core/ArgumentCoercion.ts"
import { bearerToken } from "./Incoming.ts"

/**
 * One way to call the tool routes: their paths, and how a request proves who sent it. Programs use bearer tokens, and
 * browsers use sessions of the console.
 */
export interface CallerAccess {
  /** The part of the path before the prefixes. */
  readonly base: string
  readonly prefixes: ReadonlyArray<Prefix>
  /** Refuses a request that another site may have made the sender's browser send (CSRF). */
  readonly refusalOf: (request: IncomingMessage) => RequestRefused | undefined
  readonly credentialOf: (request: IncomingMessage) => string | undefined
  readonly noCredential: Unauthorized
  /** The `WWW-Authenticate` header for a caller without a valid credential. */
  readonly challenge: string
  readonly authenticate: AccessTokens["Type"]["authenticate"]
  readonly authenticateThen: AccessTokens["Type"]["authenticateThen"]
  /** Returns for each open stream whether its credential has ended. */
  readonly haveEnded: (
    streams: ReadonlyArray<{ readonly key: string; readonly use: TokenUse }>
  ) => Effect.Effect<ReadonlyArray<boolean>, Transient>
  /** True if one request may make several calls that read. A browser sends only six requests at the same time. */
  readonly readsTogether?: boolean
  /** True if a person has confirmed the destructive call. Undefined where no person can be asked. */
  readonly confirmed?: (
    request: IncomingMessage,
    tool: string,
    raw: RawArguments
  ) => Effect.Effect<void, Refused | Transient, Caller>
}

const noToken = new Unauthorized({
  error: "The request has no access token.",
  howToFix: "Send the header Authorization: Bearer <ACCESS_TOKEN> on every route."
})

/** The access of programs, with bearer tokens. */
export const bearerAccess: Effect.Effect<CallerAccess, never, AccessTokens> = Effect.map(
  AccessTokens,
  ({ authenticate, authenticateThen }) => ({
    base: "",
    prefixes: [...prefixes, platformPrefix],
    refusalOf: () => undefined,
    credentialOf: bearerToken,
    noCredential: noToken,
    challenge: "Bearer",
    authenticate,
    authenticateThen,
    haveEnded: (streams) =>
      Effect.forEach(
        streams,
        ({ key, use }): Effect.Effect<boolean, Transient> =>
          Effect.matchEffect(authenticate(key, use), {
            onSuccess: () => Effect.succeed(false),
            onFailure: (failure) => (failure instanceof Unauthorized ? Effect.succeed(true) : Effect.fail(failure))
          }),
        { concurrency: "unbounded" }
      )
  })
)
