import { countryOfAccount } from "../Blacklist/Blacklist.ts"
import { type ClosedDays, isZone, wallClock } from "../Core/LocalTime.ts"
import { type Timestamp, toMillis } from "../Core/Timestamp.ts"
import type { Language } from "../Text/Language.ts"
import { languageOfLead } from "../Text/LeadLanguage.ts"
import { holidaysOf } from "../Timing/Holidays.ts"
import { type LeadZone, leadZoneOf } from "../Zones/LeadZone.ts"
import { judgeTimes, type TimeSetting, type TimesVerdict } from "./Consequences/Plausibility.ts"
import type { ReplyReading } from "./ReplyReading.ts"
import type { InboundReply } from "./ReplyText.ts"
import { meetingWishOf, type StandingMeeting } from "./Times/MeetingWish.ts"

/** A lead's message, with the data that is needed to read it. */
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
  /** The subject of the last mail that was sent. */
  readonly last_subject: string | null
}

const leadZoneOfReply = (facts: ReplyFacts): LeadZone =>
  leadZoneOf(
    { timeZone: facts.time_zone, state: facts.state, phone: facts.lead_phone, country: facts.country },
    { timeZone: facts.account_time_zone, language: facts.account_language },
    toMillis(facts.received_at)
  )

export const zoneOfReply = (facts: ReplyFacts): string => leadZoneOfReply(facts).zone

/** The beginning of a meeting, as the lead's clock shows it. */
export const localMeeting = (startsAt: Timestamp, zone: string): StandingMeeting => {
  const { day, hour, minute, month, year } = wallClock(toMillis(startsAt), zone)
  const two = (part: number) => String(part).padStart(2, "0")
  return { date: `${year}-${two(month)}-${two(day)}`, time: `${two(hour)}:${two(minute)}` }
}

/** The zone of an account that states none. */
const brasilia = "America/Sao_Paulo"

/** The zone and the holidays of whom leads are to meet. */
export const hostOf = ({
  account_phone,
  account_time_zone
}: Pick<ReplyFacts, "account_phone" | "account_time_zone">): {
  readonly zone: string
  readonly isClosed: ClosedDays
} => {
  const zone = isZone(account_time_zone) ? account_time_zone : brasilia
  return { zone, isClosed: holidaysOf({ country: null, state: null, phone: account_phone }, zone) }
}

const timeSettingOf = (facts: ReplyFacts, now: number): TimeSetting => {
  const { isCertain, zone } = leadZoneOfReply(facts)
  const host = hostOf(facts)
  return {
    now,
    leadZone: isCertain ? zone : undefined,
    hostZone: host.zone,
    isLeadClosed: holidaysOf({ country: facts.country, state: facts.state, phone: facts.lead_phone }, zone),
    isHostClosed: host.isClosed,
    // Calendars are asked afterwards, and only about times that may be booked.
    isTaken: () => false
  }
}

/** Judges the times that a reply proposes, before a calendar is asked. */
export const judgeTimesOf = (
  { acts }: Pick<ReplyReading, "acts">,
  facts: ReplyFacts,
  meeting: { readonly starts_at: Timestamp } | undefined,
  now: number
): TimesVerdict => {
  const standing = meeting === undefined ? undefined : localMeeting(meeting.starts_at, zoneOfReply(facts))
  const wish = meetingWishOf(acts, standing)
  return judgeTimes("proposals" in wish ? wish.proposals : [], timeSettingOf(facts, now))
}

const zoneFacts = (facts: ReplyFacts): Pick<InboundReply, "timeZone" | "isZoneCertain" | "leadCountry"> => {
  const { country, isCertain, zone } = leadZoneOfReply(facts)
  return { timeZone: zone, isZoneCertain: isCertain, ...(country === undefined ? {} : { leadCountry: country }) }
}

/** The message as the reader's input. `meeting` is the next one with the lead that is not cancelled. */
export const inboundReplyOf = (
  facts: ReplyFacts,
  meeting: { readonly starts_at: Timestamp } | undefined
): InboundReply => ({
  text: facts.text,
  ...(facts.subject === null ? {} : { subject: facts.subject }),
  ...(facts.from_address === null ? {} : { fromAddress: facts.from_address }),
  isAutoSubmitted: facts.is_auto_reply,
  receivedAt: facts.received_at,
  ...zoneFacts(facts),
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
  ...(meeting === undefined ? {} : { standingMeeting: localMeeting(meeting.starts_at, zoneOfReply(facts)) })
})
