import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { revokeSecretPath } from "../../../Api.ts"
import { badRequest } from "../../../Errors.ts"
import { ManagedTokens } from "../../../Services/Accounts/Tokens/ManagedTokens.ts"
import { TestSessions } from "../../../Services/Console/TestSessions.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import type { Endpoint, RequestScope } from "../../Platform/Http/Endpoint.ts"
import { refusedAnswer, transientAnswer } from "../../Platform/Http/EndpointAnswers.ts"
import type { Grants } from "./Grants.ts"

const largestBody = 4 * 1024

const noToken = badRequest(
  "MissingParameter",
  "The body names no token.",
  'Send {"token": "pgw_…"} as JSON, or token=pgw_… as a form.'
)

/** The `token` of a JSON object or of a form. */
const tokenIn = (body: string, isForm: boolean): string | undefined => {
  if (isForm) return new URLSearchParams(body).get("token") ?? undefined
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === "object" && parsed !== null && "token" in parsed && typeof parsed.token === "string"
      ? parsed.token
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Answers `/platform/v1/revoke`, by which anyone who has a secret can end it, for example a program that finds it in
 * public code. Refresh tokens are accepted too. The answer is the same for an invalid secret.
 */
export const revokeSecretEndpoint = (grants: Grants): Effect.Effect<Endpoint<RequestScope>, never, ManagedTokens> =>
  Effect.map(Effect.all({ testSessions: TestSessions, tokens: ManagedTokens }), ({ testSessions, tokens }) => ({
    path: revokeSecretPath,
    methods: {
      POST: Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const body = yield* endpointBody({ limit: largestBody })
        const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded") ?? false
        const token = tokenIn(body.toString("utf8"), isForm)
        if (token === undefined) return refusedAnswer(noToken)
        const secret = token.trim()
        const isRevoked =
          (yield* tokens.revokeSecret(secret)) ||
          (yield* testSessions.revokeSecret(secret)) ||
          (yield* grants.revokeRefresh(secret))
        if (isRevoked) {
          yield* Effect.logInfo("a token was revoked by its secret")
        }
        return HttpServerResponse.unsafeJson({}, { headers: { "Cache-Control": "no-store" } })
      }).pipe(
        Effect.catchTags({
          Transient: (failure) => Effect.succeed(transientAnswer(failure)),
          RequestRefused: (refusal) => Effect.succeed(refusedAnswer(refusal))
        })
      )
    }
  }))
