import { Schema } from "effect"
import { instantAt, type SendWindow } from "../../src/Services/Core/LocalTime.ts"
import { fromMillis } from "../../src/Services/Core/Timestamp.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { MeetingId } from "../../src/Services/Meetings/Ids.ts"
import { replyConsequences, responseAt } from "../../src/Services/Replies/Consequences/ReplyConsequences.ts"
import { documentWishesIn } from "../../src/Services/Replies/DocumentWishes.ts"
import { readByReader } from "../../src/Services/Replies/ReadReply.ts"
import {
  inboundReplyOf,
  judgeTimesOf,
  localMeeting,
  type ReplyFacts,
  zoneOfReply
} from "../../src/Services/Replies/ReplyFacts.ts"
import type { ReplyReading } from "../../src/Services/Replies/ReplyReading.ts"
import type { Consequence } from "../../src/Services/Replies/ReplySituation.ts"
import { prepareReply } from "../../src/Services/Replies/ReplyText.ts"
import { callTimeOf } from "../../src/Services/Replies/Times/CallWish.ts"
import { type MeetingWish, meetingWishOf } from "../../src/Services/Replies/Times/MeetingWish.ts"
import { Language } from "../../src/Services/Text/Language.ts"
import { otherLanguageOf } from "../../src/Services/Text/OtherLanguage.ts"
import { leadZoneOf } from "../../src/Services/Zones/LeadZone.ts"

/** A reply to play. `country` is a code (ISO 3166-1 alpha-2), `standing` a local time such as `2026-12-02T10:30`. */
export const ReplyCase = Schema.Struct({
  language: Language,
  country: Schema.String,
  channel: Schema.Literal("email", "app"),
  standing: Schema.NullOr(Schema.String),
  text: Schema.String
})
export type ReplyCase = typeof ReplyCase.Type

/** What the platform makes of a reply. */
export interface PlayedReply {
  readonly reading: ReplyReading
  readonly wish: MeetingWish
  readonly consequences: ReadonlyArray<Consequence>
  /** The time that is certain for a meeting or a call, on the lead's clock: `2026-12-02T10:30`. */
  readonly time: string | null
}

const accountLanguages: { readonly [L in Language]: string } = { "pt-BR": "pt-br", en: "en-us", es: "es-es" }

/** The main zone of a country. */
export const mainZone = (country: string): string =>
  leadZoneOf({ timeZone: null, state: null, phone: null, country }, { timeZone: "UTC" }, Date.UTC(2026, 0, 1)).zone

/** The instant of a local time such as `2026-12-01T10:00`. Unix milliseconds. */
const instantOfLocal = (local: string, zone: string): number => {
  const [date = "", clock = ""] = local.split("T")
  const [hours = 0, minutes = 0] = clock.split(":").map(Number)
  return instantAt(date, hours * 60 + minutes, zone)
}

const localOf = (instant: number, zone: string): string => {
  const { date, time } = localMeeting(fromMillis(instant), zone)
  return `${date}T${time}`
}

const window: SendWindow = { startHour: 8, endHour: 18 }
const settings = {
  notify_on_interested: true,
  notify_on_interested_via_email: false,
  notify_on_confirmed: true,
  notify_on_confirmed_via_email: false
}
const leadId = LeadId.make(1)

const factsOf = ({ channel, country, language, text }: ReplyCase, receivedAt: number, zone: string): ReplyFacts => ({
  text,
  subject: null,
  from_address: channel === "email" ? "lead@lead.example" : null,
  to_address: null,
  is_auto_reply: false,
  received_at: fromMillis(receivedAt),
  lead_email: channel === "email" ? "lead@lead.example" : null,
  lead_phone: null,
  lead_language: language,
  time_zone: zone,
  state: null,
  country,
  account_email: null,
  account_phone: null,
  account_language: `${accountLanguages[language].slice(0, 2)}-${country.toLowerCase()}`,
  account_time_zone: zone,
  last_subject: null
})

/** Reads a message as the gateway does without a language model, and says what comes of it. Times are Unix milliseconds. */
export const playFacts = (facts: ReplyFacts, startsAt: number | undefined, now: number): PlayedReply => {
  const zone = zoneOfReply(facts)
  const meeting = startsAt === undefined ? undefined : { starts_at: fromMillis(startsAt) }
  const inbound = inboundReplyOf(facts, meeting)
  const prepared = prepareReply(inbound)
  const read = readByReader(inbound, prepared)
  const times = judgeTimesOf(read, facts, meeting, now)
  const reading: ReplyReading = { ...read, timeProblem: times.why ?? null }
  const callAt = callTimeOf(reading, { now, soon: responseAt(leadId, now), zone, near: times.near })
  const [bookableAt] = times.bookable
  const consequences = replyConsequences({
    reading,
    lead: { leadId, status: "Cold", pipeline: "in_pipeline", isUnsubscribed: false, isTakenOver: false },
    meeting:
      startsAt === undefined
        ? undefined
        : { meetingId: MeetingId.make(1), startsAt, local: localMeeting(fromMillis(startsAt), zone) },
    bookableAt,
    settings,
    now,
    callAt,
    zone,
    window,
    criterion: undefined,
    isSenderProven: true,
    isAnsweredOften: false,
    questions: [
      ...reading.questions.map((text) => ({ text, isKnown: false })),
      ...documentWishesIn(reading.acts).map((text) => ({ text, isKnown: false, isDocument: true }))
    ],
    isOtherLanguage: otherLanguageOf(prepared.fullText) !== undefined
  })
  const wish = meetingWishOf(reading.acts, inbound.standingMeeting)
  const callTime = reading.proposedMeeting === null ? undefined : callAt
  const certainAt = wish._tag === "Keep" ? startsAt : (bookableAt ?? callTime)
  return { reading, wish, consequences, time: certainAt === undefined ? null : localOf(certainAt, zone) }
}

/**
 * Plays a reply at a local time. The lead is worked, the host lives in the lead's zone, has a free calendar and knows no
 * answers.
 */
export const playReply = (reply: ReplyCase, nowLocal: string, zone: string): PlayedReply => {
  const now = instantOfLocal(nowLocal, zone)
  const startsAt = reply.standing === null ? undefined : instantOfLocal(reply.standing, zone)
  return playFacts(factsOf(reply, now, zone), startsAt, now)
}
