import { createHmac } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { inboundSignature } from "../../src/Layers/Mail/Inbox/InboundEndpoint.ts"
import { startGateway, temporaryDirectory } from "../support/processes/GatewayProcess.ts"
import { TestDatabase, testDatabaseUrl } from "../support/TestDatabase.ts"
import { signature as voiceSignature } from "../Voice/fakes/FakeElevenLabs.ts"
import { deliverySettings } from "./signedDeliveries.ts"

const secrets = {
  mail: deliverySettings["MAIL_INBOUND_SECRET"] ?? "",
  voice: deliverySettings["ELEVENLABS_WEBHOOK_SECRET"] ?? "",
  payments: deliverySettings["ADS_PAYMENT_SECRET"] ?? "",
  chat: "chat-secret-of-the-attack-0123456789"
}

const liveSettings = {
  ...deliverySettings,
  LOG_LEVEL: "ERROR",
  CHATAPP_ACCESS_TOKEN: "token-of-the-attack",
  CHATAPP_APP_SECRET: secrets.chat,
  CHATAPP_APP_ID: "1234567890",
  CHATAPP_VERIFY_TOKEN: "verify-token-of-the-attack"
}

interface Door {
  readonly path: string
  readonly body: string
  /** Whether what is signed contains a time, so that it grows old. */
  readonly hasTime: boolean
  readonly signed: (body: string, seconds: number, secret: string) => Readonly<Record<string, string>>
  readonly secret: string
}

const recipient = "owner@mail.example.com"
const mail = [
  "From: Lead <lead@lead.example>",
  `To: ${recipient}`,
  "Subject: Replayed",
  "Message-ID: <replayed@lead.example>",
  "",
  "Hello"
].join("\r\n")

const doors: { readonly [name: string]: Door } = {
  mail: {
    path: "/inbound/mail",
    body: mail,
    hasTime: true,
    secret: secrets.mail,
    signed: (body, seconds, secret) => ({
      "x-mail-timestamp": String(seconds),
      "x-mail-recipient": recipient,
      "x-mail-signature": inboundSignature(Redacted.make(secret), String(seconds), recipient, Buffer.from(body))
    })
  },
  calls: {
    path: "/voice/elevenlabs/post-call",
    body: JSON.stringify({ type: "post_call_transcription", event_timestamp: 1, data: { conversation_id: "conv_x" } }),
    hasTime: true,
    secret: secrets.voice,
    signed: (body, seconds, secret) => ({ "elevenlabs-signature": voiceSignature(body, seconds, secret) })
  },
  payments: {
    path: "/ads/payment-notices",
    body: JSON.stringify({ recharge_token: "1-1-abc", reference: "payment-1", amount_brl: 100 }),
    hasTime: true,
    secret: secrets.payments,
    signed: (body, seconds, secret) => {
      const key = Buffer.from(secret.slice("whsec_".length), "base64")
      const proof = createHmac("sha256", key).update(`msg_1.${seconds}.${body}`).digest("base64")
      return { "webhook-id": "msg_1", "webhook-timestamp": String(seconds), "webhook-signature": `v1,${proof}` }
    }
  },
  messages: {
    path: "/webhooks/chatapp",
    body: JSON.stringify({ object: "whatsapp_business_account", entry: [] }),
    hasTime: false,
    secret: secrets.chat,
    signed: (body, _, secret) => ({
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`
    })
  }
}

const otherSecret = (secret: string): string =>
  secret.startsWith("whsec_") ? `whsec_${Buffer.from("another key of an attacker").toString("base64")}` : `${secret}x`

/** The headers with each value changed. */
const mapped = (headers: Readonly<Record<string, string>>, change: (value: string, name: string) => string) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value, name)]))

const isProof = (name: string): boolean => name.includes("signature")

/** Ways to pass for the provider. */
const forgeries = ({ body, hasTime, secret, signed }: Door) => {
  const now = Math.floor(Date.now() / 1000)
  const good = signed(body, now, secret)
  return {
    "no signature": {},
    "an empty signature": mapped(good, (value, name) => (isProof(name) ? "" : value)),
    "a signature of zeros": mapped(good, (value, name) => (isProof(name) ? value.replace(/[1-9a-f]/g, "0") : value)),
    "half a signature": mapped(good, (value, name) => (isProof(name) ? value.slice(0, value.length / 2) : value)),
    "another secret": signed(body, now, otherSecret(secret)),
    "an empty secret": signed(body, now, secret.startsWith("whsec_") ? "whsec_" : ""),
    "the signature of another body": signed(`${body} `, now, secret),
    ...(hasTime
      ? {
          "an old signature": signed(body, now - 3600, secret),
          "a signature of tomorrow": signed(body, now + 86_400, secret),
          "an old signature with a new time": mapped(signed(body, now - 3600, secret), (value, name) =>
            isProof(name)
              ? value.replace(String(now - 3600), String(now))
              : name.includes("timestamp")
                ? String(now)
                : value
          )
        }
      : {})
  }
}

layer(TestDatabase, { excludeTestServices: true })("providers with live settings", (it) => {
  it.scoped("are taken for genuine by their signature alone, and what is replayed happens once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const dataDir = yield* temporaryDirectory
      const gateway = yield* startGateway(dataDir, { ...liveSettings, DATABASE_URL: yield* testDatabaseUrl })
      const posted = (path: string, body: string, headers: Readonly<Record<string, string>>) =>
        Effect.promise(async () => {
          const response = await fetch(`${gateway.baseUrl}${path}`, {
            method: "POST",
            headers: { "content-type": "application/json", ...headers },
            body
          })
          return { status: response.status, text: await response.text() }
        })
      const now = () => Math.floor(Date.now() / 1000)

      for (const [name, door] of Object.entries(doors)) {
        for (const [way, headers] of Object.entries(forgeries(door))) {
          const { status, text } = yield* posted(door.path, door.body, headers)
          assert.strictEqual(status, 401, `${name}, ${way}: ${text}`)
        }
        // What one provider signed opens no other's door.
        for (const [other, { path }] of Object.entries(doors)) {
          if (other === name) continue
          const { status } = yield* posted(path, door.body, door.signed(door.body, now(), door.secret))
          assert.strictEqual(status, 401, `${name} at ${other}`)
        }
        const genuine = yield* posted(door.path, door.body, door.signed(door.body, now(), door.secret))
        assert.notInclude([401, 403, 500, 503], genuine.status, `${name}: ${genuine.text}`)
      }

      const stored = yield* sql<{ readonly mails: number }>`
        select count(*) as mails from email_message where message_id = '<replayed@lead.example>'`
      assert.deepStrictEqual(stored, [{ mails: 1 }])
      const door = doors["mail"] ?? assert.fail()
      const replay = door.signed(mail, now(), door.secret)
      for (let round = 0; round < 5; round++) {
        const { status } = yield* posted(door.path, mail, replay)
        assert.isBelow(status, 300)
      }
      const after = yield* sql<{ readonly mails: number }>`
        select count(*) as mails from email_message where message_id = '<replayed@lead.example>'`
      assert.deepStrictEqual(after, [{ mails: 1 }])
    })
  )
})
