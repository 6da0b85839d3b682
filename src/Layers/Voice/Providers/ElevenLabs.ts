import { createHmac, timingSafeEqual } from "node:crypto"
import { Clock, Effect, Option, Redacted, Schema } from "effect"
import { transient } from "../../../Errors.ts"
import { toMillis } from "../../../Services/Core/Timestamp.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { callInstructions } from "../../../Services/Voice/CallConduct.ts"
import {
  CallMaybePlaced,
  CallNotPlaced,
  type CallOrder,
  type DialedCall,
  type FoundCall,
  Voice
} from "../../../Services/Voice/Voice.ts"
import { longestAnonymousBody } from "../../Platform/Http/Admission/BodyBudget.ts"
import type { ElevenLabsSettings } from "../VoiceSettings.ts"
import {
  Conversation,
  ConversationList,
  failureOf,
  InitiationFailure,
  OutboundCallAnswer,
  progressOf,
  referenceOf,
  Webhook
} from "./ElevenLabsShapes.ts"
import { forged, ignored, type NoticeReading, type NoticeRoute, unreadable } from "./Notices.ts"
import { makeVoiceClient } from "./VoiceClient.ts"

/** The provider replaces text in braces by variables, so braces are removed. */
const asText = (text: string | null): string => (text ?? "").replaceAll("{{", "{ {").replaceAll("}}", "} }")

const orderBody = (order: CallOrder, settings: ElevenLabsSettings) => ({
  agent_id: settings.agentIds[order.voice],
  agent_phone_number_id: settings.phoneNumberId,
  to_number: order.phone,
  conversation_initiation_client_data: {
    user_id: order.reference,
    dynamic_variables: {
      client_reference: order.reference,
      language: order.language,
      business_name: asText(order.businessName),
      person_name: asText(order.personName),
      company_name: asText(order.companyName),
      opening_line: asText(order.openingLine),
      goal: asText(order.goal),
      context: asText(order.context),
      instructions: asText(callInstructions(order.instructions))
    },
    ...(settings.overridesLanguage
      ? { conversation_config_override: { agent: { language: order.language.slice(0, 2) } } }
      : {})
  }
})

const secondsSince = ({ dialedAt }: DialedCall) =>
  Effect.map(Clock.currentTimeMillis, (now) => (now - toMillis(dialedAt)) / 1000)

/** The provider's clock may differ, and a call may be recorded before its order is answered. */
const clockToleranceSeconds = 300
const maximumCandidates = 5

/** Agents of ElevenLabs that call over Twilio. */
export const makeElevenLabs = (settings: ElevenLabsSettings) =>
  Effect.map(OutboundHttp, (http) => {
    const client = makeVoiceClient(http, {
      name: "elevenlabs",
      baseUrl: settings.url,
      headers: { "xi-api-key": Redacted.value(settings.apiKey) }
    })
    const conversations = "/v1/convai/conversations"

    const conversation = (id: string) => client.read(Conversation, `${conversations}/${encodeURIComponent(id)}`)

    return Voice.of({
      mode: "live",
      provider: "elevenlabs",

      place: Effect.fn("ElevenLabs.place")(function* (order) {
        const answer = yield* client.order(OutboundCallAnswer, {
          method: "POST",
          path: "/v1/convai/twilio/outbound-call",
          json: orderBody(order, settings)
        })
        const providerCallId = answer.conversation_id ?? ""
        if (providerCallId !== "") return { providerCallId, spokenText: null }
        // The telephone network behind the provider refused the call, so there is no conversation.
        return yield* answer.success
          ? new CallMaybePlaced({ reason: "no_conversation_id" })
          : new CallNotPlaced({ reason: "provider_refused" })
      }),

      progress: Effect.fn("ElevenLabs.progress")(function* (call) {
        const details = yield* conversation(call.providerCallId)
        const dialedSeconds = yield* secondsSince(call)
        return Option.map(details, (one) => progressOf(one, dialedSeconds))
      }),

      find: Effect.fn("ElevenLabs.find")(function* (call) {
        const list = yield* client.read(ConversationList, conversations, {
          user_id: call.reference,
          call_start_after_unix: Math.floor(toMillis(call.dialedAt) / 1000) - clockToleranceSeconds,
          page_size: maximumCandidates + 1
        })
        const listed = Option.match(list, { onNone: () => [], onSome: (page) => page.conversations })
        if (listed.length > maximumCandidates) {
          return yield* transient("voice_provider_unfiltered", "The voice provider lists calls of others too.", 60)
        }
        const dialedSeconds = yield* secondsSince(call)
        const foundCalls: Array<FoundCall> = []
        for (const { conversation_id } of listed) {
          // The conversation is only accepted if it has the gateway's reference. If the provider ignored the filter, it
          // could be another caller's.
          const one = Option.getOrUndefined(yield* conversation(conversation_id))
          if (one === undefined || referenceOf(one) !== call.reference) continue
          foundCalls.push({ providerCallId: conversation_id, progress: progressOf(one, dialedSeconds) })
        }
        return foundCalls
      })
    })
  })

const signatureHeader = "elevenlabs-signature"
const signatureTolerance = 30 * 60

/** True if `t=<unix seconds>,v0=<hex>` is a current signature of the body. */
const isSigned = (header: string | undefined, body: Uint8Array, secret: string, nowSeconds: number): boolean => {
  const parts = (header ?? "").split(",").map((part) => part.trim())
  const time = parts.find((part) => part.startsWith("t="))?.slice(2) ?? ""
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowSeconds - Number(time)) > signatureTolerance) return false
  const expected = createHmac("sha256", secret).update(`${time}.`).update(body).digest()
  return parts.some((part) => {
    const signature = part.startsWith("v0=") ? Buffer.from(part.slice(3), "hex") : undefined
    return signature !== undefined && signature.length === expected.length && timingSafeEqual(signature, expected)
  })
}

const decodeWebhook = Schema.decodeOption(Schema.parseJson(Webhook))
const decodeConversation = Schema.decodeUnknownOption(Conversation)
const decodeFailure = Schema.decodeUnknownOption(InitiationFailure)

const readWebhook = (body: Uint8Array): NoticeReading => {
  const webhook = Option.getOrUndefined(decodeWebhook(new TextDecoder().decode(body)))
  if (webhook === undefined) return unreadable
  if (webhook.type === "post_call_transcription") {
    return Option.match(decodeConversation(webhook.data), {
      onNone: () => unreadable,
      onSome: (conversation): NoticeReading => ({
        _tag: "Notice",
        reference: referenceOf(conversation),
        providerCallId: conversation.conversation_id,
        progress: progressOf(conversation, 0)
      })
    })
  }
  if (webhook.type === "call_initiation_failure") {
    return Option.match(decodeFailure(webhook.data), {
      onNone: () => unreadable,
      onSome: ({ conversation_id, failure_reason }): NoticeReading => ({
        _tag: "Notice",
        reference: undefined,
        providerCallId: conversation_id,
        progress: { _tag: "Ended", result: failureOf(failure_reason) }
      })
    })
  }
  return ignored
}

/** The route for ElevenLabs' post-call webhooks. It does not exist without the secret that signs them. */
export const elevenLabsNotices = ({ webhookSecret }: ElevenLabsSettings): ReadonlyArray<NoticeRoute> =>
  Option.match(webhookSecret, {
    onNone: () => [],
    onSome: (secret) => [
      {
        path: "/voice/elevenlabs/post-call",
        bodyLimit: longestAnonymousBody,
        signatureHeader,
        read: ({ body, headers }) =>
          Effect.map(Clock.currentTimeMillis, (now) =>
            isSigned(headers[signatureHeader], body, Redacted.value(secret), now / 1000) ? readWebhook(body) : forged
          )
      }
    ]
  })
