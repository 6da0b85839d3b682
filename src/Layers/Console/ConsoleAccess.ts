import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { Effect, Runtime } from "effect"
import { platformPrefix } from "../../Api.ts"
import { confirmationRequiredReason, RequestRefused, refused, Unauthorized } from "../../Errors.ts"
import { ConsoleSessions } from "../../Services/Console/ConsoleSessions.ts"
import { keyDigest, sessionKeyIn } from "../../Services/Console/SessionKey.ts"
import { ClientQuestions, type QuestionedCall } from "../../Services/Mcp/ClientQuestions.ts"
import { NestedValue, NumberLiteral, type RawArguments, type RawValue } from "../../Tools/Core/ArgumentCoercion.ts"
import type { CallerAccess } from "../Platform/Http/CallerAccess.ts"
import { singleHeader } from "../Platform/Http/Incoming.ts"

/** The path at which the console calls tools. */
export const consoleApi = "/console/api"

/** The challenge (RFC 9110) for a caller without a valid cookie. */
export const challenge = "Cookie"

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"])

const foreignRequest = new RequestRefused({
  status: 403,
  type: "ForeignRequest",
  error: "The request does not come from the console's own page.",
  detail: "The console's page sends Sec-Fetch-Site: same-origin, and X-Console: 1 with each POST and DELETE."
})

/**
 * Refuses a request that another site may have made the browser send. Browsers set `Sec-Fetch-Site`, and pages cannot
 * change it. A page of another site cannot add a header without a preflight request, which the gateway never allows.
 */
export const foreignRefusal = ({ headers, method = "GET" }: IncomingMessage): RequestRefused | undefined => {
  const site = headers["sec-fetch-site"]
  const isOwn = safeMethods.has(method)
    ? site === undefined || site === "same-origin" || site === "none"
    : site === "same-origin" && headers["x-console"] === "1"
  return isOwn ? undefined : foreignRequest
}

export const noSession = new Unauthorized({
  error: "The request has no session of the console.",
  howToFix: "Sign in at /console. Programs send a bearer token, and no cookie, to /rest/v1 and /platform/v1."
})

export const sessionKeyOf = (request: IncomingMessage): string | undefined => sessionKeyIn(request.headers.cookie)

const confirmationHeader = "console-confirmation"

const confirmationMissing = (tool: string) =>
  refused(
    confirmationRequiredReason,
    `${tool} takes something away, and a person has to confirm it first.`,
    "Ask POST /console/api/confirmations for a value, and send it in the header Console-Confirmation."
  )

const confirmationInvalid = (tool: string) =>
  refused(
    "confirmation_invalid",
    `The confirmation is not one of this call of ${tool}, or was used before, or has expired.`,
    "Show the person what the call will do, and ask for a new confirmation."
  )

/** A value in its source text. Large numbers that are equal as JavaScript numbers stay different. */
const sourceOf = (value: RawValue): unknown =>
  value instanceof NumberLiteral
    ? { number: value.source }
    : value instanceof NestedValue
      ? { shape: value.shape }
      : value

/** Identifies a call for a stored question, by its session and its arguments in any order. */
export const askedCall = (sessionKey: string, tool: string, raw: RawArguments): QuestionedCall => ({
  tool,
  digest: createHash("sha256")
    .update(keyDigest(sessionKey))
    .update(
      JSON.stringify(
        [...raw].map(([name, value]) => [name, sourceOf(value)]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
      )
    )
    .digest("base64url")
})

/** The access of people in browsers, with their sessions. */
export const consoleAccess: Effect.Effect<CallerAccess, never, ConsoleSessions | ClientQuestions> = Effect.gen(
  function* () {
    const { authenticate, haveEnded } = yield* ConsoleSessions
    const questions = yield* ClientQuestions
    const run = Runtime.runCallback(yield* Effect.withTracerEnabled(Effect.runtime<never>(), false))
    return {
      base: consoleApi,
      prefixes: ["/rest/v1", platformPrefix],
      refusalOf: foreignRefusal,
      credentialOf: sessionKeyOf,
      noCredential: noSession,
      challenge,
      authenticate,
      authenticateThen: (key, then, use) => {
        run(authenticate(key, use), { onExit: then })
        return undefined
      },
      haveEnded,
      readsTogether: true,
      confirmed: (request, tool, raw) => {
        const confirmation = singleHeader(request.headers[confirmationHeader])
        const sessionKey = sessionKeyOf(request)
        if (confirmation === undefined || sessionKey === undefined) return Effect.fail(confirmationMissing(tool))
        return Effect.flatMap(questions.use(confirmation, askedCall(sessionKey, tool, raw)), (isOurs) =>
          isOurs ? Effect.void : Effect.fail(confirmationInvalid(tool))
        )
      }
    }
  }
)
