import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer, Option } from "effect"
import { AccessTokensPostgres } from "../../src/Layers/Accounts/Tokens/AccessTokensPostgres.ts"
import { inboundHeadSignature, inboundSignature } from "../../src/Layers/Mail/Inbox/InboundEndpoint.ts"
import { mailEndpoints } from "../../src/Layers/Mail/MailLayers.ts"
import { MailSettings } from "../../src/Layers/Mail/MailSettings.ts"
import { AccessTokens } from "../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { MailOutbox } from "../../src/Services/Mail/MailOutbox.ts"
import { unsubscribeToken } from "../../src/Services/Mail/MailTags.ts"
import { noMailSettings, secret } from "../support/channels/MailFixtures.ts"
import {
  emailRow,
  fakeProvider,
  mailServices,
  queueEmail,
  sandboxMailServices,
  suppressions
} from "../support/channels/MailServices.ts"
import { historyOf, insertLead } from "../support/leads/LeadServices.ts"
import { serveEndpoints } from "../support/servers/ServedEndpoints.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { letter } from "./sampleMails.ts"

const inboundSecret = secret("a secret of the operator's own")
const settings = { ...noMailSettings, inboundSecret: Option.some(inboundSecret) }
const Services = Layer.provideMerge(AccessTokensPostgres, sandboxMailServices(settings))

const serve = Effect.flatMap(mailEndpoints, serveEndpoints)

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const request = (url: string, init: RequestInit = {}) =>
  Effect.promise(async (): Promise<Answer> => {
    const response = await fetch(url, { redirect: "manual", ...init })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

/** A lead with its unsubscribe address. */
const subscribed = (base: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const caller = yield* makeAccount()
    const me = as(caller)
    const leadId = yield* me(insertLead())
    const [account] = yield* sql<{ readonly mail_key: Uint8Array; readonly handle: string }>`
      select mail_key, handle from account where account_id = ${caller.accountId}`
    const token = unsubscribeToken(account?.mail_key ?? new Uint8Array(), { accountId: caller.accountId, leadId })
    const state = sql<{ readonly unsubscribed: boolean; readonly email: string }>`
      select unsubscribed_at is not null as unsubscribed, email from lead where lead_id = ${leadId}`
    return { caller, me, leadId, token, url: `${base}/u/${token}`, state, address: `${account?.handle}@mail.example` }
  })

const form = (body: string): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
  body
})

layer(Services, { excludeTestServices: true })("the unsubscribe address", (it) => {
  it.scoped("asks when it is opened, and changes nothing", () =>
    Effect.gen(function* () {
      const { me, leadId, state, url } = yield* subscribed(yield* serve)
      for (const method of ["GET", "HEAD", "GET"]) {
        const answer = yield* request(url, { method, headers: { "Accept-Language": "en-US,en;q=0.9" } })
        assert.strictEqual(answer.status, 200)
        assert.match(answer.headers.get("content-type") ?? "", /^text\/html/)
        assert.match(answer.headers.get("content-security-policy") ?? "", /default-src 'none'.*form-action 'self'/)
        assert.strictEqual(answer.headers.get("referrer-policy"), "no-referrer")
        if (method === "GET") assert.match(answer.text, /<form method="post">.*Unsubscribe<\/button>/)
      }
      assert.deepInclude((yield* state)[0], { unsubscribed: false })
      assert.lengthOf(yield* me(historyOf(leadId)), 0)
    })
  )

  it.scoped("unsubscribes by one click of a mail program, or by the page's button, once", () =>
    Effect.gen(function* () {
      const base = yield* serve
      for (const body of ["List-Unsubscribe=One-Click", "confirm=yes"]) {
        const { me, leadId, state, url } = yield* subscribed(base)
        for (let round = 0; round < 3; round++) {
          const answer = yield* request(url, form(body))
          assert.strictEqual(answer.status, 200)
          assert.include(answer.text, "Pronto")
        }
        const [lead] = yield* state
        assert.isTrue(lead?.unsubscribed)
        assert.deepStrictEqual(yield* me(suppressions), [{ email: lead?.email, reason: "unsubscribed" }])
        assert.deepStrictEqual(
          (yield* me(historyOf(leadId))).map(({ actor, event_type, reason }) => [event_type, actor, reason]),
          [["unsubscribed", "lead", "unsubscribe_link"]]
        )
      }
      const { state, url } = yield* subscribed(base)
      const boundary = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n'
      yield* request(url, {
        method: "POST",
        headers: { "Content-Type": "multipart/form-data; boundary=b" },
        body: boundary
      })
      assert.deepInclude((yield* state)[0], { unsubscribed: true })
    })
  )

  it.scoped("names who wrote, on the page that asks and on the one that says done, in the reader's language", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { caller, url } = yield* subscribed(yield* serve)
      yield* sql`update account set name = 'Solaris & <b>', mail_display_name = 'Helena' where account_id = ${caller.accountId}`
      for (const [language, done] of [
        ["pt-BR,pt;q=0.9", "Você não receberá mais mensagens de Helena (Solaris &amp; &lt;b&gt;)."],
        ["es-MX", "No recibirá más mensajes de Helena (Solaris &amp; &lt;b&gt;)."],
        ["fr,en;q=0.5", "You will get no more messages from Helena (Solaris &amp; &lt;b&gt;)."]
      ] as const) {
        const headers = { "Accept-Language": language }
        assert.include((yield* request(url, { headers })).text, "Helena (Solaris &amp; &lt;b&gt;)")
        assert.include((yield* request(url, { method: "POST", body: "confirm=yes", headers })).text, done)
      }
    })
  )

  it.scoped("that is invalid shows an error and another way, and never success", () =>
    Effect.gen(function* () {
      const base = yield* serve
      const { state, token } = yield* subscribed(base)
      const forged = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`
      for (const unknown of [forged, "x", "%00", "a".repeat(90), "..%2f..%2fetc%2fpasswd", "<script>"]) {
        const page = yield* request(`${base}/u/${unknown}`)
        assert.strictEqual(page.status, 404, unknown)
        assert.include(page.text, "Não conseguimos ler este link")
        assert.include(page.text, "responda àquela mensagem")
        assert.notInclude(page.text, "<form")
        const posted = yield* request(`${base}/u/${unknown}`, form("List-Unsubscribe=One-Click"))
        assert.strictEqual(posted.status, 404)
        assert.strictEqual(posted.text, page.text)
      }
      assert.deepInclude((yield* state)[0], { unsubscribed: false })
    })
  )

  it.scoped("of an erased lead still works", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { leadId, url } = yield* subscribed(yield* serve)
      yield* sql`delete from lead where lead_id = ${leadId}`
      assert.strictEqual((yield* request(url, form("List-Unsubscribe=One-Click"))).status, 200)
    })
  )

  it.scoped("accepts only a short body and no other method", () =>
    Effect.gen(function* () {
      const { state, url } = yield* subscribed(yield* serve)
      assert.strictEqual((yield* request(url, form("x".repeat(100_000)))).status, 413)
      assert.strictEqual((yield* request(url, { method: "DELETE" })).status, 405)
      assert.deepInclude((yield* state)[0], { unsubscribed: false })
    })
  )
})

layer(Services, { excludeTestServices: true })("the inbound route", (it) => {
  const now = Effect.map(Clock.currentTimeMillis, (millis) => `${Math.floor(millis / 1000)}`)
  const post = (url: string, raw: Buffer, headers: { readonly [name: string]: string }) =>
    request(`${url}/inbound/mail`, {
      method: "POST",
      body: raw,
      headers: { "Content-Type": "message/rfc822", ...headers }
    })
  const signed = (timestamp: string, recipient: string, raw: Buffer) => ({
    "X-Mail-Timestamp": timestamp,
    ...(recipient === "" ? {} : { "X-Mail-Recipient": recipient }),
    "X-Mail-Signature": inboundSignature(inboundSecret, timestamp, recipient, raw)
  })

  it.scoped("accepts a signed message, and answers how it was handled", () =>
    Effect.gen(function* () {
      const url = yield* serve
      const { address, state } = yield* subscribed(url)
      const [lead] = yield* state
      const raw = Buffer.concat([
        letter({ from: lead?.email ?? "", to: "hidden@else.example" }),
        Buffer.from([0xff, 0xfe])
      ])
      const timestamp = yield* now
      const first = yield* post(url, raw, signed(timestamp, address, raw))
      assert.strictEqual(first.status, 200)
      const { messages } = JSON.parse(first.text) as {
        messages: ReadonlyArray<{ outcome: string; email_message_id: number }>
      }
      assert.strictEqual(messages[0]?.outcome, "lead_reply")
      assert.deepInclude(yield* emailRow(messages[0]?.email_message_id ?? 0), { status: "received" })
      const again = yield* post(url, raw, signed(timestamp, address, raw))
      assert.deepStrictEqual(JSON.parse(again.text), { messages: [{ outcome: "duplicate", email_message_id: null }] })
    })
  )

  it.scoped("reads a long message only if the headers prove the secret", () =>
    Effect.gen(function* () {
      const url = yield* serve
      const { address } = yield* subscribed(url)
      const raw = Buffer.concat([letter({ from: "a@lead.example", to: address }), Buffer.alloc(5 * 1024 * 1024, "x")])
      const timestamp = yield* now
      const headers = signed(timestamp, address, raw)
      const unproved = yield* post(url, raw, headers)
      assert.strictEqual(unproved.status, 413)
      assert.include(unproved.text, "x-mail-head-signature")
      const proof = inboundHeadSignature(inboundSecret, timestamp, address)
      assert.strictEqual((yield* post(url, raw, { ...headers, "X-Mail-Head-Signature": proof })).status, 200)
      const wrong = inboundHeadSignature(inboundSecret, timestamp, `${address}.`)
      assert.strictEqual((yield* post(url, raw, { ...headers, "X-Mail-Head-Signature": wrong })).status, 413)
    })
  )

  it.scoped("refuses requests that are unsigned, wrongly signed, or too old", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const url = yield* serve
      const { address, caller } = yield* subscribed(url)
      const raw = letter({ from: "a@lead.example", to: address })
      const timestamp = yield* now
      const good = signed(timestamp, "", raw)
      const old = `${Number(timestamp) - 301}`
      const early = `${Number(timestamp) + 400}`
      const forged: ReadonlyArray<readonly [Buffer, { readonly [name: string]: string }]> = [
        [raw, {}],
        [raw, { ...good, "X-Mail-Signature": "sha256=00" }],
        [raw, { ...good, "X-Mail-Signature": `sha256=${"0".repeat(64)}` }],
        [raw, { ...good, "X-Mail-Recipient": address }],
        [raw, { ...good, "X-Mail-Timestamp": `${Number(timestamp) - 1}` }],
        [raw, { ...good, "X-Mail-Timestamp": "soon" }],
        [raw, signed(old, "", raw)],
        [raw, signed(early, "", raw)],
        [Buffer.concat([raw, Buffer.from("PS")]), good],
        [
          raw,
          { ...good, "X-Mail-Signature": inboundSignature(secret("another secret of another"), timestamp, "", raw) }
        ]
      ]
      for (const [body, headers] of forged) {
        const answer = yield* post(url, body, headers)
        assert.strictEqual(answer.status, 401)
        assert.deepInclude(JSON.parse(answer.text), { type: "InvalidSignature" })
      }
      const rows = yield* sql`select from email_message where account_id = ${caller.accountId}`
      assert.lengthOf(rows, 0)
      assert.strictEqual((yield* post(url, raw, good)).status, 200)
    })
  )

  it.scoped("reports a message without an account, and refuses one that is too large", () =>
    Effect.gen(function* () {
      const url = yield* serve
      const raw = letter({ from: "a@lead.example", to: "nobody@mail.example" })
      const timestamp = yield* now
      const answer = yield* post(url, raw, signed(timestamp, "", raw))
      assert.strictEqual(answer.status, 404)
      assert.deepInclude(JSON.parse(answer.text), { type: "UnknownRecipient" })
      const large = Buffer.alloc(26 * 1024 * 1024, "x")
      assert.strictEqual((yield* post(url, large, signed(timestamp, "", large))).status, 413)
    })
  )
})

layer(Layer.provideMerge(AccessTokensPostgres, sandboxMailServices()), { excludeTestServices: true })(
  "the sandbox of mail",
  (it) => {
    const holder = (base: string) =>
      Effect.gen(function* () {
        const tokens = yield* AccessTokens
        const subscription = yield* subscribed(base)
        const { token } = yield* subscription.me(tokens.generate({ label: "test", expiresAt: Option.none() }))
        return { ...subscription, bearer: { Authorization: `Bearer ${token}` } }
      })

    it.scoped("shows what was sent and accepts a developer's answers", () =>
      Effect.gen(function* () {
        const outbox = yield* MailOutbox
        const base = yield* serve
        const { bearer, leadId, me, state } = yield* holder(base)
        const sent = yield* me(queueEmail(leadId, { subject: "Olá" }))
        yield* outbox.deliver(sent, { isLast: false })
        yield* outbox.deliver(sent, { isLast: false })

        const outgoing = yield* request(`${base}/sandbox/mail?direction=outbound`, { headers: bearer })
        const listed = JSON.parse(outgoing.text) as {
          mail: ReadonlyArray<{ sandbox_mail_id: number; message_id: string; text: string }>
          total: number
        }
        assert.strictEqual(listed.total, 1)
        assert.strictEqual(listed.mail[0]?.message_id, sent.messageId)
        assert.match(listed.mail[0]?.text ?? "", /^How are you\?\n\nSender \d+\n\nSe não quiser/)
        const id = listed.mail[0]?.sandbox_mail_id ?? 0
        const raw = yield* request(`${base}/sandbox/mail/${id}`, { headers: bearer })
        assert.strictEqual(raw.headers.get("content-type"), "message/rfc822")
        assert.include(raw.text, "List-Unsubscribe-Post: List-Unsubscribe=One-Click")

        const [lead] = yield* state
        const answered = yield* request(`${base}/sandbox/mail/inbound`, {
          method: "POST",
          headers: { ...bearer, "Content-Type": "application/json" },
          body: JSON.stringify({ from: "assistant@lead.example", text: "Sim!", in_reply_to_sandbox_mail_id: id })
        })
        assert.deepInclude(JSON.parse(answered.text), { outcome: "lead_reply", lead_id: leadId })
        const bounced = yield* request(`${base}/sandbox/mail/inbound`, {
          method: "POST",
          headers: { ...bearer, "Content-Type": "message/rfc822" },
          body: letter({ from: lead?.email ?? "", to: "whoever@else.example" })
        })
        assert.deepInclude(JSON.parse(bounced.text), { outcome: "lead_reply", lead_id: leadId })
        const all = yield* request(`${base}/sandbox/mail?page_size=2`, { headers: bearer })
        assert.deepInclude(JSON.parse(all.text), { total: 3, page: 0, page_size: 2 })
      })
    )

    it.scoped("only shows the token's account", () =>
      Effect.gen(function* () {
        const outbox = yield* MailOutbox
        const base = yield* serve
        const one = yield* holder(base)
        const other = yield* holder(base)
        yield* outbox.deliver(yield* one.me(queueEmail(one.leadId)), { isLast: false })
        assert.deepInclude(JSON.parse((yield* request(`${base}/sandbox/mail`, { headers: other.bearer })).text), {
          total: 0
        })
        const mine = JSON.parse((yield* request(`${base}/sandbox/mail`, { headers: one.bearer })).text) as {
          mail: ReadonlyArray<{ sandbox_mail_id: number }>
        }
        const id = mine.mail[0]?.sandbox_mail_id ?? 0
        assert.strictEqual((yield* request(`${base}/sandbox/mail/${id}`, { headers: other.bearer })).status, 404)
        for (const headers of [{}, { Authorization: "Bearer nonsense" }]) {
          assert.strictEqual((yield* request(`${base}/sandbox/mail`, { headers })).status, 401)
        }
      })
    )

    it.scoped("says what is wrong with a made-up message", () =>
      Effect.gen(function* () {
        const base = yield* serve
        const { bearer } = yield* holder(base)
        const bodies = [
          "{",
          "[]",
          '{"from":"x","text":"y"}',
          '{"from":"a@b.example"}',
          '{"from":"a@b.example","text":"y","to":"z"}',
          '{"from":"a@b.example","text":"y","in_reply_to_sandbox_mail_id":99}'
        ]
        for (const body of bodies) {
          const answer = yield* request(`${base}/sandbox/mail/inbound`, { method: "POST", headers: bearer, body })
          assert.strictEqual(answer.status, 400, body)
          assert.deepInclude(JSON.parse(answer.text), { type: "InvalidRequestBody" })
        }
      })
    )

    it.scoped("rejects some addresses as servers would", () =>
      Effect.gen(function* () {
        const outbox = yield* MailOutbox
        const caller = yield* makeAccount()
        const me = as(caller)
        const rejectedMail = yield* me(queueEmail(yield* me(insertLead({ email: "sandbox-reject@lead.example" }))))
        yield* outbox.deliver(rejectedMail, { isLast: false })
        assert.deepInclude(yield* emailRow(rejectedMail.emailMessageId), {
          status: "failed",
          failure_reason: "recipient_rejected"
        })
        const later = yield* me(queueEmail(yield* me(insertLead({ email: "sandbox-defer+1@lead.example" }))))
        assert.deepInclude(yield* Effect.flip(outbox.deliver(later, { isLast: false })), { reason: "smtp_deferred" })
      })
    )
  }
)

layer(
  Layer.provideMerge(AccessTokensPostgres, mailServices(fakeProvider().layer)).pipe(
    Layer.provideMerge(Layer.succeed(MailSettings, noMailSettings))
  ),
  { excludeTestServices: true }
)("a gateway with a mail server and no secret", (it) => {
  it.scoped("has neither sandbox nor inbound route", () =>
    Effect.gen(function* () {
      const base = yield* serve
      for (const [path, method] of [
        ["/sandbox/mail", "GET"],
        ["/sandbox/mail/1", "GET"],
        ["/sandbox/mail/inbound", "POST"],
        ["/inbound/mail", "POST"]
      ] as const) {
        const answer = yield* request(`${base}${path}`, { method })
        assert.strictEqual(answer.status, 404)
        assert.deepInclude(JSON.parse(answer.text), { type: "UnknownRoute" })
      }
    })
  )
})
