import { createHmac } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { hookPath, hookSecret } from "../../../src/Layers/Crm/Connecting/CrmHooks.ts"
import { sharedWebhookPath } from "../../../src/Layers/Crm/Connecting/CrmWebhooks.ts"
import { inboundSignature } from "../../../src/Layers/Mail/Inbox/InboundEndpoint.ts"
import { makeAccountSeal } from "../../../src/Layers/Platform/Postgres/AccountSeal.ts"
import { Connections } from "../../../src/Services/Connections/Connections.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../src/Services/Core/Calls/UnitOfWork.ts"
import { signatureOf } from "../../../src/Services/Scheduler/NoticeSignature.ts"
import { deliveryOf, statusOf, textMessage } from "../../support/channels/ChatAppDeliveries.ts"
import { insertLine, queueMessage } from "../../support/channels/ChatAppServices.ts"
import { insertLead } from "../../support/leads/LeadServices.ts"
import { makeTokenHolder, send } from "../../support/servers/TestServer.ts"
import { as } from "../../support/TestAccount.ts"
import { finished, signature as voiceSignature } from "../../Voice/fakes/FakeElevenLabs.ts"
import { signature as telephoneSignature } from "../../Voice/fakes/FakeTwilio.ts"
import { googleCalendarDoor, microsoftCalendarDoor } from "./calendarDoors.ts"
import type { Door, Notice } from "./noticeDoors.ts"
import { deliverySettings, publicUrl, telephoneSettings, tellingCrms } from "./signedDeliveries.ts"

/** The doors by which providers report, with what each needs so that a genuine notice changes something. */

const chatSecret = "chat-secret-of-the-attack"
const schedulerKey = "scheduler-key-of-the-attack"
const setting = (name: string): string => deliverySettings[name] ?? telephoneSettings[name] ?? assert.fail(name)

/** Every provider that reports by itself is live, at addresses where no one answers. */
export const liveSettings: Readonly<Record<string, string>> = {
  ...deliverySettings,
  CHATAPP_ACCESS_TOKEN: "token-of-the-attack",
  CHATAPP_APP_SECRET: chatSecret,
  CHATAPP_APP_ID: "1234567890",
  CHATAPP_VERIFY_TOKEN: "verify-token-of-the-attack",
  CHATAPP_API_URL: "http://127.0.0.1:9/v23.0",
  CALENDAR_MODE: "live",
  CALENDAR_CLIENT_ID: "client",
  CALENDAR_CLIENT_SECRET: "client-secret-of-the-attack",
  SCHEDULER_MODE: "live",
  SCHEDULER_CLIENT_ID: "client",
  SCHEDULER_CLIENT_SECRET: "client-secret-of-the-attack",
  SCHEDULER_WEBHOOK_KEY: schedulerKey,
  CRM_MODE: "live"
}

const secondsNow = (): number => Math.floor(Date.now() / 1000)

/** How a provider signs: the headers over a body at a time. Without `hasTime`, signatures do not grow old. */
interface Signing {
  readonly path: string
  readonly body: string
  readonly secret: string
  readonly hasTime: boolean
  readonly sign: (body: string, seconds: number, secret: string) => Readonly<Record<string, string>>
}

const mapped = (
  headers: Readonly<Record<string, string>>,
  change: (value: string, name: string) => string
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value, name)]))

const isProof = (name: string): boolean => name.includes("signature")

/** A Standard Webhooks secret is the base64 of the key. */
const otherSecret = (secret: string): string =>
  secret.startsWith("whsec_") ? `whsec_${Buffer.from("another key of an attacker").toString("base64")}` : `${secret}x`

const signed = ({ body, path, secret, sign }: Signing): Notice => ({
  path,
  body,
  headers: sign(body, secondsNow(), secret)
})

/** Ways to pass for a provider that signs. */
const forgeriesOf = ({ body, hasTime, path, secret, sign }: Signing): Readonly<Record<string, Notice>> => {
  const now = secondsNow()
  const good = sign(body, now, secret)
  const old = sign(body, now - 3600, secret)
  const proofs = (change: (value: string) => string) =>
    mapped(good, (value, name) => (isProof(name) ? change(value) : value))
  const headers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "no signature": {},
    "an empty signature": proofs(() => ""),
    "a signature of zeros": proofs((value) => value.replace(/[\w+/]{20,}/, (text) => "0".repeat(text.length))),
    "half a signature": proofs((value) => value.slice(0, value.length / 2)),
    "another secret": sign(body, now, otherSecret(secret)),
    "an empty secret": sign(body, now, secret.startsWith("whsec_") ? "whsec_" : ""),
    "the signature of another body": sign(`${body} `, now, secret),
    ...(hasTime
      ? {
          "an old signature": old,
          "a signature of tomorrow": sign(body, now + 86_400, secret),
          "a signature without a time": mapped(good, (value, name) =>
            name.includes("timestamp") ? "" : value.replace(`t=${now},`, "")
          ),
          "an old signature with a new time": mapped(old, (value, name) =>
            name.includes("timestamp") ? String(now) : value.replace(`t=${now - 3600}`, `t=${now}`)
          ),
          "a time that is no number": mapped(good, (value, name) =>
            name.includes("timestamp") ? "NaN" : value.replace(`t=${now}`, "t=NaN")
          )
        }
      : {})
  }
  return Object.fromEntries(Object.entries(headers).map(([way, each]) => [way, { path, body, headers: each }]))
}

const doorOf = (signing: Signing, state: Door["state"], reordered: Readonly<Record<string, string>> = {}): Door => ({
  genuine: () => signed(signing),
  forged: () => forgeriesOf(signing),
  reordered: () =>
    Object.fromEntries(Object.entries(reordered).map(([way, body]) => [way, signed({ ...signing, body })])),
  state
})

const mailDoor = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const [account] = yield* sql<{ readonly handle: string }>`select handle from account where account_id = ${accountId}`
  const recipient = `${account?.handle}@mail.example.com`
  const mail = [
    "From: Lead <lead@lead.example>",
    `To: ${recipient}`,
    "Subject: Replayed",
    "Message-ID: <replayed@lead.example>",
    "",
    "Hello"
  ].join("\r\n")
  return doorOf(
    {
      path: "/inbound/mail",
      body: mail,
      hasTime: true,
      secret: setting("MAIL_INBOUND_SECRET"),
      sign: (body, seconds, secret) => ({
        "x-mail-timestamp": String(seconds),
        "x-mail-recipient": recipient,
        "x-mail-signature": inboundSignature(Redacted.make(secret), String(seconds), recipient, Buffer.from(body))
      })
    },
    sql`select message_id, status from email_message where account_id = ${accountId} order by 1`
  )
})

/** A call under way at a provider; answers our reference. */
const dialing = (provider: string, providerCallId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const [call] = yield* sql<{ readonly reference: string }>`
      insert into voice_call (account_id, kind, phone, goal, status, dial_request, provider, provider_call_id, dialed_at,
        begun_at)
      values (${accountId}, 'goal_driven', '+5511987654321', 'Confirmar', 'dialing', 'placed', ${provider},
        ${providerCallId}, instant(), instant())
      returning client_reference as reference`
    const state = sql`
      select status, was_picked_up, duration_seconds, summary, transcript from voice_call
      where account_id = ${accountId} and provider_call_id = ${providerCallId}`
    return { reference: call?.reference ?? "", state }
  })

const callDoor = Effect.gen(function* () {
  const { reference, state } = yield* dialing("elevenlabs", "conv_live")
  const data = { conversation_id: "conv_live", agent_id: "agent_1", user_id: reference }
  const transcription = (change: object) =>
    JSON.stringify({
      type: "post_call_transcription",
      event_timestamp: secondsNow(),
      data: { ...data, ...finished, ...change }
    })
  return doorOf(
    {
      path: "/voice/elevenlabs/post-call",
      body: transcription({}),
      hasTime: true,
      secret: setting("ELEVENLABS_WEBHOOK_SECRET"),
      sign: (body, seconds, secret) => ({ "elevenlabs-signature": voiceSignature(body, seconds, secret) })
    },
    state,
    {
      "another end of the call": transcription({ analysis: { call_successful: "failure", transcript_summary: "No" } }),
      "a call that is still under way": transcription({ status: "in-progress" }),
      "a call that never began": JSON.stringify({
        type: "call_initiation_failure",
        event_timestamp: 1,
        data: { ...data, failure_reason: "busy", metadata: { type: "twilio", body: {} } }
      })
    }
  )
})

/** Twilio signs the address and the fields. */
export const telephoneDoor = Effect.gen(function* () {
  const { caller } = yield* makeTokenHolder()
  const sid = `CA${"7".repeat(32)}`
  const { reference, state } = yield* as(caller)(dialing("twilio", sid))
  const path = `/voice/twilio/calls/${reference}`
  const bodyOf = (fields: Readonly<Record<string, string>>) =>
    new URLSearchParams({ CallSid: sid, ...fields }).toString()
  const signing: Signing = {
    path,
    body: bodyOf({ AnsweredBy: "human", CallDuration: "12", CallStatus: "completed" }),
    hasTime: false,
    secret: setting("TWILIO_AUTH_TOKEN"),
    sign: (body, _, secret) => ({
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": telephoneSignature(
        `${publicUrl}${path}`,
        Object.fromEntries(new URLSearchParams(body)),
        secret
      )
    })
  }
  const door = doorOf(signing, state, {
    ringing: bodyOf({ CallStatus: "ringing" }),
    "in progress": bodyOf({ CallStatus: "in-progress" }),
    busy: bodyOf({ CallStatus: "busy" })
  })
  const { body, headers } = door.genuine()
  return {
    ...door,
    forged: () => ({
      ...door.forged(),
      "the signature of another call": { path: `${path.slice(0, -1)}${path.endsWith("0") ? 1 : 0}`, body, headers },
      "a field more": { path, body: `${body}&CallStatus=completed`, headers }
    }),
    // What is signed has no marks between the fields, so this is signed too. It says nothing that a call can be in.
    reordered: () => ({
      ...door.reordered(),
      "a field that is two": { path, body: body.replace("CallStatus=completed", "CallStatus=complete&d="), headers }
    })
  }
})

const Draft = Schema.Struct({ recharge_url: Schema.String })

const paymentDoor = (token: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const call = (tool: string, args: object) =>
      send(`/rest/v1/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args) })
    yield* call("create_adsplatform_campaign_draft", { name: "Live", daily_budget_brl: 40 })
    const { json } = yield* call("get_adsplatform_campaign", { campaign: "Live" })
    const { recharge_url } = yield* Effect.orDie(Schema.decodeUnknown(Draft)(json))
    const payment = (change: object) =>
      JSON.stringify({
        recharge_token: recharge_url.split("/").at(-1),
        reference: "payment-1",
        amount_brl: 100,
        ...change
      })
    return doorOf(
      {
        path: "/ads/payment-notices",
        body: payment({}),
        hasTime: true,
        secret: setting("ADS_PAYMENT_SECRET"),
        sign: (body, seconds, secret) => {
          const key = Buffer.from(secret.slice("whsec_".length), "base64")
          const proof = createHmac("sha256", key).update(`msg_1.${seconds}.${body}`).digest("base64")
          return { "webhook-id": "msg_1", "webhook-timestamp": String(seconds), "webhook-signature": `v1,${proof}` }
        }
      },
      sql`select reference, amount_micros from ads_funding_entry where account_id = ${accountId} order by 1`,
      { "the same payment with another amount": payment({ amount_brl: 100_000 }) }
    )
  })

const messageDoor = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const lineId = yield* insertLine()
  const phone = `+55119${90_000_000 + accountId}`
  const waId = phone.slice(1)
  const leadId = yield* insertLead({ phone })
  yield* queueMessage(leadId, { status: "sent", phone, provider_message_id: "wamid.live" })
  const message = textMessage(waId, "Quanto custa?")
  const preference = (value: "stop" | "resume", timestamp: number) => ({
    user_preferences: [
      { wa_id: waId, detail: "The person chose this", category: "marketing_messages", value, timestamp }
    ]
  })
  const now = secondsNow()
  const withPreference = (value: object, choice: object): string => {
    const delivery = JSON.parse(deliveryOf(lineId, value)) as { readonly entry: ReadonlyArray<object> }
    const metadata = { display_phone_number: "15550783881", phone_number_id: lineId }
    const change = { field: "user_preferences", value: { messaging_product: "whatsapp", metadata, ...choice } }
    return JSON.stringify({ ...delivery, entry: [...delivery.entry, { id: "102290129340398", changes: [change] }] })
  }
  const statuses = (status: string) => deliveryOf(lineId, { statuses: [statusOf("wamid.live", status)] })
  return doorOf(
    {
      path: "/webhooks/chatapp",
      body: withPreference(
        { messages: [message], statuses: [statusOf("wamid.live", "read")] },
        preference("stop", now - 60)
      ),
      hasTime: false,
      secret: chatSecret,
      sign: (body, _, secret) => ({
        "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`
      })
    },
    sql`
      select direction, body, m.status, l.chatapp_failed_at from chatapp_message m
      join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
      where m.account_id = ${accountId} order by chatapp_message_id`,
    {
      "a state before the last": statuses("delivered"),
      "a failure of a message that was read": statuses("failed"),
      "a permission from before the refusal": withPreference({}, preference("resume", now - 3600))
    }
  )
})

const bookingDoor = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const seal = yield* makeAccountSeal
  const unit = yield* UnitOfWork
  const connections = yield* Connections
  yield* unit.write(
    connections.connect({
      service: "scheduler",
      identity: "https://api.calendly.com/users/a",
      settings: { label: "owner@account.example" },
      isVerified: true,
      isSandbox: false,
      secrets: { access_token: Redacted.make("token") }
    })
  )
  const key = yield* seal.addressKey(accountId)
  yield* sql`
    insert into scheduler_account (account_id, user_uri, organization_uri, webhook_key)
    values (${accountId}, 'https://api.calendly.com/users/a', 'https://api.calendly.com/organizations/a', ${key})`
  const uri =
    "https://api.calendly.com/scheduled_events/00000000-0000-4000-8000-000000000001/invitees/00000000-0000-4000-8000-000000000002"
  const body = (event: string) => JSON.stringify({ event, payload: { uri } })
  const path = `/webhooks/scheduler/${key}`
  const door = doorOf(
    {
      path,
      body: body("invitee.canceled"),
      hasTime: true,
      secret: schedulerKey,
      sign: (text, seconds, secret) => ({
        "calendly-webhook-signature": signatureOf(Redacted.make(secret), seconds, Buffer.from(text))
      })
    },
    sql`
      select key from graphile_worker.jobs where task_identifier = 'look_at_booking' and key like ${`%${uri}`} order by 1`,
    // Each only asks for the same look.
    { "the booking itself": body("invitee.created") }
  )
  const { headers, body: text } = door.genuine()
  return {
    ...door,
    forged: () => ({
      ...door.forged(),
      "another address": { path: `${path.slice(0, -1)}${path.endsWith("A") ? "B" : "A"}`, body: text, headers }
    })
  }
})

/** A delivery of each CRM about the deal 77, and the headers with which it proves itself, if it does. */
const crmNotices: { readonly [crm: string]: (secret: string) => Pick<Notice, "body" | "headers"> } = {
  pipedrive: (secret) => ({
    body: JSON.stringify({ meta: { entity: "deal", entity_id: 77 }, data: { id: 77, status: "won" } }),
    headers: { authorization: `Basic ${Buffer.from(`gateway:${secret}`).toString("base64")}` }
  }),
  ploomes: (secret) => ({
    body: JSON.stringify({ Action: "Win", New: { Id: 77 } }),
    headers: { "x-ploomes-validation-key": secret }
  }),
  crmsuite: () => ({ body: JSON.stringify({ document: { id: "77", win: true } }), headers: {} }),
  agendor: () => ({ body: JSON.stringify({ data: { id: 77, dealStatus: { id: 2 } } }), headers: {} }),
  nectar: (secret) => ({ body: JSON.stringify({ id: 77, status: 2 }), headers: { authorization: `Bearer ${secret}` } }),
  twenty: (secret) => {
    const [body, at] = [JSON.stringify({ record: { id: "77" } }), String(Date.now())]
    return {
      body,
      headers: {
        "x-twenty-webhook-timestamp": at,
        "x-twenty-webhook-signature": createHmac("sha256", secret).update(`${at}:${body}`).digest("hex")
      }
    }
  }
}

/** Whose deliveries have nothing but their secret address. */
const byAddressAlone = new Set(["crmsuite", "agendor", "nectar"])

const crmDoor = (crm: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const unit = yield* UnitOfWork
    const connections = yield* Connections
    const secret = `secret-of-${crm}-that-no-one-guesses`
    yield* unit.write(
      connections.connect({
        service: `crm.${crm}`,
        identity: "company",
        settings: {},
        isVerified: true,
        isSandbox: false,
        secrets: { api_token: Redacted.make("token"), [hookSecret]: Redacted.make(secret) }
      })
    )
    const leadId = yield* insertLead()
    yield* sql`insert into crm_integration (account_id, crm, crm_account) values (${accountId}, ${crm}, 'company')`
    yield* sql`
      insert into crm_link (account_id, crm, crm_account, lead_id, kind, state, external_id)
      values (${accountId}, ${crm}, 'company', ${leadId}, 'deal', 'linked', '77')`
    const notice = crmNotices[crm] ?? assert.fail(crm)
    const pathOf = (id: number, name: string, key: string) => `${hookPath}/${id}/${name}/${key}/${sharedWebhookPath}`
    const path = pathOf(accountId, crm, secret)
    const at = (each: string): Notice => ({ path: each, ...notice(secret) })
    const wrong: Readonly<Record<string, Notice>> = byAddressAlone.has(crm)
      ? {}
      : {
          "no proof": { path, body: notice(secret).body, headers: {} },
          "another proof": { path, ...notice("another secret") }
        }
    const door: Door = {
      isAddressSecret: byAddressAlone.has(crm),
      genuine: () => at(path),
      forged: () => ({
        ...wrong,
        "another secret": at(pathOf(accountId, crm, `${secret}x`)),
        "no secret": at(pathOf(accountId, crm, "")),
        "another account": at(pathOf(accountId + 1, crm, secret)),
        "another CRM": at(pathOf(accountId, crm === "pipedrive" ? "ploomes" : "pipedrive", secret)),
        "no CRM": at(pathOf(accountId, "constructor", secret))
      }),
      // Nothing is believed but which deal it is of.
      reordered: () => ({}),
      state: sql`select polled_at = '-infinity' as is_due from crm_integration where account_id = ${accountId} and crm = ${crm}`
    }
    return door
  })

/** Each door has a separate account. */
const owned = <A, E, R>(door: (token: string) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeTokenHolder(), ({ caller, token }) => as(caller)(door(token)))

export const liveDoors = Effect.gen(function* () {
  const doors: Record<string, Door> = {
    mail: yield* owned(() => mailDoor),
    calls: yield* owned(() => callDoor),
    payments: yield* owned(paymentDoor),
    messages: yield* owned(() => messageDoor),
    calendar: yield* owned(() => googleCalendarDoor),
    microsoftCalendar: yield* owned(() => microsoftCalendarDoor),
    bookings: yield* owned(() => bookingDoor)
  }
  for (const crm of Object.keys(tellingCrms)) doors[crm] = yield* owned(() => crmDoor(crm))
  return doors
})
