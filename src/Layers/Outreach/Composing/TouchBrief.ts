import { Option, Schema } from "effect"
import { deliverable, type ParkedMessage, readParkedMessages } from "../../../Services/ChatApp/ChatAppParking.ts"
import { longestOpening } from "../../../Services/ChatApp/ChatAppRules.ts"
import { wallClock } from "../../../Services/Core/LocalTime.ts"
import { toMillis } from "../../../Services/Core/Timestamp.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { addedByHand, type LeadOrigin } from "../../../Services/Leads/LeadOrigin.ts"
import type { Steering, TouchNeeds, WritePlan } from "../../../Services/Outreach/TouchComposer.ts"
import { hasShownInterest, type TouchFacts } from "../../../Services/Outreach/TouchFacts.ts"
import { planTouch, type TouchPlan, type TouchSituation } from "../../../Services/Outreach/TouchPlan.ts"
import type { EffectiveConfiguration } from "../../../Services/Prospecting/EffectiveConfiguration.ts"
import { missingIdentity } from "../../../Services/Prospecting/OutreachIdentity.ts"
import type { OfferableFile } from "../../../Services/ProspectingFiles/OfferableFiles.ts"
import { documentWishesIn } from "../../../Services/Replies/DocumentWishes.ts"
import { questionsOf, ReplyReading, type WishedTime, wishedTimeOf } from "../../../Services/Replies/ReplyReading.ts"
import { languageOf } from "../../../Services/Text/Language.ts"
import { languageOfLead } from "../../../Services/Text/LeadLanguage.ts"
import type { LeadClock } from "../../../Services/Text/SpokenTime.ts"
import { holidaysOf } from "../../../Services/Timing/Holidays.ts"
import { lookupsFor } from "../../../Services/Writing/Answers/ObjectionAnswers.ts"
import { type DayPart, dayPartAt } from "../../../Services/Writing/DayPart.ts"
import type { DocumentsForLead, KnownPassage, WritingBrief } from "../../../Services/Writing/WritingBrief.ts"
import { type AccountPlace, type LeadZone, leadZoneOf, windowInAllZones } from "../../../Services/Zones/LeadZone.ts"

const decodeReading = Schema.decodeUnknownOption(ReplyReading)

/** The lead's time zone, from the stored data of the lead and its account. */
const zoneOfTouch = (facts: TouchFacts, at?: number): LeadZone =>
  leadZoneOf({ ...facts, timeZone: facts.time_zone }, accountPlaceOf(facts), at)

/** The time zone in which a message states times. How certain the lead's zone is can depend on the date. */
const clockOf = (facts: TouchFacts, { kind }: WritePlan): LeadClock => {
  const time = "meeting" in kind ? kind.meeting.startsAt : facts.free_times?.[0]
  const place = zoneOfTouch(facts, time === undefined ? undefined : toMillis(time))
  return { ...place, hostZone: facts.account_time_zone }
}

/** Returns the part of the day in all zones where the lead may live. Undefined if they differ. */
const dayPartOf = (facts: TouchFacts): DayPart | undefined => {
  const now = toMillis(facts.now)
  const [part, ...others] = zoneOfTouch(facts, now).possible.map((zone) => dayPartAt(wallClock(now, zone).hour))
  return others.every((other) => other === part) ? part : undefined
}

const accountPlaceOf = (facts: TouchFacts): AccountPlace => ({
  timeZone: facts.account_time_zone,
  language: facts.account_language
})

/** The content of a meeting notice, and the channel that the lead wrote on last. */
const noticeOf = ({ conversation, notice, phone }: TouchFacts): TouchSituation["notice"] => {
  if (notice === null) return undefined
  const joinUrl = text(notice.join_url)
  const place = notice.is_in_calendar
    ? ({ _tag: "Calendar" } as const)
    : ({ _tag: "Phone", number: text(phone) } as const)
  const meeting = {
    startsAt: notice.starts_at,
    endsAt: notice.ends_at,
    place,
    ...(joinUrl === undefined ? {} : { joinUrl })
  }
  return {
    kind:
      notice.kind === "meeting_booked"
        ? { _tag: notice.kind, meeting, isMoved: notice.is_moved }
        : { _tag: notice.kind, meeting },
    lastInbound: conversation.findLast(({ direction }) => direction === "inbound")?.channel
  }
}

const text = (value: string | null | undefined): string | undefined =>
  value === null || value === undefined || value.trim() === "" ? undefined : value

/** The owner's messages for this touch that can be sent now. */
export const parkedMessages = (facts: TouchFacts, mayOpenChat: boolean): ReadonlyArray<ParkedMessage> =>
  canChat(facts)
    ? deliverable(readParkedMessages(facts.next_touch_instructions ?? "").messages, {
        isWindowOpen: facts.is_chat_window_open,
        mayOpen: mayOpenChat
      })
    : []

/** True if the lead can be reached on the messaging app. */
export const canChat = (facts: TouchFacts): boolean => facts.can_phone && !facts.is_chat_failed && facts.is_line_live

/** The owner's instructions for this touch, without the messages to be sent verbatim. */
const instructionsOf = (facts: TouchFacts): string | undefined =>
  text(readParkedMessages(facts.next_touch_instructions ?? "").instructions)

/** The owner's wishes for this message. A touch that revives a conversation has separate context. */
const ownersWishes = (facts: TouchFacts, { kind }: WritePlan): string | undefined => {
  const context = kind._tag === "re_engagement" ? undefined : text(facts.owner_context)
  return text([instructionsOf(facts), context].flatMap((part) => part ?? []).join("\n\n"))
}

/** True if the lead can be written to on both channels, and neither the owner nor the lead has a preference. */
export const hasChoiceOfChannels = (facts: TouchFacts, mayOpenChat: boolean): boolean =>
  facts.can_email && canChat(facts) && (facts.is_chat_window_open || mayOpenChat) && facts.preferred_channel === null

/**
 * Returns which kind of lead this is, if times should be proposed: one that wants to meet, or whose meeting was
 * cancelled.
 */
const timesWanted = (
  facts: TouchFacts,
  { kind }: WritePlan
): { readonly zone: string; readonly wish: WishedTime | undefined } | undefined => {
  const zone = zoneOfTouch(facts).zone
  if (kind._tag === "meeting_cancelled" || kind._tag === "meeting_no_show") return { zone, wish: undefined }
  if (kind._tag !== "response") return undefined
  const { class: meaning, meetingChange } = kind.reading
  if (meaning !== "meeting_request" && meetingChange === null) return undefined
  return { zone, wish: wishedTimeOf(kind.reading) }
}

/** Returns what must be looked up before the message is written. */
export const needsOf = (facts: TouchFacts, config: EffectiveConfiguration, plan: WritePlan): TouchNeeds => {
  const times = timesWanted(facts, plan)
  return {
    times:
      times === undefined
        ? undefined
        : {
            ...times,
            window: {
              startHour: config.send_window_start_hour,
              endHour: config.send_window_end_hour,
              isClosed: holidaysOf(facts, times.zone)
            }
          },
    // Calls and paid openings cannot contain a link, and a meeting that is announced needs no booking.
    takesLink:
      facts.notice === null &&
      !facts.is_holding_line &&
      (plan.channel === "email" || (plan.channel === "chatapp" && facts.is_chat_window_open)),
    documentWishes: plan.kind._tag === "response" ? documentWishesIn(plan.kind.reading.acts) : []
  }
}

/** Plans the touch. `mayOpenChat` allows a paid opening. */
export const planOf = (
  { leadId }: { readonly leadId: LeadId },
  facts: TouchFacts,
  {
    config,
    mayOpenChat,
    now,
    steering
  }: {
    readonly config: EffectiveConfiguration
    readonly mayOpenChat: boolean
    readonly now: number
    readonly steering?: Steering | undefined
  }
): TouchPlan => {
  const reading = facts.reply === null ? Option.none() : decodeReading(facts.reply.classification)
  const place = zoneOfTouch(facts, now)
  const { zone } = place
  const window = {
    startHour: config.send_window_start_hour,
    endHour: config.send_window_end_hour,
    isClosed: holidaysOf(facts, zone)
  }
  return planTouch({
    leadId,
    now,
    zone,
    notice: noticeOf(facts),
    ...(facts.is_holding_line ? { holdingLine: { isAwaited: facts.is_in_review } } : {}),
    window: windowInAllZones(place, window, now),
    // If no earlier message arrived, the lead is contacted as for the first time.
    isContacted: facts.is_contacted && facts.conversation.some(({ direction }) => direction === "outbound"),
    isPassive: config.mode === "Passive",
    // A lead that left its contact on the account's page asked to be contacted, so it counts like one that wrote.
    hasWritten:
      facts.capture !== null ||
      facts.conversation.some(({ direction, isAutomatic }) => direction === "inbound" && isAutomatic !== true),
    reply:
      facts.reply !== null && Option.isSome(reading)
        ? { channel: facts.reply.channel, reading: reading.value, text: facts.reply.text }
        : undefined,
    answer: facts.answer === null ? undefined : { question: facts.answer.question, answer: facts.answer.answer },
    hasMoreToAnswer: facts.unanswered_besides.length > 0,
    cancelledMeeting:
      facts.cancelled_meeting === null
        ? undefined
        : { startsAt: facts.cancelled_meeting.starts_at, reason: text(facts.cancelled_meeting.reason) },
    ownerContext: facts.owner_context ?? undefined,
    hasShownInterest: hasShownInterest(facts),
    hasInstructions: instructionsOf(facts) !== undefined,
    hasIdentity: missingIdentity(config.identity).length === 0,
    hasParkedMessage: parkedMessages(facts, mayOpenChat).length > 0,
    referredBy: facts.referred_by ?? undefined,
    ...(facts.capture?.is_unanswered === true ? { capturedOn: facts.capture.page } : {}),
    canEmail: facts.can_email,
    canChat: canChat(facts),
    isChatWindowOpen: facts.is_chat_window_open,
    mayOpenChat,
    canCall: facts.can_phone && config.voice_calling_active,
    preferred: facts.preferred_channel,
    touchNumber: facts.touch_number,
    ...steering
  })
}

/**
 * Returns the queries for the account's knowledge: everything that the lead asks, or else a description of the lead.
 */
export const searchedQuestions = (
  facts: TouchFacts,
  config: EffectiveConfiguration,
  { kind }: WritePlan
): ReadonlyArray<string> => {
  if (kind._tag === "response") {
    const { acts } = kind.reading
    const questions = questionsOf(kind.reading, kind.text).flatMap((question) =>
      lookupsFor(question, acts, languageOfLead(facts, facts.account_language))
    )
    return questions.length === 0 ? [kind.text] : questions
  }
  const profile = [facts.industry, text(facts.goal) ?? config.goal, config.business.business_description]
  return [profile.flatMap((part) => text(part) ?? []).join("\n")]
}

/** Returns the page on which the lead left its contact, and its message there. */
const sourceOf = ({ capture }: TouchFacts): string | undefined =>
  capture === null
    ? undefined
    : [
        `on the page “${capture.page}” at ${capture.captured_at}`,
        ...(capture.utm_campaign === null ? [] : [`by the advertisement “${capture.utm_campaign}”`]),
        ...(capture.said === null ? [] : [`saying:\n${capture.said}`])
      ].join(", ")

/** Returns how the account got the lead's contact. A referring lead that was deleted is not mentioned. */
const originOf = ({ capture, origin, referred_by }: TouchFacts): LeadOrigin => {
  if (origin !== "referred" && origin !== "captured") return { kind: origin, name: null }
  const name = origin === "referred" ? referred_by : capture?.page
  return name === null || name === undefined ? addedByHand : { kind: origin, name }
}

const noKnowledge = { knowledge: [], files: [] }

/** Everything that the writer of the message needs. */
export const briefOf = (
  { leadId }: { readonly leadId: LeadId },
  facts: TouchFacts,
  config: EffectiveConfiguration,
  plan: WritePlan,
  context: {
    readonly knowledge: ReadonlyArray<KnownPassage>
    readonly files: ReadonlyArray<OfferableFile>
    readonly bookingLink?: string | undefined
    readonly documents?: DocumentsForLead | undefined
  } = noKnowledge
): WritingBrief => {
  const overlay = {
    email: config.email_instructions,
    chatapp: config.chatapp_instructions,
    voice: config.voice_instructions
  }[plan.channel]
  const website = text(config.business.business_website)
  const documents = context.documents?.documents ?? []
  const requested = new Set(documents.map(({ url }) => url))
  const general = [
    config.instructions,
    facts.instructions,
    facts.is_contacted ? null : facts.first_message_instructions
  ]
    .flatMap((part) => text(part) ?? [])
    .join("\n\n")
  return {
    channel: plan.channel,
    language: languageOfLead(facts, facts.account_language),
    ownersLanguage: languageOf(facts.account_language),
    kind: plan.kind,
    clock: clockOf(facts, plan),
    dayPart: plan.channel === "voice" ? dayPartOf(facts) : undefined,
    lead: {
      leadId,
      name: facts.name,
      company: text(facts.company),
      jobTitle: text(facts.job_title),
      industry: text(facts.industry),
      city: text(facts.city),
      state: text(facts.state),
      country: text(facts.country),
      website: text(facts.website),
      background: text(facts.background),
      source: sourceOf(facts),
      origin: originOf(facts)
    },
    business: {
      // A notice of a meeting is sent even if the account has no business name.
      name: config.identity.businessName ?? facts.account_name,
      description: text(config.business.business_description),
      website,
      idealCustomerProfile: text(config.business.icp),
      answers: facts.reusable_answers,
      knowledge: context.knowledge
    },
    sender: {
      name: config.identity.senderName ?? undefined,
      emailSignature: text(config.email_signature)
    },
    instructions: {
      general: text(general),
      channel: text(overlay),
      goal: text(facts.goal) ?? text(config.goal),
      strategy: text(config.strategy),
      nextTouch: facts.notice === null && !facts.is_holding_line ? ownersWishes(facts, plan) : undefined
    },
    links: [
      ...(website === undefined ? [] : [{ purpose: "website" as const, url: website }]),
      ...(context.bookingLink === undefined ? [] : [{ purpose: "scheduling" as const, url: context.bookingLink }]),
      ...documents.map(({ purpose, title, url }) => ({ purpose, url, ...(title === "" ? {} : { title }) })),
      ...context.files
        .filter(({ url }) => !requested.has(url))
        .map(({ title, url }) => ({ purpose: "file" as const, url, title }))
    ],
    ...(context.documents === undefined ? {} : { documents: context.documents }),
    conversation: facts.conversation,
    ...(facts.free_times === undefined ? {} : { freeTimes: facts.free_times }),
    ...(plan.opening === undefined ? {} : { opening: plan.opening }),
    ...(plan.channel === "email" && facts.thread_subject !== null ? { threadSubject: facts.thread_subject } : {}),
    ...(plan.channel === "chatapp" && !facts.is_chat_window_open ? { longest: longestOpening } : {})
  }
}
