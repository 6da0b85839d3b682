import { countryOfAccount } from "../Blacklist/Blacklist.ts"
import { wallClock } from "../Core/LocalTime.ts"
import { type Timestamp, toMillis } from "../Core/Timestamp.ts"
import type { LanguageModelFailed } from "../Models/LanguageModel.ts"
import type { Language } from "../Text/Language.ts"
import { languageOfLead } from "../Text/LeadLanguage.ts"
import { leadZoneOf } from "../Zones/LeadZone.ts"
import type { ReadReply } from "./ReplyReader.ts"
import { type InboundReply, prepareReply, readByRules } from "./ReplyRules.ts"

/** What a lead wrote or said, with what it is read by. */
export interface ReplyFacts {
  readonly text: string
  readonly subject: string | null
  readonly from_address: string | null
  readonly to_address: string | null
  readonly is_auto_reply: boolean
  readonly received_at: Timestamp
  readonly lead_email: string | null
  readonly lead_phone: string | null
  readonly lead_language: Language | null
  readonly time_zone: string | null
  readonly state: string | null
  readonly country: string | null
  readonly account_email: string | null
  readonly account_phone: string | null
  readonly account_language: string
  readonly account_time_zone: string
  /** Of the mail that went out last. */
  readonly last_subject: string | null
}

export const zoneOfReply = (facts: ReplyFacts): string =>
  leadZoneOf(
    { timeZone: facts.time_zone, state: facts.state, phone: facts.lead_phone, country: facts.country },
    { timeZone: facts.account_time_zone, language: facts.account_language },
    toMillis(facts.received_at)
  ).zone

/** The beginning of a meeting, as the lead's clock shows it. */
const standing = (startsAt: Timestamp, zone: string): NonNullable<InboundReply["standingMeeting"]> => {
  const { day, hour, minute, month, year } = wallClock(toMillis(startsAt), zone)
  const two = (part: number) => String(part).padStart(2, "0")
  return { date: `${year}-${two(month)}-${two(day)}`, time: `${two(hour)}:${two(minute)}` }
}

/** The message as its reader takes it; `meeting` is the next one with the lead that stands. */
export const inboundReplyOf = (
  facts: ReplyFacts,
  meeting: { readonly starts_at: Timestamp } | undefined
): InboundReply => ({
  text: facts.text,
  ...(facts.subject === null ? {} : { subject: facts.subject }),
  ...(facts.from_address === null ? {} : { fromAddress: facts.from_address }),
  isAutoSubmitted: facts.is_auto_reply,
  receivedAt: facts.received_at,
  timeZone: zoneOfReply(facts),
  country: countryOfAccount({ phone: facts.account_phone, languageKey: facts.account_language }),
  leadLanguage: languageOfLead(
    { language: facts.lead_language, country: facts.country, state: facts.state, phone: facts.lead_phone },
    facts.account_language
  ),
  ownContacts: [
    facts.lead_email,
    facts.lead_phone,
    facts.account_email,
    facts.account_phone,
    facts.from_address,
    facts.to_address
  ].flatMap((contact) => (contact === null || contact === "" ? [] : [contact.toLowerCase()])),
  ...(facts.last_subject === null ? {} : { lastSubject: facts.last_subject }),
  ...(meeting === undefined ? {} : { standingMeeting: standing(meeting.starts_at, zoneOfReply(facts)) })
})

/** A reading that no model made counts as unsure, so that a person looks at it; a wish to be left alone holds anyway. */
const byRulesAlone = 0.4

export const readWithoutModel = (reply: InboundReply, failure: LanguageModelFailed): ReadReply => {
  const prepared = prepareReply(reply)
  const reading = readByRules(reply, prepared)
  return {
    reading: { ...reading, confidence: Math.min(reading.confidence, byRulesAlone) },
    ownText: prepared.own,
    mode: "live",
    usage: failure.usage ?? { inputTokens: 0, outputTokens: 0, model: "none" }
  }
}
