import { createHmac, timingSafeEqual } from "node:crypto"
import { Effect, Option, Redacted, Schema } from "effect"
import { transient } from "../../../Errors.ts"
import { toMillis } from "../../../Services/Core/Timestamp.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import {
  type CallProgress,
  CallReference,
  type DialedCall,
  unansweredCall,
  Voice
} from "../../../Services/Voice/Voice.ts"
import type { TwilioSettings } from "../VoiceSettings.ts"
import { forged, ignored, type NoticeReading, type NoticeRoute, unreadable } from "./Notices.ts"
import { twiml } from "./SpokenMessage.ts"
import { makeVoiceClient } from "./VoiceClient.ts"

const Sid = Schema.String.pipe(Schema.pattern(/^CA[0-9a-fA-F]{32}$/))
const Created = Schema.Struct({ sid: Sid })

const Call = Schema.Struct({
  sid: Sid,
  status: Schema.String,
  direction: Schema.optional(Schema.NullOr(Schema.String)),
  /** The time of creation, in RFC 2822 format. */
  date_created: Schema.optional(Schema.NullOr(Schema.String)),
  /** The duration in seconds, as text. */
  duration: Schema.optional(Schema.NullOr(Schema.String)),
  answered_by: Schema.optional(Schema.NullOr(Schema.String))
})
type Call = typeof Call.Type

const CallList = Schema.Struct({ calls: Schema.Array(Call) })

/** Returns whether a person answered, according to the detection of answering machines. */
const pickedUp = (answeredBy: string | null | undefined): boolean | null => {
  if (answeredBy === "human") return true
  return answeredBy === undefined || answeredBy === null || answeredBy === "" || answeredBy === "unknown" ? null : false
}

interface CallStatusReport {
  readonly status: string
  readonly duration: string | null | undefined
  readonly answeredBy: string | null | undefined
}

const unanswered = (status: "no_answer" | "busy" | "failed" | "cancelled", failureReason: string | null) =>
  ({ _tag: "Ended", result: unansweredCall(status, failureReason) }) satisfies CallProgress

const progressOf = ({ answeredBy, duration, status }: CallStatusReport): CallProgress | undefined => {
  switch (status) {
    case "queued":
    case "initiated":
    case "ringing":
      return { _tag: "Dialing" }
    case "in-progress":
      return { _tag: "InProgress" }
    case "completed": {
      const wasPickedUp = pickedUp(answeredBy)
      return {
        _tag: "Ended",
        result: {
          status: "completed",
          failureReason: wasPickedUp === false ? "answering_machine" : null,
          wasPickedUp,
          // A message that is only played cannot achieve a goal.
          goalAchieved: null,
          summary: null,
          transcript: [],
          durationSeconds: /^\d{1,6}$/.test(duration ?? "") ? Number(duration) : null
        }
      }
    }
    case "busy":
      return unanswered("busy", null)
    case "no-answer":
      return unanswered("no_answer", null)
    case "canceled":
      return unanswered("cancelled", "cancelled_at_provider")
    case "failed":
      return unanswered("failed", "provider_failed")
    default:
      return undefined
  }
}

const ofResource = ({ answered_by, duration, status }: Call): CallProgress =>
  progressOf({ status, duration, answeredBy: answered_by }) ?? { _tag: "InProgress" }

/** The limits of ringing and talking in seconds. After that, a call ends by itself. */
const ringSeconds = 40
const talkSeconds = 300

/** The time range, relative to the order, in which the provider records the call. Its clock may differ. */
const earliestSeconds = -120
const latestSeconds = 300

const wasMadeFor = (call: Call, { dialedAt }: DialedCall): boolean => {
  const seconds = (Date.parse(call.date_created ?? "") - toMillis(dialedAt)) / 1000
  const isOutbound = call.direction === undefined || call.direction === null || call.direction === "outbound-api"
  return isOutbound && seconds >= earliestSeconds && seconds <= latestSeconds
}

const pageSize = 50
const noticePath = "/voice/twilio/calls"

/** Twilio only calls back public addresses. */
const callbackOf = (baseUrl: string, reference: CallReference): ReadonlyArray<readonly [string, string]> =>
  baseUrl.startsWith("https://")
    ? [
        ["StatusCallback", `${baseUrl}${noticePath}/${reference}`],
        ["StatusCallbackMethod", "POST"],
        ...["initiated", "ringing", "answered", "completed"].map((event) => ["StatusCallbackEvent", event] as const)
      ]
    : []

/** Calls through Twilio that speak a message. Replies cannot be heard. */
export const makeTwilio = (settings: TwilioSettings, baseUrl: string) =>
  Effect.map(OutboundHttp, (http) => {
    const { accountSid } = settings
    const credentials = Buffer.from(`${accountSid}:${Redacted.value(settings.authToken)}`).toString("base64")
    const client = makeVoiceClient(http, {
      name: "twilio",
      baseUrl: settings.url,
      headers: { authorization: `Basic ${credentials}` }
    })
    const calls = `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Calls`

    return Voice.of({
      mode: "live",
      provider: "twilio",

      place: Effect.fn("Twilio.place")(function* (order) {
        const message = twiml(order)
        const form = new URLSearchParams({
          To: order.phone,
          From: settings.from,
          Twiml: message.instructions,
          // Waits for the beep, so that an answering machine records the whole message.
          MachineDetection: "DetectMessageEnd",
          Timeout: `${ringSeconds}`,
          TimeLimit: `${talkSeconds}`
        })
        for (const [name, value] of callbackOf(baseUrl, order.reference)) form.append(name, value)
        const created = yield* client.order(Created, {
          method: "POST",
          path: `${calls}.json`,
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: form.toString()
        })
        return { providerCallId: created.sid, spokenText: message.text }
      }),

      progress: Effect.fn("Twilio.progress")(function* ({ providerCallId }) {
        const call = yield* client.read(Call, `${calls}/${encodeURIComponent(providerCallId)}.json`)
        return Option.map(call, ofResource)
      }),

      // Finds a call by its number and time, because Twilio returns the gateway's reference only in webhooks.
      find: Effect.fn("Twilio.find")(function* (call) {
        const query = { To: call.phone, From: settings.from, PageSize: pageSize }
        const page = yield* client.read(CallList, `${calls}.json`, query)
        const listed = Option.match(page, { onNone: () => [], onSome: (list) => list.calls })
        const matchingCalls = listed.filter((one) => wasMadeFor(one, call))
        if (matchingCalls.length === 0 && listed.length === pageSize) {
          return yield* transient(
            "voice_provider_page_full",
            "The voice provider lists more calls than can be read.",
            60
          )
        }
        return matchingCalls.map((one) => ({ providerCallId: one.sid, progress: ofResource(one) }))
      })
    })
  })

/** True if the header is Twilio's signature of the URL and the form: sorted names, each followed by its value. */
const isSigned = (header: string | undefined, url: string, form: URLSearchParams, authToken: string): boolean => {
  const fields = [...form].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const signed = url + fields.map(([name, value]) => name + value).join("")
  const expected = createHmac("sha1", authToken).update(signed, "utf8").digest()
  const signature = Buffer.from(header ?? "", "base64")
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}

const decodeReference = Schema.decodeUnknownOption(CallReference)
const isSid = Schema.is(Sid)

const readNotice = (form: URLSearchParams, reference: CallReference | undefined): NoticeReading => {
  const sid = form.get("CallSid") ?? ""
  if (!isSid(sid)) return unreadable
  const progress = progressOf({
    status: form.get("CallStatus") ?? "",
    duration: form.get("CallDuration"),
    answeredBy: form.get("AnsweredBy")
  })
  return progress === undefined ? ignored : { _tag: "Notice", reference, providerCallId: sid, progress }
}

const signatureHeader = "x-twilio-signature"

/** The route for Twilio's reports on the states of a call. */
export const twilioNotices = (settings: TwilioSettings, baseUrl: string): ReadonlyArray<NoticeRoute> => [
  {
    path: `${noticePath}/:reference`,
    bodyLimit: 64 * 1024,
    signatureHeader,
    read: ({ body, headers, reference }) =>
      Effect.sync(() => {
        const form = new URLSearchParams(new TextDecoder().decode(body))
        const url = `${baseUrl}${noticePath}/${reference ?? ""}`
        return isSigned(headers[signatureHeader], url, form, Redacted.value(settings.authToken))
          ? readNotice(form, Option.getOrUndefined(decodeReference(reference)))
          : forged
      })
  }
]
