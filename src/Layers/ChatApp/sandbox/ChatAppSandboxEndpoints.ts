import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schema } from "effect"
import type { AccessTokens } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { ChatApp } from "../../../Services/ChatApp/ChatApp.ts"
import { ChatAppSandbox } from "../../../Services/ChatApp/ChatAppSandbox.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { type Endpoint, type RequestScope, refusal } from "../../Platform/Http/Endpoint.ts"
import { makeSandboxCaller, sandboxFailure } from "../../Platform/Http/SandboxCaller.ts"
import { makeAccountSeal } from "../../Platform/Postgres/AccountSeal.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { sandboxPicturePath } from "./ChatAppSandbox.ts"

/** Enough for a file of 2 MB in Base64 and the other fields. */
const largestBody = 3 * 1024 * 1024

const Inbound = Schema.Struct({
  from: Schema.String.pipe(Schema.maxLength(100)),
  text: Schema.optionalWith(Schema.String.pipe(Schema.maxLength(10_000)), { default: () => "" }),
  file: Schema.optional(
    Schema.Struct({
      name: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200)),
      kind: Schema.Literal("image", "video", "audio", "document"),
      content: Schema.Uint8ArrayFromBase64
    })
  )
})

const decodeInbound = (text: string) => Effect.asSome(Schema.decodeUnknown(Schema.parseJson(Inbound))(text))

const notHere = refusal(
  404,
  "UnknownRoute",
  "There is no such route.",
  "The messaging app is set up with a real provider here, so that nothing is simulated."
)
const unreadable = refusal(
  400,
  "InvalidRequestBody",
  "This route does not accept the body.",
  "Send JSON with from, text, and for a file: file with name, kind (image, video, audio or document) and content in Base64."
)

/** The simulated app for developers: `POST /sandbox/chatapp/inbound`, `GET /sandbox/chatapp/messages`. */
export const chatAppSandboxEndpoints: Effect.Effect<
  ReadonlyArray<Endpoint<RequestScope>>,
  never,
  AccessTokens | ChatApp | ChatAppSandbox | SqlClient
> = Effect.gen(function* () {
  const provider = yield* ChatApp
  const sandbox = yield* ChatAppSandbox
  const sql = yield* SqlClient
  const seal = yield* makeAccountSeal

  const asCaller = yield* makeSandboxCaller(provider.mode, notHere)

  const inbound = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const message = yield* endpointBody({ limit: largestBody, tenant: accountId }).pipe(
      Effect.flatMap((body) => decodeInbound(body.toString("utf8"))),
      Effect.catchTags({ RequestRefused: () => Effect.succeedNone, ParseError: () => Effect.succeedNone })
    )
    if (Option.isNone(message)) return unreadable
    const { file, from, text } = message.value
    const id = yield* sandbox.receive({
      from,
      text,
      file: file === undefined ? undefined : { name: file.name, kind: file.kind, bytes: file.content }
    })
    return HttpServerResponse.unsafeJson({ provider_message_id: id })
  })

  const picture = HttpRouter.schemaPathParams(Schema.Struct({ key: Schema.String.pipe(Schema.maxLength(64)) })).pipe(
    Effect.flatMap(({ key }) =>
      Effect.flatMap(
        seal.accountOfAddressKey(key),
        Option.match({
          onNone: () => Effect.succeed([]),
          onSome: (owner) =>
            sql<{ readonly picture: Uint8Array; readonly picture_media_type: string }>`
              select picture, picture_media_type from sandbox_chatapp_line
              where account_id = ${owner} and picture_key = ${key}`.pipe(fromSql())
        })
      )
    ),
    Effect.map(([file]) =>
      file === undefined
        ? notHere
        : HttpServerResponse.uint8Array(file.picture, {
            contentType: file.picture_media_type,
            headers: { "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'" }
          })
    ),
    Effect.catchTags({
      ParseError: () => Effect.succeed(notHere),
      Transient: (error) => Effect.succeed(sandboxFailure(error))
    })
  )

  return [
    { path: "/sandbox/chatapp/inbound", methods: { POST: asCaller(inbound) } },
    {
      path: "/sandbox/chatapp/messages",
      methods: {
        GET: asCaller(Effect.map(sandbox.sent, (messages) => HttpServerResponse.unsafeJson({ messages })))
      }
    },
    { path: `${sandboxPicturePath}/:key`, methods: { GET: picture } }
  ]
})
