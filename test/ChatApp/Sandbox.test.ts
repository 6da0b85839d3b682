import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Chunk, Context, Effect, Layer, Option, Stream } from "effect"
import { AccessTokensPostgres } from "../../src/Layers/Accounts/Tokens/AccessTokensPostgres.ts"
import { chatAppTaskHandlers } from "../../src/Layers/ChatApp/ChatAppTasks.ts"
import { chatAppSignupEndpoints } from "../../src/Layers/ChatApp/Lines/SignupEndpoints.ts"
import { chatAppWebhook } from "../../src/Layers/ChatApp/Receiving/WebhookEndpoint.ts"
import { chatAppSandboxEndpoints } from "../../src/Layers/ChatApp/sandbox/ChatAppSandboxEndpoints.ts"
import { AccessTokens } from "../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { ChatApp } from "../../src/Services/ChatApp/ChatApp.ts"
import { ChatAppLines, chatAppLineProvisioningJob } from "../../src/Services/ChatApp/ChatAppLines.ts"
import { ChatAppMessages } from "../../src/Services/ChatApp/ChatAppMessages.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { CustomerFiles } from "../../src/Services/Files/CustomerFiles.ts"
import { CustomerFileId } from "../../src/Services/Files/Ids.ts"
import { TaskQueue } from "../../src/Services/Jobs/TaskQueue.ts"
import { sendChatAppMessage } from "../../src/Services/Outreach/OutreachTasks.ts"
import { eventually, startEngine } from "../Jobs/support.ts"
import { chatAppServices, messageRow, queueMessage, spentBrl } from "../support/channels/ChatAppServices.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { png } from "../support/Pictures.ts"
import { serveEndpoints } from "../support/servers/ServedEndpoints.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

class Served extends Context.Tag("Served")<Served, string>() {}

const Endpoints = Layer.scoped(
  Served,
  Effect.gen(function* () {
    const webhook = yield* chatAppWebhook
    return yield* serveEndpoints([webhook, ...(yield* chatAppSignupEndpoints), ...(yield* chatAppSandboxEndpoints)])
  })
)

const Sandbox = Layer.merge(
  Endpoints,
  Layer.unwrapScoped(
    Effect.map(startEngine({ tasks: chatAppTaskHandlers, jobs: [chatAppLineProvisioningJob] }), Layer.succeedContext)
  )
).pipe(Layer.provideMerge(AccessTokensPostgres), Layer.provideMerge(chatAppServices()))

const request = (
  path: string,
  options: { readonly method?: string; readonly token?: string; readonly body?: unknown } = {}
) =>
  Effect.flatMap(Served, (url) =>
    Effect.promise(async () => {
      const response = await fetch(`${url}${path}`, {
        method: options.method ?? "GET",
        headers: {
          "content-type": "application/json",
          ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` })
        },
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) })
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    })
  )

let phones = 0
const setUp = Effect.gen(function* () {
  const tokens = yield* AccessTokens
  const lines = yield* ChatAppLines
  const unit = yield* UnitOfWork
  const me = as(yield* makeAccount())
  const { token } = yield* me(tokens.generate({ label: "test", expiresAt: Option.none() }))
  yield* me(unit.write(lines.register({ usesOwnNumber: false })))
  yield* me(eventually(lines.get, ({ status }) => status === "live"))
  const phone = `+55119${String(60_000_000 + ++phones)}`
  const leadId = yield* me(insertLead({ name: "Ana Souza", phone }))
  return { me, token, phone, leadId }
})

const queueAndRun = (id: number) =>
  Effect.gen(function* () {
    const { accountId } = yield* Caller
    const tasks = yield* TaskQueue
    yield* tasks.enqueue(sendChatAppMessage, { accountId, chatAppMessageId: id })
  })

const inboundOf = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return yield* sql<{
    readonly lead_id: number | null
    readonly body: string
    readonly media_status: string | null
    readonly customer_file_id: number | null
  }>`
    select lead_id, body, media_status, customer_file_id from chatapp_message
    where account_id = ${accountId} and direction = 'inbound' order by chatapp_message_id`
})

layer(Sandbox, { excludeTestServices: true })("the simulated messaging app", (it) => {
  it.effect("an opening is sent, priced and reported until it is delivered", () =>
    Effect.gen(function* () {
      const { leadId, me, phone, token } = yield* setUp
      const id = yield* me(queueMessage(leadId))
      yield* me(queueAndRun(id))
      const row = yield* me(eventually(messageRow(id), ({ status }) => status === "delivered"))
      assert.deepInclude(row, { kind: "template", cost_brl: 0.35, failure_reason: null })
      assert.strictEqual(yield* me(spentBrl), 0.35)
      const listed = yield* request("/sandbox/chatapp/messages", { token })
      assert.strictEqual(listed.status, 200)
      assert.include(listed.text, phone)
      assert.include(listed.text, '"greeting":"Ana"')
    })
  )

  it.effect("a person's message opens the window for the owner's messages, and files are stored", () =>
    Effect.gen(function* () {
      const files = yield* CustomerFiles
      const unit = yield* UnitOfWork
      const messages = yield* ChatAppMessages
      const sql = yield* SqlClient
      const { leadId, me, phone, token } = yield* setUp
      const content = png(8, 8)
      const body = {
        from: phone,
        text: "Veja a foto",
        file: { name: "foto.png", kind: "image", content: content.toString("base64") }
      }
      assert.strictEqual((yield* request("/sandbox/chatapp/inbound", { method: "POST", token, body })).status, 200)
      const [received] = yield* me(eventually(inboundOf, (rows) => rows[0]?.media_status === "stored"))
      assert.deepInclude(received, { lead_id: leadId, body: "Veja a foto" })
      const fileId = CustomerFileId.make(received?.customer_file_id ?? 0)
      assert.deepInclude(yield* me(files.get(fileId)), { file_name: "foto.png", media_type: "image/png" })
      const stored = yield* me(Stream.runCollect(files.read(fileId)))
      assert.isTrue(Buffer.concat(Chunk.toArray(stored)).equals(content))

      yield* sql`update lead set pipeline_state = 'user_controlled' where lead_id = ${leadId}`
      const sent = yield* me(unit.write(messages.sendToLead(leadId, { text: "Obrigado!", attachment: undefined })))
      const row = yield* me(
        eventually(messageRow(sent.chatapp_message_id ?? 0), ({ status }) => status === "delivered")
      )
      assert.deepInclude(row, { kind: "text", cost_brl: 0, body: "Obrigado!" })
    })
  )

  it.effect("special numbers cause the errors that they name", () =>
    Effect.gen(function* () {
      const { me } = yield* setUp
      const unreachable = yield* me(insertLead({ phone: "+15550131026" }))
      const id = yield* me(queueMessage(unreachable))
      yield* me(queueAndRun(id))
      const row = yield* me(eventually(messageRow(id), ({ status }) => status === "failed"))
      assert.deepInclude(row, { failure_reason: "not_on_chatapp", cost_brl: 0 })
      assert.strictEqual(yield* me(spentBrl), 0)

      const chatApp = yield* ChatApp
      const { accountId } = yield* me(Caller)
      const outcome = yield* chatApp.send({
        from: { accountId, lineId: "sandbox", credential: null },
        to: "+15550130429",
        reference: "6f1d3f5e-8f0a-4c7e-9d5e-0a8e8f1c2b3d",
        content: { _tag: "Text", body: "x" }
      })
      assert.deepInclude(outcome, { _tag: "Postponed", reason: "rate_limited" })
    })
  )

  it.effect("it enforces the window, sends the same reference once, and can look it up", () =>
    Effect.gen(function* () {
      const chatApp = yield* ChatApp
      const { leadId, me, phone } = yield* setUp
      const { accountId } = yield* me(Caller)
      const id = yield* me(queueMessage(leadId))
      const { client_reference: reference } = yield* me(messageRow(id))
      const from = { accountId, lineId: `sandbox-${accountId}`, credential: null }
      const closed = yield* chatApp.send({ from, to: phone, reference, content: { _tag: "Text", body: "x" } })
      assert.deepInclude(closed, { _tag: "Rejected", reason: "service_window_closed" })
      assert.deepStrictEqual(yield* chatApp.lookUp(from, reference), { _tag: "NotSent" })
      const opening = { _tag: "Opening", language: "en", greeting: "Ana", body: "x" } as const
      const first = yield* chatApp.send({ from, to: phone, reference, content: opening })
      assert.deepStrictEqual(yield* chatApp.send({ from, to: phone, reference, content: opening }), first)
      assert.strictEqual((yield* chatApp.lookUp(from, reference))._tag, "Sent")
    })
  )

  it.effect("a send that a crash interrupted is looked up, and sent if it was not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { leadId, me } = yield* setUp
      const id = yield* me(queueMessage(leadId))
      yield* sql`
        update chatapp_message set status = 'sending', sending_at = instant() - interval '2 minutes'
        where chatapp_message_id = ${id}`
      yield* me(queueAndRun(id))
      const row = yield* me(eventually(messageRow(id), ({ status }) => status === "sent" || status === "delivered"))
      assert.deepInclude(row, { kind: "template", cost_brl: 0.35 })
    })
  )

  it.effect("a send whose task was lost is found again by the sweep", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { leadId, me } = yield* setUp
      const id = yield* me(queueMessage(leadId))
      yield* sql`
        update chatapp_message set status = 'sending', sending_at = instant() - interval '11 minutes'
        where chatapp_message_id = ${id}`
      const sweep = chatAppTaskHandlers.find(({ task }) => task.name === "sweep_chatapp_outbox")
      if (sweep === undefined) throw new Error("There is no sweep.")
      yield* sweep.run({}, { id: "1", attempt: 1, maxAttempts: 3 })
      yield* me(eventually(messageRow(id), ({ status }) => status === "sent" || status === "delivered"))
    })
  )

  it.effect(
    "a message whose task crashed on its last attempt is found again, and what follows an unknown text is ended",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { leadId, me } = yield* setUp
        const id = yield* me(queueMessage(leadId))
        const text = yield* me(queueMessage(leadId, { status: "unknown" }))
        const follower = yield* me(queueMessage(leadId, { follows_message_id: text, kind: "media", body: "" }))
        yield* sql`
        update chatapp_message set created_at = instant() - interval '25 hours'
        where chatapp_message_id in (${id}, ${text}, ${follower})`
        const sweep = chatAppTaskHandlers.find(({ task }) => task.name === "sweep_chatapp_outbox")
        if (sweep === undefined) throw new Error("There is no sweep.")
        yield* sweep.run({}, { id: "1", attempt: 1, maxAttempts: 3 })
        yield* me(eventually(messageRow(id), ({ status }) => status === "sent" || status === "delivered"))
        assert.deepInclude(yield* me(messageRow(follower)), {
          status: "cancelled",
          failure_reason: "text_outcome_unknown"
        })
      })
  )

  it.effect("its routes for developers require a token and a message", () =>
    Effect.gen(function* () {
      const { phone, token } = yield* setUp
      const post = (body: unknown, sentToken?: string) =>
        Effect.map(
          request("/sandbox/chatapp/inbound", {
            method: "POST",
            body,
            ...(sentToken === undefined ? {} : { token: sentToken })
          }),
          ({ status }) => status
        )
      assert.strictEqual(yield* post({ from: phone, text: "x" }), 401)
      assert.strictEqual(yield* post({ from: phone, text: "x" }, "pgw_wrong"), 401)
      assert.strictEqual(yield* post({ text: "x" }, token), 400)
      assert.strictEqual(yield* post("x", token), 400)
      assert.strictEqual(yield* post({ from: "nobody", text: "x" }, token), 422)
      assert.strictEqual(yield* post({ from: phone, text: " " }, token), 422)
      assert.strictEqual((yield* request("/sandbox/chatapp/messages")).status, 401)
      assert.strictEqual((yield* request("/webhooks/chatapp")).status, 404)
    })
  )

  it.effect("the sign-up page changes nothing until its button is pressed", () =>
    Effect.gen(function* () {
      const lines = yield* ChatAppLines
      const unit = yield* UnitOfWork
      const me = as(yield* makeAccount())
      yield* me(unit.write(lines.register({ usesOwnNumber: true })))
      const pending = yield* me(eventually(lines.get, ({ status }) => status === "pending_signup"))
      const { pathname, search } = new URL(pending.signup_url ?? "")
      const picture = yield* request(`${pathname}${search}`)
      assert.strictEqual(picture.status, 200)
      assert.include(picture.text, "<button>")
      assert.include(picture.headers.get("content-security-policy"), "default-src 'none'")
      assert.strictEqual((yield* me(lines.get)).status, "pending_signup")
      assert.strictEqual((yield* request(`${pathname}${search}`, { method: "POST" })).status, 200)
      yield* me(eventually(lines.get, ({ status }) => status === "live"))
      assert.strictEqual((yield* request(`${pathname}${search}`, { method: "POST" })).status, 404)
      assert.strictEqual((yield* request(`${pathname}?state=<script>`)).status, 404)
      assert.strictEqual((yield* request("/chatapp/signup?state=x&code=y")).status, 404)
    })
  )

  it.effect("the picture of a line is shown", () =>
    Effect.gen(function* () {
      const lines = yield* ChatAppLines
      const { me } = yield* setUp
      const picture = png(200, 200)
      const view = yield* me(lines.setPicture({ bytes: picture, mediaType: "image/png" }))
      const profilePicture = yield* request(new URL(view.profile?.profile_picture_url ?? "").pathname)
      assert.strictEqual(profilePicture.status, 200)
      assert.strictEqual(profilePicture.headers.get("content-type"), "image/png")
      assert.strictEqual((yield* request(`/sandbox/chatapp/pictures/${"0".repeat(64)}`)).status, 404)
    })
  )
})
