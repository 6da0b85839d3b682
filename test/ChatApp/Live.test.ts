import type { IncomingMessage, ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Fiber, Layer, Option, Redacted, Stream, TestClock } from "effect"
import { makeLiveChatApp } from "../../src/Layers/ChatApp/Graph/GraphChatApp.ts"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import type { ChatApp, ChatAppContent, OutgoingChatAppMessage } from "../../src/Services/ChatApp/ChatApp.ts"
import { accessToken, appSecret, liveSettings, testCredentials } from "../support/channels/ChatAppDeliveries.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { TestSettings, testBaseUrl } from "../support/TestSettings.ts"
import { collectedFaults, judgedBody, vendorJudge } from "../support/VendorJudge.ts"

interface Seen {
  readonly request: string
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

type Answer = (request: Seen, response: ServerResponse) => void

const json = (status: number, body: unknown, headers: { readonly [name: string]: string } = {}): Answer => {
  const text = JSON.stringify(body)
  return (_, response) => response.writeHead(status, { "content-type": "application/json", ...headers }).end(text)
}

const graphError = (status: number, code: number, more: object = {}, headers = {}): Answer =>
  json(
    status,
    { error: { message: `(#${code}) refused`, type: "OAuthException", code, fbtrace_id: "A1", ...more } },
    headers
  )

const number = { accountId: AccountId.make(7), lineId: "106540352242922", credential: null }

const message = (content: ChatAppContent): OutgoingChatAppMessage => ({
  from: number,
  to: "+5511987654321",
  reference: "6f1d3f5e-8f0a-4c7e-9d5e-0a8e8f1c2b3d",
  content
})
const text = message({ _tag: "Text", body: "Olá" })

const accepted = {
  messaging_product: "whatsapp",
  contacts: [{ input: "5511987654321", wa_id: "551187654321" }],
  messages: [{ id: "wamid.HBgLMTY1", message_status: "accepted" }]
}

const judge = vendorJudge("whatsapp")
/** Sign-up and uploads are not in the vendor's file. */
const notInFile = /^\/v23\.0\/(?:oauth\/|debug_token|\d+\/uploads|upload:)/

const faultsOf = ({ body, headers, request }: Seen): ReadonlyArray<string> => {
  const [method = "", path = ""] = request.split(" ")
  if (notInFile.test(path)) return []
  const parsed = judgedBody(headers["content-type"] ?? "", body.toString("utf8"))
  return judge.faultsOfRequest({ method, path, headers, body: parsed }).map((fault) => `${request}: ${fault}`)
}

/** The provider over a server whose answers the test defines. Requests are checked against the vendor's file. */
const against = <A, E>(
  answer: Answer,
  use: (chatApp: ChatApp["Type"], requests: ReadonlyArray<Seen>) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const requests: Array<Seen> = []
    const faults = yield* collectedFaults
    const server = yield* localHttpServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const came = {
          request: `${request.method} ${request.url}`,
          headers: request.headers,
          body: Buffer.concat(chunks)
        }
        requests.push(came)
        for (const fault of faultsOf(came)) faults.add(fault)
        answer(came, response)
      })
    })
    const chatApp = yield* makeLiveChatApp(liveSettings(`${server.url}/v23.0`), testCredentials)
    return yield* use(chatApp, requests)
  }).pipe(Effect.provide(Layer.merge(OutboundHttpNode, TestSettings)), Effect.scoped)

const outcomeOf = (answer: Answer, sent = text) => against(answer, (chatApp) => chatApp.send(sent))

describe("sending through the provider", () => {
  it.live("posts a text with our reference and returns the provider's id", () =>
    against(json(200, accepted), (chatApp, requests) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* chatApp.send(text), { _tag: "Accepted", providerMessageId: "wamid.HBgLMTY1" })
        assert.strictEqual(requests[0]?.request, "POST /v23.0/106540352242922/messages")
        assert.strictEqual(requests[0]?.headers.authorization, `Bearer ${accessToken}`)
        assert.deepStrictEqual(JSON.parse(requests[0]?.body.toString() ?? ""), {
          messaging_product: "whatsapp",
          recipient_type: "individual",
          to: "5511987654321",
          biz_opaque_callback_data: "6f1d3f5e-8f0a-4c7e-9d5e-0a8e8f1c2b3d",
          type: "text",
          text: { body: "Olá", preview_url: false }
        })
      })
    )
  )

  it("matches the vendor's file", () => {
    const request = { method: "POST", path: "/v23.0/106540352242922/messages" }
    assert.deepStrictEqual(judge.faultsOfAnswer(request, { status: 200, body: accepted }), [])
  })

  it.live("posts an opening as the template in its language, and a file as a link", () =>
    against(json(200, accepted), (chatApp, requests) =>
      Effect.gen(function* () {
        yield* chatApp.send(message({ _tag: "Opening", language: "pt-BR", greeting: "Ana", body: "Vamos?" }))
        yield* chatApp.send(
          message({ _tag: "Media", kind: "document", url: "https://files.example/a.pdf", fileName: "a.pdf" })
        )
        yield* chatApp.send(
          message({ _tag: "Media", kind: "image", url: "https://files.example/a.png", fileName: "a.png" })
        )
        const bodies: ReadonlyArray<unknown> = requests.map(({ body }): unknown => JSON.parse(body.toString()))
        assert.deepInclude(bodies[0], {
          type: "template",
          template: {
            name: "prospecting_opening",
            language: { policy: "deterministic", code: "pt_BR" },
            components: [
              {
                type: "body",
                parameters: [
                  { type: "text", text: "Ana" },
                  { type: "text", text: "Vamos?" }
                ]
              }
            ]
          }
        })
        assert.deepInclude(bodies[1], {
          type: "document",
          document: { link: "https://files.example/a.pdf", filename: "a.pdf" }
        })
        assert.deepInclude(bodies[2], { type: "image", image: { link: "https://files.example/a.png" } })
      })
    )
  )

  const cases: ReadonlyArray<readonly [string, Answer, object]> = [
    ["401", graphError(401, 190), { _tag: "Postponed", reason: "provider_access_denied" }],
    [
      "429 with retry-after",
      graphError(429, 130429, {}, { "retry-after": "77" }),
      { _tag: "Postponed", reason: "rate_limited", retryAfterSeconds: 77 }
    ],
    [
      "a limit that comes as 400",
      graphError(400, 131056),
      { _tag: "Postponed", reason: "rate_limited", retryAfterSeconds: 10 }
    ],
    ["an overloaded service", graphError(503, 131016), { _tag: "Postponed", reason: "provider_unavailable" }],
    ["a transient error", graphError(400, 999, { is_transient: true }), { _tag: "Postponed" }],
    ["a locked account", graphError(403, 131031), { _tag: "Postponed", reason: "line_locked" }],
    [
      "a closed window",
      graphError(400, 131047),
      { _tag: "Rejected", reason: "service_window_closed", isUnreachable: false }
    ],
    ["nobody on the app", graphError(400, 131026), { _tag: "Rejected", reason: "not_on_chatapp", isUnreachable: true }],
    ["a missing template", graphError(404, 132001), { _tag: "Rejected", reason: "template_missing" }],
    ["an error without a name", graphError(400, 424242), { _tag: "Rejected", reason: "provider_error_424242" }],
    ["an error that tells nothing", graphError(500, 131000), { _tag: "Unknown" }],
    ["an error in a success", graphError(200, 131026), { _tag: "Rejected", reason: "not_on_chatapp" }],
    ["502 from in between", (_, response) => response.writeHead(502).end("<html>"), { _tag: "Unknown" }],
    ["504 from in between", (_, response) => response.writeHead(504).end(), { _tag: "Unknown" }],
    ["a success that says nothing", json(200, {}), { _tag: "Unknown" }],
    ["a success that is no JSON", (_, response) => response.writeHead(200).end("ok"), { _tag: "Unknown" }],
    ["a connection that breaks after the request", (_, response) => response.destroy(), { _tag: "Unknown" }]
  ]
  for (const [name, answer, outcome] of cases) {
    it.live(`takes ${name} for what it is`, () =>
      Effect.map(outcomeOf(answer), (came) => assert.deepInclude(came, outcome))
    )
  }

  it.live("reports the line's problem if that is the cause", () =>
    Effect.gen(function* () {
      const came = yield* outcomeOf(graphError(400, 131042))
      assert.deepInclude(came, { _tag: "Postponed", reason: "provider_billing" })
      assert.isDefined(came._tag === "Postponed" ? came.health?.fix : undefined)
    })
  )

  it.live("knows that nothing was sent if no connection was made", () =>
    Effect.gen(function* () {
      const chatApp = yield* makeLiveChatApp(liveSettings("http://127.0.0.1:1/v23.0"), testCredentials)
      assert.deepInclude(yield* chatApp.send(text), { _tag: "Postponed", reason: "provider_unreachable" })
    }).pipe(Effect.provide(Layer.merge(OutboundHttpNode, TestSettings)))
  )

  it.scoped("does not know the outcome after a time-out", () =>
    Effect.gen(function* () {
      let came = () => {}
      const hasCome = new Promise<void>((resolve) => {
        came = resolve
      })
      const outcome = yield* Effect.fork(outcomeOf(() => came()))
      yield* Effect.promise(() => hasCome)
      yield* TestClock.adjust("12 seconds")
      assert.deepStrictEqual(yield* Fiber.join(outcome), { _tag: "Unknown" })
    })
  )

  it.live("has no way to look a message up", () =>
    against(json(200, {}), (chatApp, requests) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* chatApp.lookUp(number, text.reference), { _tag: "Unknowable" })
        assert.isEmpty(requests)
      })
    )
  )
})

const phoneNumber = {
  id: number.lineId,
  display_phone_number: "+55 11 5555-0000",
  verified_name: "Ondas",
  quality_rating: "GREEN",
  messaging_limit_tier: "TIER_1K",
  status: "CONNECTED",
  health_status: {
    can_send_message: "AVAILABLE",
    entities: [
      { entity_type: "PHONE_NUMBER", id: number.lineId, can_send_message: "AVAILABLE" },
      { entity_type: "WABA", id: "102290129340398", can_send_message: "AVAILABLE" }
    ]
  }
}
const profile = {
  data: [
    { about: "Oi", websites: ["https://ondas.example/"], vertical: "PROF_SERVICES", messaging_product: "whatsapp" }
  ]
}

/** Answers by the path after the version. */
const routes =
  (table: { readonly [route: string]: Answer }): Answer =>
  (request, response) => {
    const route = request.request.replace("/v23.0/", "/").replace(/\?.*$/, "")
    const answer = table[route]
    if (answer === undefined) response.writeHead(404).end("{}")
    else answer(request, response)
  }

describe("a line at the provider", () => {
  it.live("is shown with its profile", () =>
    against(
      routes({
        "GET /106540352242922": json(200, phoneNumber),
        "GET /106540352242922/whatsapp_business_profile": json(200, profile)
      }),
      (chatApp) =>
        Effect.map(chatApp.snapshot(number), (snapshot) =>
          assert.deepInclude(snapshot, {
            phone: "+551155550000",
            displayName: "Ondas",
            quality: "green",
            isBlocked: false,
            health: null,
            providerAccountId: "102290129340398"
          })
        )
    )
  )

  it.live("is shown as blocked, with the provider's solution", () =>
    against(
      routes({
        "GET /106540352242922": json(200, {
          ...phoneNumber,
          health_status: {
            can_send_message: "BLOCKED",
            entities: [
              {
                entity_type: "WABA",
                id: "102290129340398",
                can_send_message: "BLOCKED",
                errors: [
                  {
                    error_code: 141006,
                    error_description: "There is an error with your payment method.",
                    possible_solution: "Add a new payment method to the account."
                  }
                ]
              }
            ]
          }
        }),
        "GET /106540352242922/whatsapp_business_profile": json(200, profile)
      }),
      (chatApp) =>
        Effect.map(chatApp.snapshot(number), (snapshot) =>
          assert.deepInclude(snapshot, {
            isBlocked: true,
            health: {
              issue: "There is an error with your payment method.",
              fix: "Add a new payment method to the account."
            }
          })
        )
    )
  )

  it.live("that the provider refuses differs from one that cannot be checked", () =>
    Effect.gen(function* () {
      const refused = yield* against(graphError(400, 190), (chatApp) => Effect.flip(chatApp.snapshot(number)))
      assert.strictEqual(refused._tag, "LineRefused")
      for (const status of [429, 500, 503]) {
        const failure = yield* against(graphError(status, 2), (chatApp) => Effect.flip(chatApp.snapshot(number)))
        assert.deepInclude(failure, { _tag: "Transient", reason: "provider_unavailable" })
      }
    })
  )

  it.live("is registered, subscribed and gets its templates if it is not connected", () => {
    let isRegistered = false
    return against(
      routes({
        "GET /106540352242922": (request, response) =>
          json(200, { ...phoneNumber, status: isRegistered ? "CONNECTED" : "DISCONNECTED" })(request, response),
        "GET /106540352242922/whatsapp_business_profile": json(200, profile),
        "POST /102290129340398/subscribed_apps": json(200, { success: true }),
        "POST /102290129340398/message_templates": graphError(400, 100, { error_subcode: 2388024 }),
        "POST /106540352242922/register": (request, response) => {
          isRegistered = true
          json(200, { success: true })(request, response)
        }
      }),
      (chatApp, requests) =>
        Effect.gen(function* () {
          const snapshot = yield* chatApp.activate(number)
          assert.strictEqual(snapshot.isBlocked, false)
          const templates = requests
            .filter(({ request }) => request.endsWith("/message_templates"))
            .map(({ body }) => /"language":"(\w+)"/.exec(body.toString())?.[1])
          assert.deepStrictEqual(templates, ["pt_BR", "en", "es"])
          const registration = requests.find(({ request }) => request.endsWith("/register"))
          assert.match(registration?.body.toString() ?? "", /"pin":"\d{6}"/)
        })
    )
  })

  it.live("gets its picture in two steps and a handle", () =>
    against(
      routes({
        "POST /1234567890/uploads": json(200, { id: "upload:MTphdHRh?sig=ARZ" }),
        "POST /upload:MTphdHRh": json(200, { h: "4::aW1hZ2U=" }),
        "POST /106540352242922/whatsapp_business_profile": json(200, { success: true })
      }),
      (chatApp, requests) =>
        Effect.gen(function* () {
          const bytes = Buffer.from("picture")
          yield* chatApp.setPicture(number, { bytes, mediaType: "image/png" })
          assert.include(requests[0]?.request, "file_length=7")
          assert.strictEqual(requests[1]?.headers.authorization, `OAuth ${accessToken}`)
          assert.strictEqual(requests[1]?.headers["file_offset"], "0")
          assert.deepStrictEqual(requests[1]?.body, bytes)
          assert.deepStrictEqual(JSON.parse(requests[2]?.body.toString() ?? ""), {
            messaging_product: "whatsapp",
            profile_picture_handle: "4::aW1hZ2U="
          })
        })
    )
  )

  it.live("changes only the given fields of the profile", () =>
    against(json(200, { success: true }), (chatApp, requests) =>
      Effect.gen(function* () {
        yield* chatApp.updateProfile(number, { about: "Oi", address: null, websites: ["https://a.example"] })
        assert.deepStrictEqual(JSON.parse(requests[0]?.body.toString() ?? ""), {
          messaging_product: "whatsapp",
          about: "Oi",
          address: "",
          websites: ["https://a.example"]
        })
      })
    )
  )

  it.live("of the owner is connected by the code, and its token is used and stored encrypted", () =>
    against(
      routes({
        "GET /oauth/access_token": json(200, { access_token: "customers-token", token_type: "bearer" }),
        "GET /debug_token": json(200, {
          data: {
            granular_scopes: [
              { scope: "business_management" },
              { scope: "whatsapp_business_management", target_ids: ["5551"] }
            ]
          }
        }),
        "GET /5551/phone_numbers": json(200, { data: [{ id: "7771" }] }),
        "POST /7771/messages": json(200, accepted)
      }),
      (chatApp, requests) =>
        Effect.gen(function* () {
          const ownNumber = yield* chatApp.connectOwnNumber(AccountId.make(7), "the code")
          assert.deepInclude(ownNumber, { lineId: "7771", providerAccountId: "5551" })
          assert.include(requests[0]?.request, `client_secret=${appSecret}`)
          assert.include(requests[0]?.request, encodeURIComponent(`${testBaseUrl}/chatapp/signup`))
          assert.notInclude(Buffer.from(ownNumber.credential ?? []).toString("latin1"), "customers-token")
          yield* chatApp.send({ ...text, from: ownNumber })
          assert.strictEqual(requests.at(-1)?.headers.authorization, "Bearer customers-token")
          // Sealed for this account, so it does not open under another one.
          const stolen = yield* chatApp.send({ ...text, from: { ...ownNumber, accountId: AccountId.make(8) } })
          assert.deepInclude(stolen, { _tag: "Rejected", reason: "line_credential_unreadable" })
        })
    )
  )

  it.live("begins the sign-up with a link that names the app, the way back and the key", () =>
    against(json(200, {}), (chatApp) =>
      Effect.sync(() => {
        const url = new URL(Option.getOrThrow(chatApp.signupUrl("the-key")))
        assert.strictEqual(`${url.origin}${url.pathname}`, "https://signup.example/dialog")
        assert.deepStrictEqual(Object.fromEntries(url.searchParams), {
          client_id: "1234567890",
          config_id: "987654",
          redirect_uri: `${testBaseUrl}/chatapp/signup`,
          response_type: "code",
          override_default_response_type: "true",
          state: "the-key"
        })
        assert.notInclude(url.href, Redacted.value(testCredentials.appSecret))
      })
    )
  )
})

describe("a file that a lead sent", () => {
  const open = (answer: (url: string) => Answer, maximumBytes = 1000) =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      let url = ""
      const server = yield* localHttpServer((request, response) => {
        seen.push(`${request.url} ${request.headers.authorization}`)
        answer(url)({ request: `${request.method} ${request.url}`, headers: {}, body: Buffer.alloc(0) }, response)
      })
      url = server.url
      const chatApp = yield* makeLiveChatApp(liveSettings(`${server.url}/v23.0`), testCredentials)
      const file = yield* Effect.either(
        Effect.flatMap(chatApp.openMedia(number, "1003", maximumBytes), ({ bytes }) => Stream.runCollect(bytes))
      )
      return { file, seen }
    }).pipe(Effect.provide(Layer.merge(OutboundHttpNode, TestSettings)), Effect.scoped)

  const media =
    (info: (url: string) => object, bytes = "content") =>
    (url: string): Answer =>
      routes({
        "GET /1003": json(200, { messaging_product: "whatsapp", id: "1003", ...info(url) }),
        "GET /file": (_, response) => response.writeHead(200).end(bytes)
      })

  it.live("is downloaded from the provider's host with its token", () =>
    Effect.gen(function* () {
      const { file, seen } = yield* open(media((url) => ({ url: `${url}/file`, mime_type: "image/png", file_size: 7 })))
      assert.isTrue(file._tag === "Right" && Buffer.concat(Chunk.toArray(file.right)).toString() === "content")
      assert.deepStrictEqual(seen, [`/v23.0/1003 Bearer ${accessToken}`, `/file Bearer ${accessToken}`])
    })
  )

  it.live("is not downloaded from another host, which would receive the token", () =>
    Effect.gen(function* () {
      for (const url of ["https://evil.example/x", "http://lookaside.fbsbx.com/x", "file:///etc/passwd", "nonsense"]) {
        const { file, seen } = yield* open(media(() => ({ url })))
        assert.deepInclude(file._tag === "Left" ? file.left : {}, { _tag: "Refused", reason: "media_gone" })
        assert.lengthOf(seen, 1)
      }
    })
  )

  it.live("is refused if it is too large, declared or not", () =>
    Effect.gen(function* () {
      for (const file_size of [7, undefined]) {
        const { file } = yield* open(
          media((url) => ({ url: `${url}/file`, file_size })),
          6
        )
        assert.deepInclude(file._tag === "Left" ? file.left : {}, { _tag: "Refused", reason: "file_too_large" })
      }
    })
  )
})
