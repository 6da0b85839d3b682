import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { AccessTokens } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { tidyText } from "../../../Services/Text/PlainText.ts"
import { callablePhone } from "../../../Services/Voice/CallablePhone.ts"
import { type Endpoint, type RequestScope, refusal, unauthorizedAnswer } from "../../Platform/Http/Endpoint.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { readBody } from "../Providers/RequestBytes.ts"
import { SandboxOutcome } from "./SandboxConversation.ts"

const bodyLimit = 64 * 1024

const Script = Schema.Struct({
  phone_number: Schema.String.pipe(Schema.maxLength(40)),
  outcome: SandboxOutcome,
  /** The person's lines, one for each time that the person speaks. They replace the lines of the outcome. */
  person_says: Schema.optional(
    Schema.NullOr(Schema.Array(Schema.String.pipe(Schema.maxLength(1000))).pipe(Schema.maxItems(20)))
  )
})
export type SandboxScript = typeof Script.Type
const decodeScript = Schema.decode(Schema.parseJson(Script))

const unreadable = refusal(
  400,
  "InvalidRequestBody",
  "The body is not a script of a call.",
  `Send JSON: phone_number, outcome (${SandboxOutcome.literals.join(", ")}) and, if wanted, person_says as a list of texts.`
)
const unavailable = refusal(
  503,
  "Transient",
  "The script cannot be stored for the moment.",
  "Try again in some seconds.",
  {
    "Retry-After": "2"
  }
)

const tokenIn = (header: string | undefined): string => /^bearer\s+(\S+)\s*$/i.exec(header ?? "")?.[1] ?? ""

/** Stores the outcome of the account's next simulated call to a number, and returns it. */
export const makeSandboxScripts = Effect.map(SqlClient, (sql) =>
  Effect.fnUntraced(function* (accountId: AccountId, script: SandboxScript) {
    const phone = yield* callablePhone(script.phone_number)
    const says = script.person_says?.map(tidyText) ?? null
    yield* sql`
        insert into sandbox_voice_script (account_id, phone, outcome, person_says)
        values (${accountId}, phone_key(${phone}), ${script.outcome}, ${says}::text[])
        on conflict (account_id, phone)
          do update set outcome = excluded.outcome, person_says = excluded.person_says, created_at = instant()`.pipe(
      fromSql()
    )
    return { phone_number: phone, outcome: script.outcome, person_says: says }
  })
)

/**
 * `POST /sandbox/voice/script` sets the outcome of the account's next simulated call to a number. It applies to one
 * call.
 */
export const sandboxScriptEndpoint: Effect.Effect<Endpoint<RequestScope>, never, AccessTokens | SqlClient> = Effect.gen(
  function* () {
    const tokens = yield* AccessTokens
    const scripts = yield* makeSandboxScripts

    const store = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { accountId } = yield* tokens.authenticate(tokenIn(request.headers["authorization"]))
      const body = yield* readBody(bodyLimit)
      const script = yield* decodeScript(new TextDecoder().decode(body))
      return HttpServerResponse.unsafeJson(yield* scripts(accountId, script))
    })

    return {
      path: "/sandbox/voice/script",
      methods: {
        POST: store.pipe(
          Effect.catchTags({
            Unauthorized: unauthorizedAnswer,
            BodyRefused: ({ response }) => Effect.succeed(response),
            ParseError: () => Effect.succeed(unreadable),
            Refused: ({ detail, error }) => Effect.succeed(refusal(422, "Refused", error, detail)),
            Transient: () => Effect.succeed(unavailable)
          })
        )
      }
    }
  }
)
