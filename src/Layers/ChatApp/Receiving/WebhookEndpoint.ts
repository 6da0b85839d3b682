import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import { ChatAppInbox } from "../../../Services/ChatApp/ChatAppMessages.ts"
import { jsonOf } from "../../Platform/AnswerPaths.ts"
import { longestAnonymousBody } from "../../Platform/Http/Admission/BodyBudget.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { type Endpoint, type RequestScope, refusal } from "../../Platform/Http/Endpoint.ts"
import { type ChatAppCredentials, ChatAppSettings } from "../ChatAppSettings.ts"
import { eventsOf } from "./WebhookPayload.ts"

/** The route for the provider's webhooks. */
export const webhookPath = "/webhooks/chatapp"

const notSetUp = refusal(
  404,
  "UnknownRoute",
  "There is no such route.",
  "The messaging app's provider is not set up here: the sandbox is in its place."
)
const badSignature = refusal(401, "Unauthorized", "The signature is missing or wrong.", "Sign with the app's secret.")
const badToken = refusal(403, "Forbidden", "The verify token is wrong.", "Set the same one on both sides.")
const unreadable = refusal(400, "JsonException", "The body is not valid JSON.", "Send the delivery as it was signed.")
const tooLarge = refusal(
  413,
  "InvalidRequestBody",
  "The body is too large.",
  `Send at most ${longestAnonymousBody} bytes.`
)
const tryAgain = refusal(503, "Transient", "The delivery cannot be taken for the moment.", "Send it again.", {
  "Retry-After": "10"
})

const equal = (a: string, b: string): boolean =>
  timingSafeEqual(createHash("sha256").update(a).digest(), createHash("sha256").update(b).digest())

const signatureShape = /^sha256=([0-9a-f]{64})$/i

/** Checks `X-Hub-Signature-256` over the unchanged bytes. */
export const isSigned = (appSecret: Redacted.Redacted, signature: string | undefined, body: Uint8Array): boolean => {
  const signatureText = signatureShape.exec(signature ?? "")?.[1]
  if (signatureText === undefined) return false
  const expected = createHmac("sha256", Redacted.value(appSecret)).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(signatureText, "hex"))
}

/** The provider verifies the route before it sends anything. */
const handshake = ({ verifyToken }: ChatAppCredentials) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => {
    const query = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "")
    const challenge = query.get("hub.challenge") ?? ""
    const isOurs = equal(query.get("hub.verify_token") ?? "", Redacted.value(verifyToken))
    return query.get("hub.mode") === "subscribe" && isOurs && /^[\w-]{1,200}$/.test(challenge)
      ? HttpServerResponse.text(challenge, { headers: { "X-Content-Type-Options": "nosniff" } })
      : badToken
  })

const delivery = ({ appSecret }: ChatAppCredentials, inbox: ChatAppInbox["Type"]) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const signature = request.headers["x-hub-signature-256"]
    if (!signatureShape.test(signature ?? "")) return badSignature
    // The provider's deliveries are smaller than 3 MB.
    const body = yield* endpointBody({ limit: longestAnonymousBody })
    if (!isSigned(appSecret, signature, body)) return badSignature
    const payload = jsonOf(body)
    if (payload === undefined) return unreadable
    yield* inbox.take(eventsOf(payload))
    return HttpServerResponse.empty({ status: 200 })
  }).pipe(
    Effect.catchTags({
      // The body ended early, or exceeded the limit.
      RequestRefused: () => Effect.succeed(tooLarge),
      Transient: () => Effect.succeed(tryAgain)
    }),
    Effect.withSpan("chatapp webhook", { captureStackTrace: false })
  )

/** `GET` and `POST /webhooks/chatapp`: the verification, and the provider's events. */
export const chatAppWebhook: Effect.Effect<Endpoint<RequestScope>, never, ChatAppInbox | ChatAppSettings> = Effect.gen(
  function* () {
    const { credentials } = yield* ChatAppSettings
    const inbox = yield* ChatAppInbox
    return Option.match(credentials, {
      onNone: () => ({ path: webhookPath, methods: { GET: Effect.succeed(notSetUp), POST: Effect.succeed(notSetUp) } }),
      onSome: (credentials) => ({
        path: webhookPath,
        methods: { GET: handshake(credentials), POST: delivery(credentials, inbox) }
      })
    })
  }
)
