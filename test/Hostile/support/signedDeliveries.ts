import { createHmac } from "node:crypto"
import { Redacted } from "effect"
import * as fc from "fast-check"
import { inboundSignature } from "../../../src/Layers/Mail/Inbox/InboundEndpoint.ts"
import { hostileMail, hostileMails } from "../../Mail/Parsing/hostileMails.ts"
import { disturbed } from "../../support/checks/disturbedJson.ts"
import { finished, signature as voiceSignature } from "../../Voice/fakes/FakeElevenLabs.ts"
import type { BadRequest } from "./badRequests.ts"

/** What providers send (but the messaging app's, in test/ChatApp), signed as it should be: a stranger who has a secret, or a provider that has lost its mind. */

const voiceSecret = "voice-secret-of-the-attack"
const mailSecret = "mail-secret-of-the-attack"
const paymentKey = Buffer.from("a key of the attack that is long enough")

/** Where providers and CRMs reach the gateway, as they sign it and are told. */
export const publicUrl = "https://gateway.test"

const telephoneSecret = "telephone-secret-of-the-attack"

/** The other provider of telephone calls: a gateway has one of them. */
export const telephoneSettings: Readonly<Record<string, string>> = {
  BASE_URL: publicUrl,
  VOICE_PROVIDER: "twilio",
  TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  TWILIO_AUTH_TOKEN: telephoneSecret,
  TWILIO_FROM: "+551140001000"
}

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

const texts = fc.oneof(
  fc.constantFrom("completed", "in-progress", "busy", "failed", "canceled", "human", "machine_end_beep", "unknown", ""),
  fc.constantFrom(
    "0",
    "-1",
    "999999",
    "1e9",
    "9".repeat(400),
    "\u0000",
    "\ud800",
    "\u202e",
    "x".repeat(20_000),
    "<script>"
  ),
  fc.string({ unit: "binary", maxLength: 100 })
)

/** Signed over the address and the form, whatever stands in them. */
export const telephoneNotice = (baseUrl = publicUrl, secret = telephoneSecret): fc.Arbitrary<BadRequest> =>
  fc
    .record({
      reference: fc.constantFrom(
        "6f1d3f5e-8f0a-4c7e-9d5e-0a8e8f1c2b3d",
        "x",
        "9".repeat(400),
        "constructor",
        "\u202e",
        "a/b",
        "a b",
        "\u0000"
      ),
      sid: fc.constantFrom(
        `CA${"0".repeat(32)}`,
        `CA${"f".repeat(32)}`,
        `CA${"0".repeat(33)}`,
        "",
        "'; drop table lead; --"
      ),
      fields: fc.array(
        fc.tuple(
          fc.constantFrom("CallStatus", "CallDuration", "AnsweredBy", "CallSid", "__proto__", "To", "x", ""),
          texts
        ),
        { maxLength: 12 }
      ),
      lot: fc.nat(20)
    })
    .map(({ fields, lot, reference, sid }) => {
      const form = new URLSearchParams([["CallSid", sid], ...fields])
      // As many names as 64 KiB have room for.
      if (lot === 0) for (let at = 0; at < 8000; at++) form.append(String(8000 - at), "")
      const path = `/voice/twilio/calls/${reference}`
      const signed = [...form]
        .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
        .map(([name, value]) => name + value)
        .join("")
      const signature = createHmac("sha1", secret).update(`${baseUrl}${path}${signed}`, "utf8").digest("base64")
      return posted(`/voice/twilio/calls/${encodeURIComponent(reference)}`, form.toString(), {
        "content-type": "application/x-www-form-urlencoded",
        "x-twilio-signature": signature
      })
    })

/** CRMs that tell of deals by themselves, with what they are connected with where they are simulated. */
export const tellingCrms: { readonly [crm: string]: object } = {
  pipedrive: { api_token: "sandbox-here" },
  ploomes: { api_key: "sandbox-here" },
  crmsuite: { crm_token: "sandbox-here" },
  agendor: { api_token: "sandbox-here" },
  nectar: { api_token: "sandbox-here" },
  twenty: { api_key: "sandbox-here" }
}

/** The paths that simulated CRMs were told, as `/sandbox/crm` shows them. */
export const hookPaths = (sandbox: string): ReadonlyArray<string> => [
  ...new Set(
    [...sandbox.matchAll(/https:\/\/gateway\.test(\/webhooks\/crm\/[\w/-]+)/g)].flatMap(([, path]) =>
      path === undefined ? [] : [path]
    )
  )
]

const news = (): unknown => ({
  meta: { entity: "deal", entity_id: 77 },
  data: { id: 77, status: "won", dealStatus: { id: 2 } },
  Action: "Win",
  New: { Id: 77 },
  document: { id: "77", win: true },
  record: { id: "77" },
  id: 77,
  status: 2
})

/** From a CRM that knows its address and its secret. */
export const crmDelivery = (paths: ReadonlyArray<string>): fc.Arbitrary<BadRequest> =>
  fc.tuple(fc.constantFrom(...paths), textOf(news)).map(([path, body]) => {
    const [, secret = ""] = /^\/webhooks\/crm\/\d+\/\w+\/([\w-]+)\//.exec(path) ?? []
    const at = String(Date.now())
    return posted(path, body, {
      authorization: path.includes("/pipedrive/")
        ? `Basic ${Buffer.from(`gateway:${secret}`).toString("base64")}`
        : `Bearer ${secret}`,
      "x-ploomes-validation-key": secret,
      "x-twenty-webhook-timestamp": at,
      "x-twenty-webhook-signature": createHmac("sha256", secret).update(`${at}:${body}`).digest("hex")
    })
  })

/** A delivery whose signature is good, and nothing else. */
export const signedDelivery: fc.Arbitrary<BadRequest> = fc.oneof(voice, payments, mails)
