import { instantOf, nextInWindow, type SendWindow } from "../Core/LocalTime.ts"
import type { LeadId, LeadStatus, PipelineState } from "../Leads/Ids.ts"
import type { MeetingId } from "../Meetings/Ids.ts"
import type { OutreachChannel } from "../Outreach/Ids.ts"
import type { EffectiveConfiguration } from "../Prospecting/EffectiveConfiguration.ts"
import type { Language } from "../Text/Language.ts"
import { isDeferral, type NamedContact, type RefusalReason, type ReplyReading } from "./ReplyReading.ts"

/** What a reply's consequences follow from. */
export interface ReplySituation {
  readonly reading: ReplyReading
  readonly lead: {
    readonly leadId: LeadId
    readonly status: LeadStatus
    readonly pipeline: PipelineState
    readonly isUnsubscribed: boolean
    /** Whether the owner took it over by hand: what becomes of it is the owner's to say. */
    readonly isTakenOver: boolean
  }
  /** The next meeting with the lead that stands. Times are Unix milliseconds. */
  readonly meeting: { readonly meetingId: MeetingId; readonly startsAt: number } | undefined
  readonly settings: Pick<
    EffectiveConfiguration,
    "notify_on_interested" | "notify_on_interested_via_email" | "notify_on_confirmed" | "notify_on_confirmed_via_email"
  >
  /** Unix milliseconds. */
  readonly now: number
  /** IANA name of the lead's own. */
  readonly zone: string
  readonly window: SendWindow
  /** The owner's criterion for a human review that the reply meets. */
  readonly criterion: string | undefined
  /** Why it meets it, and who says so. */
  readonly judgement?: ReplyJudgement | undefined
  /** That the lead is none whom the owner wants. */
  readonly disqualified?: ReplyJudgement | undefined
  /** Whether the account's own calendar has something else at the time that the lead named. */
  readonly isTimeTaken?: boolean
  /** What the reply asks; null where it asks nothing. */
  readonly question: string | null
  /** Whether the owner has answered the question before, for any lead. */
  readonly isAnswerKnown: boolean
  /** Whether it is known that the lead itself wrote; anybody can write a mail in its name. */
  readonly isSenderProven: boolean
  /** Whether the lead was answered so often of late that a machine may be answering back. */
  readonly isAnsweredOften: boolean
}

export type ReviewReason =
  | "reply_unclear"
  | "sender_unproven"
  | "human_review_criteria"
  | "qualification"
  | "answered_often"

/** Answers to one lead within a day before a person is to look at the conversation; people write more in a chat. */
export const answersPerDay: { readonly [C in OutreachChannel]: number } = { email: 6, chatapp: 30, voice: 6 }

/** What was made of the owner's own words about a reply, in one sentence. */
export interface ReplyJudgement {
  readonly reason: string
  readonly decidedBy: "rules" | "model"
}

/** One thing to be done about a reply. Times are Unix milliseconds. */
export type Consequence =
  /** The count of touches begins anew, and what was queued before the reply does not go out. */
  | { readonly _tag: "BeginAnew"; readonly language: Language | null }
  | { readonly _tag: "SetStatus"; readonly status: LeadStatus }
  | { readonly _tag: "Announce"; readonly event: "lead_confirmed" | "lead_became_interested" }
  | {
      readonly _tag: "Notify"
      readonly kind: OwnerNews
    }
  /** The owner wants to hear of it by e-mail, whether or not there is a notification. */
  | { readonly _tag: "MailOwner"; readonly kind: Exclude<OwnerNews, "lead_unsubscribed"> }
  | { readonly _tag: "Unsubscribe" }
  | {
      readonly _tag: "Stop"
      readonly reason: "not_interested" | "wrong_person" | "not_qualified"
      readonly refusalReason: RefusalReason | null
      readonly returnDate: string | null
      readonly judgement?: ReplyJudgement
    }
  | {
      readonly _tag: "FlagForReview"
      readonly reason: ReviewReason
      readonly criterion: string | undefined
      readonly judgement?: ReplyJudgement
    }
  | { readonly _tag: "TouchAt"; readonly at: number }
  /** Not before then; a touch that is due later stays. */
  | { readonly _tag: "WaitUntil"; readonly at: number }
  | { readonly _tag: "AskOwner"; readonly question: string }
  | { readonly _tag: "RegisterReferral"; readonly contact: NamedContact }
  /** `touchAt` holds where it cannot be booked: the lead is proposed another time. */
  | {
      readonly _tag: "BookMeeting"
      readonly startsAt: number
      readonly endsAt: number
      readonly touchAt: number
    }
  /** The lead is not coming; it goes on being worked from `touchAt`, unless it is the owner's. */
  | {
      readonly _tag: "CallOffMeeting"
      readonly meetingId: MeetingId
      readonly touchAt: number | undefined
      readonly isMailed: boolean
    }
  /** `touchAt` holds where the new time cannot be had: the lead is asked for another one. */
  | {
      readonly _tag: "MoveMeeting"
      readonly meetingId: MeetingId
      readonly startsAt: number
      readonly endsAt: number
      readonly touchAt: number
      readonly isMailed: boolean
    }

/** What the owner hears about a reply. */
export type OwnerNews =
  | "lead_confirmed"
  | "lead_became_interested"
  | "lead_unsubscribed"
  /** Of a reply that the platform does not answer. */
  | "held_lead_replied"

const minute = 60_000
const day = 24 * 60 * minute
const meetingLength = 30 * minute
/** Further off nobody makes an appointment or stays away: the date was read wrongly. */
const horizon = 366 * day
/** So unsure that a person should look at the reply before anything is made of it. */
const unsure = 0.5
/** What fits no class is answered only where it is certain that nothing in it asks for more than an answer. */
const unsureOfOther = 0.7
const daysToAnOwnersAnswer = 3

/** A few minutes, since nobody answers at once; the same ones for a lead whenever it is asked. */
export const responseAt = (leadId: LeadId, now: number): number =>
  now + 3 * minute + (Math.abs(leadId * 7919) % 421) * 1000

const unconfirmed: ReadonlySet<LeadStatus> = new Set(["Pending", "Cold", "Frozen"])
const beforeGatekeeper: ReadonlySet<LeadStatus> = new Set(["Pending", "Cold", "Frozen", "Confirmed", "Aware"])

const dateParts = (date: string): readonly [year: number, month: number, day: number] => {
  const [year = 0, month = 1, dayOfMonth = 1] = date.split("-").map(Number)
  return [year, month, dayOfMonth]
}

const isUnsure = ({ reading }: ReplySituation): boolean =>
  reading.confidence < (reading.class === "other" ? unsureOfOther : unsure)

/** How far the conversation has come with this reply. A closed deal stays closed, whatever is written afterwards. */
const statusAfter = (situation: ReplySituation): LeadStatus => {
  const { lead, reading } = situation
  if (lead.status === "Closed") return "Closed"
  const confirmed = unconfirmed.has(lead.status) ? "Confirmed" : lead.status
  if (reading.class === "unsubscribe") return "NotInterested"
  if (reading.class === "wrong_person") {
    return unconfirmed.has(lead.status) && !isUnsure(situation) ? "Unqualified" : lead.status
  }
  if (isUnsure(situation)) return confirmed
  // Whoever was answered before, and asks or puts off, knows what is offered and has not decided.
  const considering = lead.status === "Confirmed" ? "Aware" : confirmed
  switch (reading.class) {
    case "interested":
    case "meeting_request":
      return "Interested"
    case "not_interested":
      if (reading.meetingChange === "move") return confirmed
      return isDeferral(reading) ? considering : "NotInterested"
    case "question":
      return considering
    case "gatekeeper":
      return beforeGatekeeper.has(lead.status) ? "Gatekeeper" : lead.status
    default:
      return confirmed
  }
}

const tellOwner = (
  kind: "lead_confirmed" | "lead_became_interested",
  isNotified: boolean,
  isByEmail: boolean
): ReadonlyArray<Consequence> => [
  ...(isNotified ? [{ _tag: "Notify", kind } as const] : []),
  ...(isByEmail ? [{ _tag: "MailOwner", kind } as const] : [])
]

/** The owner takes news of leads by e-mail. */
const isMailWanted = ({ settings }: ReplySituation): boolean =>
  settings.notify_on_interested_via_email || settings.notify_on_confirmed_via_email

/** A reply that nobody would see: the platform does not answer it, and the owner heard nothing of it yet. */
const unanswered = (situation: ReplySituation, told: ReadonlyArray<Consequence>): ReadonlyArray<Consequence> =>
  told.some(({ _tag }) => _tag === "Notify")
    ? []
    : [
        { _tag: "Notify", kind: "held_lead_replied" },
        ...(isMailWanted(situation) ? [{ _tag: "MailOwner", kind: "held_lead_replied" } as const] : [])
      ]

const statusChange = (situation: ReplySituation): ReadonlyArray<Consequence> => {
  const { lead, reading, settings } = situation
  const status = statusAfter(situation)
  if (status === lead.status) return []
  const consequences: Array<Consequence> = [{ _tag: "SetStatus", status }]
  // Whoever answers is reached, but for one who says that he is somebody else or wants no mail.
  if (unconfirmed.has(lead.status) && reading.class !== "wrong_person" && reading.class !== "unsubscribe") {
    consequences.push({ _tag: "Announce", event: "lead_confirmed" })
    if (status === "Confirmed") {
      consequences.push(
        ...tellOwner("lead_confirmed", settings.notify_on_confirmed, settings.notify_on_confirmed_via_email)
      )
    }
  }
  if (status === "Interested") {
    consequences.push({ _tag: "Announce", event: "lead_became_interested" })
    consequences.push(
      ...tellOwner("lead_became_interested", settings.notify_on_interested, settings.notify_on_interested_via_email)
    )
  }
  return consequences
}

const reviewOf = (situation: ReplySituation): ReadonlyArray<Consequence> => {
  const { criterion, disqualified, judgement } = situation
  if (criterion !== undefined) {
    const because = judgement === undefined ? {} : { judgement }
    return [{ _tag: "FlagForReview", reason: "human_review_criteria", criterion, ...because }]
  }
  // Rules see a number and no more: whether the lead is out is a person's to say.
  if (disqualified?.decidedBy === "rules") {
    return [{ _tag: "FlagForReview", reason: "qualification", criterion: undefined, judgement: disqualified }]
  }
  return isUnsure(situation) ? [{ _tag: "FlagForReview", reason: "reply_unclear", criterion: undefined }] : []
}

/** A lead that is answered often may be a machine, and two machines would answer each other without end. */
const unlessOften = ({ isAnsweredOften }: ReplySituation, step: Consequence): Consequence =>
  isAnsweredOften && step._tag === "TouchAt"
    ? { _tag: "FlagForReview", reason: "answered_often", criterion: undefined }
    : step

const withinHorizon = (millis: number, now: number): boolean => millis > now && millis - now < horizon

const awayUntil = ({ now, reading, window, zone }: ReplySituation): ReadonlyArray<Consequence> => {
  if (reading.returnDate === null) return []
  const [year, month, dayOfMonth] = dateParts(reading.returnDate)
  const at = nextInWindow(instantOf(year, month, dayOfMonth + 1, window.startHour, 0, zone), zone, window)
  return withinHorizon(at, now) ? [{ _tag: "WaitUntil", at }] : []
}

/** The time to come that the lead proposed. */
const proposedStart = ({
  now,
  reading,
  zone
}: Pick<ReplySituation, "now" | "reading" | "zone">): number | undefined => {
  const { date = null, time = null } = reading.proposedMeeting ?? {}
  if (date === null || time === null) return undefined
  const [year, month, dayOfMonth] = dateParts(date)
  const [hour = 0, minutes = 0] = time.split(":").map(Number)
  const startsAt = instantOf(year, month, dayOfMonth, hour, minutes, zone)
  return withinHorizon(startsAt, now) ? startsAt : undefined
}

/** The meeting (Unix milliseconds) that a reply may bring about; undefined where it names no time to come. */
export const proposedMeeting = (
  situation: Pick<ReplySituation, "now" | "reading" | "zone">
): { readonly from: number; readonly to: number } | undefined => {
  const from = proposedStart(situation)
  return from === undefined ? undefined : { from, to: from + meetingLength }
}

/** The proposed time, where nothing is known that speaks against it. */
const possibleStart = (situation: ReplySituation): number | undefined =>
  situation.isTimeTaken === true ? undefined : proposedStart(situation)

const meeting = (situation: ReplySituation, touchAt: number): Consequence => {
  const startsAt = possibleStart(situation)
  return startsAt === undefined
    ? { _tag: "TouchAt", at: touchAt }
    : { _tag: "BookMeeting", startsAt, endsAt: startsAt + meetingLength, touchAt }
}

/** When the lead wants to hear again, within its working hours; undefined where it named no such day. */
const comeBackAt = ({ now, reading, window, zone }: ReplySituation): number | undefined => {
  if (!isDeferral(reading) || reading.returnDate === null) return undefined
  const [year, month, dayOfMonth] = dateParts(reading.returnDate)
  const at = nextInWindow(instantOf(year, month, dayOfMonth, window.startHour, 0, zone), zone, window)
  return withinHorizon(at, now) ? at : undefined
}

/**
 * What becomes of a meeting that stands; undefined where the reply leaves it alone. It is off where the lead says so or
 * wants no more, and moved where the lead names another time.
 */
const meetingStep = (situation: ReplySituation): ReadonlyArray<Consequence> | undefined => {
  const { lead, meeting: standing, now, reading } = situation
  if (standing === undefined) return undefined
  const { meetingId } = standing
  const isEnded = reading.class === "unsubscribe"
  if (!isEnded && isUnsure(situation)) return undefined
  const isMailed = isMailWanted(situation)
  const off = (touchAt: number | undefined): ReadonlyArray<Consequence> => [
    { _tag: "CallOffMeeting", meetingId, touchAt, isMailed }
  ]
  if (isEnded) return off(undefined)
  const touchAt = responseAt(lead.leadId, now)
  if (reading.meetingChange === "move") {
    const startsAt = possibleStart(situation)
    if (startsAt === undefined) return off(comeBackAt(situation) ?? touchAt)
    return [{ _tag: "MoveMeeting", meetingId, startsAt, endsAt: startsAt + meetingLength, touchAt, isMailed }]
  }
  const comesBack = comeBackAt(situation)
  if (comesBack !== undefined) return off(comesBack)
  if (reading.class === "not_interested" || reading.class === "wrong_person") {
    return [...off(undefined), ...referral(situation), ...(lead.isTakenOver ? [] : [stop(situation, reading.class)])]
  }
  return reading.meetingChange === "cancel" ? off(touchAt) : undefined
}

/** Where the answer to the lead will say that it follows, the owner is asked for it. */
const openQuestion = ({ isAnswerKnown, question }: ReplySituation): ReadonlyArray<Consequence> =>
  question === null || isAnswerKnown ? [] : [{ _tag: "AskOwner", question }]

const referral = ({ reading: { contact } }: ReplySituation): ReadonlyArray<Consequence> =>
  contact === null || (contact.email === null && contact.phone === null) ? [] : [{ _tag: "RegisterReferral", contact }]

const stop = ({ reading }: ReplySituation, reason: "not_interested" | "wrong_person"): Consequence => ({
  _tag: "Stop",
  reason,
  refusalReason: reading.refusalReason,
  returnDate: reading.returnDate
})

/** What the platform does next about a lead that it works. */
const nextStep = (situation: ReplySituation): ReadonlyArray<Consequence> => {
  const { lead, now, reading, window, zone } = situation
  const touchAt = responseAt(lead.leadId, now)
  const respond: Consequence = { _tag: "TouchAt", at: touchAt }
  switch (reading.class) {
    case "not_interested": {
      // The reply is answered then, and not before: the day is kept by the lead's own schedule.
      const at = comeBackAt(situation)
      if (at !== undefined) return [...openQuestion(situation), { _tag: "TouchAt", at }]
      return isDeferral(reading) ? [...openQuestion(situation), respond] : [stop(situation, reading.class)]
    }
    case "wrong_person":
      return [...referral(situation), stop(situation, reading.class)]
    case "question": {
      const asked = openQuestion(situation)
      const later = nextInWindow(now + daysToAnOwnersAnswer * day, zone, window)
      return [...asked, asked.length === 0 ? respond : { _tag: "TouchAt", at: later }]
    }
    case "interested":
      return [...openQuestion(situation), respond]
    case "meeting_request":
      return [...openQuestion(situation), meeting(situation, touchAt)]
    case "referral":
      return [...referral(situation), ...openQuestion(situation), respond]
    default:
      return [...openQuestion(situation), respond]
  }
}

/** What a stranger who writes in the lead's name may not bring about. */
const needsProof = (situation: ReplySituation, step: Consequence): boolean => {
  switch (step._tag) {
    case "BookMeeting":
    case "CallOffMeeting":
    case "MoveMeeting":
    case "RegisterReferral":
    case "Stop":
    case "WaitUntil":
      return true
    case "SetStatus":
      return step.status === "NotInterested" || step.status === "Unqualified"
    case "TouchAt":
      return isDeferral(situation.reading)
    default:
      return false
  }
}

/** The same without what needs proof; where anything did, a person decides. */
const ofUnproven = (
  situation: ReplySituation,
  consequences: ReadonlyArray<Consequence>
): ReadonlyArray<Consequence> => {
  const allowed = consequences.filter((step) => !needsProof(situation, step))
  if (allowed.length === consequences.length) return consequences
  const isWorked = situation.lead.pipeline === "in_pipeline" && !situation.lead.isUnsubscribed
  // A machine's word on an absence is no reply: nobody need look at it.
  if (situation.reading.class === "out_of_office") return allowed
  if (!isWorked) return [...allowed, ...unanswered(situation, allowed)]
  const review: Consequence = { _tag: "FlagForReview", reason: "sender_unproven", criterion: undefined }
  return [...allowed.filter(({ _tag }) => _tag !== "TouchAt" && _tag !== "FlagForReview"), review]
}

/**
 * What a reply brings about, in the order in which it is done. Wishes to be left alone hold in every state; of a lead
 * that a person works, or nobody any more, only what is known of it changes. Nothing but the reading speaks for the
 * reply here, so nothing that a lead writes can ask for more than these.
 */
export const replyConsequences = (situation: ReplySituation): ReadonlyArray<Consequence> => {
  const consequences = consequencesOf(situation)
  return situation.isSenderProven || situation.reading.class === "unsubscribe"
    ? consequences
    : ofUnproven(situation, consequences)
}

const consequencesOf = (situation: ReplySituation): ReadonlyArray<Consequence> => {
  const { lead, reading } = situation
  const isWorked = lead.pipeline === "in_pipeline" && !lead.isUnsubscribed
  // Failed deliveries are told by the reports of mail servers; here a machine merely speaks of one.
  if (reading.class === "bounce" || reading.class === "auto_reply") return []
  if (reading.class === "out_of_office") return isWorked ? awayUntil(situation) : []
  const anew: Consequence = { _tag: "BeginAnew", language: reading.language }
  const changed = statusChange(situation)
  const ofMeeting = meetingStep(situation)
  if (reading.class === "unsubscribe") {
    const told: Consequence = { _tag: "Notify", kind: "lead_unsubscribed" }
    return [anew, ...changed, ...(ofMeeting ?? []), { _tag: "Unsubscribe" }, ...(lead.isUnsubscribed ? [] : [told])]
  }
  if (lead.isUnsubscribed) return [anew, ...(ofMeeting ?? unanswered(situation, []))]
  const review = reviewOf(situation)
  if (ofMeeting !== undefined && (review.length === 0 || !isWorked)) return [anew, ...changed, ...ofMeeting]
  if (!isWorked) return [anew, ...changed, ...unanswered(situation, changed)]
  const { disqualified } = situation
  const isRefusal = reading.class === "not_interested" || reading.class === "wrong_person"
  if (review.length === 0 && disqualified !== undefined && !isRefusal && lead.status !== "Closed") {
    const ended: Consequence = {
      _tag: "Stop",
      reason: "not_qualified",
      refusalReason: null,
      returnDate: null,
      judgement: disqualified
    }
    return [
      anew,
      ...(lead.status === "Unqualified" ? [] : [{ _tag: "SetStatus", status: "Unqualified" } as const]),
      ended
    ]
  }
  const next = review.length > 0 ? review : nextStep(situation).map((step) => unlessOften(situation, step))
  return [anew, ...changed, ...next]
}
