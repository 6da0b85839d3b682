import { createHmac } from "node:crypto"
import { Redacted } from "effect"
import * as fc from "fast-check"
import { inboundSignature } from "../../src/Layers/Mail/InboundEndpoint.ts"
import { hostileMail, hostileMails } from "../Mail/hostileMails.ts"
import { disturbed } from "../support/disturbedJson.ts"
import { finished, signature as voiceSignature } from "../Voice/FakeElevenLabs.ts"
import type { BadRequest } from "./badRequests.ts"

/** What providers send (but the messaging app's, in test/ChatApp), signed as it should be: a stranger who has a secret, or a provider that has lost its mind. */

const voiceSecret = "voice-secret-of-the-attack"
const mailSecret = "mail-secret-of-the-attack"
const paymentKey = Buffer.from("a key of the attack that is long enough")

/** With these settings a gateway takes what is made here. */
export const deliverySettings: Readonly<Record<string, string>> = {
  ADS_PAYMENT_SECRET: `whsec_${paymentKey.toString("base64")}`,
  MAIL_INBOUND_SECRET: mailSecret,
  VOICE_PROVIDER: "elevenlabs",
  ELEVENLABS_API_KEY: "key",
  ELEVENLABS_PHONE_NUMBER_ID: "phnum_1",
  ELEVENLABS_AGENT_ID_FEMALE: "agent_1",
  ELEVENLABS_WEBHOOK_SECRET: voiceSecret
}

const seconds = (): number => Math.floor(Date.now() / 1000)

const posted = (path: string, body: string | Uint8Array, headers: Readonly<Record<string, string>>): BadRequest => ({
  method: "POST",
  path,
  headers: { "content-type": "application/json", ...headers },
  body: Buffer.from(body)
})

const conversation = (): unknown => ({
  type: "post_call_transcription",
  event_timestamp: seconds(),
  data: {
    conversation_id: "conv_1",
    agent_id: "agent_1",
    user_id: "6f1d3f5e-8f0a-4c7e-9d5e-0a8e8f1c2b3d",
    conversation_initiation_client_data: { dynamic_variables: { reference: "1-1" } },
    ...finished
  }
})

const payment = (): unknown => ({ recharge_token: "1-1-abc", reference: "payment-1", amount_brl: 100 })

const nested = `${'{"data":'.repeat(20_000)}1${"}".repeat(20_000)}`
const endless = `{"type":"post_call_transcription","data":{"transcript":[${'{"role":"user","message":"a"},'.repeat(9000)}{}]}}`

/** JSON with parts that are something else, no JSON, and JSON of forms that parsers dislike. */
const textOf = (example: () => unknown): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: disturbed(example).map((value) => JSON.stringify(value) ?? "") },
    { weight: 1, arbitrary: fc.constantFrom("", "{", "[]", nested, endless, `{"amount_brl":1${"0".repeat(400)}}`) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) }
  )

const voice = textOf(conversation).map((body) =>
  posted("/voice/elevenlabs/post-call", body, { "elevenlabs-signature": voiceSignature(body, seconds(), voiceSecret) })
)

const payments = fc.tuple(textOf(payment), fc.constantFrom("msg_1", "x".repeat(200), "'")).map(([body, id]) => {
  const at = String(seconds())
  const signature = createHmac("sha256", paymentKey).update(`${id}.${at}.${body}`).digest("base64")
  return posted("/ads/payment-notices", body, {
    "webhook-id": id,
    "webhook-timestamp": at,
    "webhook-signature": `v1,${signature}`
  })
})

const mails = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 2000 }) },
      {
        weight: 1,
        // The dear ones are sent one by one elsewhere.
        arbitrary: fc
          .constantFrom(...hostileMails)
          .map((mail) =>
            hostileMail(mail, { from: "stranger@lead.example", to: "owner@mail.example.com" })
              .toString("latin1")
              .slice(0, 20_000)
          )
      }
    ),
    fc.constantFrom("owner@mail.example.com", "", "nobody", "a@b@c", `${"x".repeat(5000)}@mail.example.com`)
  )
  .map(([raw, recipient]) => {
    const body = Buffer.from(raw, "latin1")
    const at = String(seconds())
    return posted("/inbound/mail", body, {
      "content-type": "message/rfc822",
      "x-mail-timestamp": at,
      "x-mail-recipient": recipient,
      "x-mail-signature": inboundSignature(Redacted.make(mailSecret), at, recipient, body)
    })
  })

/** A delivery whose signature is good, and nothing else. */
export const signedDelivery: fc.Arbitrary<BadRequest> = fc.oneof(voice, payments, mails)
