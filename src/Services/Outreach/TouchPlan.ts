import { isHoliday, nextInWindow, type SendWindow } from "../Core/LocalTime.ts"
import { type Timestamp, toMillis } from "../Core/Timestamp.ts"
import type { LeadId } from "../Leads/Ids.ts"
import { isCallDue } from "../Replies/CallWish.ts"
import type { ReplyReading } from "../Replies/ReplyReading.ts"
import { shareOf } from "../Text/PlainText.ts"
import { type PreferredHours, preferredHalf, type TouchTime, touchTime } from "../Timing/TouchTime.ts"
import type { Opening } from "../Writing/Openings.ts"
import type { AnswerableClass, TouchKind } from "../Writing/WritingBrief.ts"
import { pauseFactors, type Trial } from "./Adjustments.ts"
import { daysToNextTouch, maximumTouches } from "./Cadence.ts"
import { type ChannelFacts, chooseChannel } from "./ChannelChoice.ts"
import type { OutreachChannel } from "./Ids.ts"

/** What decides whether and how a claimed lead is contacted now. */
export interface TouchSituation extends Omit<ChannelFacts, "isResponse" | "lastInbound"> {
  readonly leadId: LeadId
  /** Unix milliseconds. */
  readonly now: number
  readonly zone: string
  readonly window: SendWindow
  /** Whether anything was ever sent to the lead. */
  readonly isContacted: boolean
  /** Whether the platform only answers those who write. */
  readonly isPassive: boolean
  readonly hasWritten: boolean
  /** What the lead wrote since anything was sent to it. */
  readonly reply:
    | { readonly channel: OutreachChannel; readonly reading: ReplyReading; readonly text: string }
    | undefined
  readonly answer: { readonly question: string; readonly answer: string } | undefined
  /** Whether the lead wrote something else since it asked what `answer` answers. */
  readonly hasMoreToAnswer: boolean
  /** A meeting with the lead that the owner cancelled, and that the lead was not told of yet. */
  readonly cancelledMeeting: { readonly startsAt: Timestamp; readonly reason: string | undefined } | undefined
  /** How the owner wants to take up a lead again that was brought back. */
  readonly ownerContext: string | undefined
  /** Whether the lead answered in a way that leaves something to hope for. */
  readonly hasShownInterest?: boolean
  readonly hasInstructions: boolean
  /** Whether the message can say who writes and for whom. */
  readonly hasIdentity: boolean
  /** Whether a message that the owner wrote for this touch can go out on the messaging app now. */
  readonly hasParkedMessage: boolean
  readonly referredBy: string | undefined
  /** The page on which the lead left its contact by itself since it was written to, by its title. */
  readonly capturedOn?: string | undefined
  /** What the optimizer tries on the lead; absent where it is off. */
  readonly trial?: Trial | undefined
  /** The hours at which the lead is best contacted; absent where too little is known. */
  readonly wantedHours?: PreferredHours | undefined
  /** The touch only says that a person will answer. `isAwaited`: the lead still waits for that. */
  readonly holdingLine?: { readonly isAwaited: boolean } | undefined
  /** What the touch tells of a meeting, where it is for nothing else. */
  readonly notice?:
    | {
        readonly kind: Extract<TouchKind, { readonly _tag: "meeting_booked" | "meeting_reminder" }>
        readonly lastInbound: OutreachChannel | undefined
      }
    | undefined
}

export type SkipReason =
  | "identity_missing"
  | "outside_send_window"
  | "public_holiday"
  | "no_open_channel"
  | "passive_mode"
  | "cadence_ended"
  | "review_decided"

/** Times are Unix milliseconds; `undefined` where no further touch is due by itself. */
export type TouchPlan =
  | {
      readonly _tag: "Skip"
      readonly reason: SkipReason
      readonly nextTouchAt: number | undefined
      readonly timing?: TouchTime | undefined
    }
  | {
      readonly _tag: "Write"
      readonly channel: OutreachChannel
      readonly kind: TouchKind
      readonly messageType: "first_contact" | "follow_up" | "response" | "direct"
      /** The owner's message is all that is sent. */
      readonly isParkedMessage: boolean
      readonly nextTouchAt: number | undefined
      /** Why the next touch is at its hour, where something says so. */
      readonly timing?: TouchTime | undefined
      readonly opening?: Opening | undefined
    }

const day = 86_400_000
const hour = 3_600_000
const minute = 60_000

const unanswerable: ReadonlySet<string> = new Set(["unsubscribe", "out_of_office", "bounce", "auto_reply"])

const isAnswerable = (reading: ReplyReading): reading is ReplyReading & { readonly class: AnswerableClass } =>
  !unanswerable.has(reading.class)

const kindOf = (situation: TouchSituation): TouchKind => {
  const { answer, cancelledMeeting, capturedOn, ownerContext, referredBy, reply, touchNumber } = situation
  if (answer !== undefined) return { _tag: "answer_relay", ...answer }
  if (reply !== undefined && isAnswerable(reply.reading)) {
    return { _tag: "response", reading: reply.reading, text: reply.text }
  }
  if (cancelledMeeting !== undefined) {
    const { reason, startsAt } = cancelledMeeting
    const meeting = { startsAt }
    return { _tag: "meeting_cancelled", meeting, ...(reason === undefined ? {} : { reason }) }
  }
  if (ownerContext !== undefined) return { _tag: "re_engagement", ...(ownerContext === "" ? {} : { ownerContext }) }
  if (!situation.isContacted) {
    return {
      _tag: "first_contact",
      ...(referredBy === undefined ? {} : { referredBy }),
      ...(capturedOn === undefined ? {} : { capturedOn })
    }
  }
  return { _tag: "follow_up", number: Math.max(touchNumber - 1, 1), isLast: touchNumber >= maximumTouches }
}

/** Not all leads of an import at the same minute. */
const spread = (leadId: LeadId, minutes: number): number => (((leadId * 7919) % minutes) + minutes) % minutes

const skip = (reason: SkipReason, nextTouchAt: number | undefined, timing?: TouchTime): TouchPlan => ({
  _tag: "Skip",
  reason,
  nextTouchAt,
  ...(timing === undefined ? {} : { timing })
})

/** The lead's own replies say more of its hours than what is tried on a campaign; what is tried more than all others'. */
const hoursFor = ({ trial, wantedHours, window }: TouchSituation): PreferredHours | undefined => {
  const isOwn = wantedHours?.reason._tag === "Replies" && wantedHours.reason.source === "lead"
  if (isOwn || trial === undefined || trial.send_hours === "usual") return wantedHours
  return preferredHalf(trial.send_hours, window)
}

/** Whoever named somebody else is left alone while that one is talked to. */
const daysAfterReferral = 45

const isHandedOn = (kind: TouchKind): boolean =>
  kind._tag === "response" &&
  kind.reading.class === "referral" &&
  kind.reading.contact !== null &&
  (kind.reading.contact.email !== null || kind.reading.contact.phone !== null)

/** At one of the wanted hours of that day. */
const wellTimed = (situation: TouchSituation, earliest: number): TouchTime | undefined => {
  const wanted = hoursFor(situation)
  const { leadId, now, touchNumber, window, zone } = situation
  if (wanted === undefined) return undefined
  return touchTime(earliest, { now, zone, window, preferred: wanted, share: shareOf(`${leadId}|hour|${touchNumber}`) })
}

/** Days until the next touch, longer or shorter where that is tried; never the day after, and never the same day. */
const daysAfter = ({ touchNumber, trial }: TouchSituation): number | undefined => {
  const usual = daysToNextTouch(touchNumber)
  return usual === undefined ? undefined : Math.max(2, Math.round(usual * pauseFactors[trial?.pauses ?? "usual"]))
}

/** The way that is tried first, where the owner and the lead leave it open. */
const preferredOf = ({ preferred, trial }: TouchSituation): TouchSituation["preferred"] =>
  preferred ?? (trial?.channel_order === "chatapp_first" ? "ChatApp" : null)

/** Why nothing goes out now that the window is closed. */
const closedFor = ({ now, window, zone }: TouchSituation): SkipReason =>
  isHoliday(now, zone, window) ? "public_holiday" : "outside_send_window"

/** What keeps the lead from being contacted may be gone by then: a line that goes live, another setting. */
const lookAgainAt = ({ leadId, now, window, zone }: TouchSituation): number =>
  nextInWindow(now + day + spread(leadId, 60) * minute, zone, window)

/**
 * A notice of a meeting goes the way that the lead wrote. Who just agreed to the meeting waits for the confirmation; a
 * reminder waits for the send window, unless that opens too late.
 */
const planNotice = (
  situation: TouchSituation,
  { kind, lastInbound }: NonNullable<TouchSituation["notice"]>
): TouchPlan => {
  const { now, window, zone } = situation
  const isReminder = kind._tag === "meeting_reminder"
  const opening = nextInWindow(now, zone, window)
  if (isReminder && opening > now && opening <= toMillis(kind.meeting.startsAt) - hour) {
    return skip(closedFor(situation), opening)
  }
  const channel = chooseChannel({ ...situation, isResponse: true, lastInbound })
  if (channel === undefined) return skip("no_open_channel", undefined)
  const messageType = isReminder ? "direct" : "response"
  return { _tag: "Write", channel, kind, messageType, isParkedMessage: false, nextTouchAt: undefined }
}

const awaitedOf = ({ acts }: ReplyReading): Extract<TouchKind, { readonly _tag: "holding_line" }>["awaits"] => {
  if (acts.some(({ kind }) => kind === "wants_human")) return "person"
  return acts.some(({ kind }) => kind === "wants_call") ? "call" : "answer"
}

/** Word that a person will answer goes where the lead wrote, at any hour, as an answer does. */
const planHoldingLine = (situation: TouchSituation, isAwaited: boolean): TouchPlan => {
  const { reply } = situation
  if (!isAwaited || reply === undefined) return skip("review_decided", undefined)
  const channel = chooseChannel({ ...situation, canCall: false, isResponse: true, lastInbound: reply.channel })
  if (channel === undefined) return skip("no_open_channel", undefined)
  return {
    _tag: "Write",
    channel,
    kind: { _tag: "holding_line", awaits: awaitedOf(reply.reading) },
    messageType: "direct",
    isParkedMessage: false,
    nextTouchAt: undefined
  }
}

/** Why the lead is not contacted now: its cadence ended, it must write first, or its send window is closed. */
const obstacleTo = (situation: TouchSituation, kind: TouchKind, isAwaited: boolean): TouchPlan | undefined => {
  const { leadId, now, window, zone } = situation
  if (
    kind._tag === "follow_up" &&
    situation.touchNumber > maximumTouches &&
    !situation.hasInstructions &&
    !situation.hasParkedMessage
  ) {
    return skip("cadence_ended", undefined)
  }
  if (situation.isPassive && !isAwaited && !situation.hasWritten) {
    return skip("passive_mode", lookAgainAt(situation))
  }
  const opening = nextInWindow(now, zone, window)
  if (isAwaited || opening <= now) return undefined
  const timing = wellTimed(situation, opening)
  return skip(closedFor(situation), timing?.at ?? opening + spread(leadId, 60) * minute, timing)
}

const channelOf = (situation: TouchSituation, kind: TouchKind, isAwaited: boolean): OutreachChannel | undefined =>
  situation.hasParkedMessage
    ? "chatapp"
    : chooseChannel({
        ...situation,
        preferred: preferredOf(situation),
        isResponse: isAwaited,
        isCallWanted: kind._tag === "response" && isCallDue(kind.reading, situation.now, situation.zone),
        lastInbound: situation.reply?.channel
      })

/** How long a lead that showed interest has for an answer to the last message. */
const daysUntilOwner = 5

/** When the touch after this one is due; undefined at the end of the cadence. */
const nextTouchOf = (situation: TouchSituation, kind: TouchKind) => {
  const { leadId, now, window, zone } = situation
  const days = isHandedOn(kind) ? daysAfterReferral : daysAfter(situation)
  // The look after the last touch finds the cadence ended, and puts such a lead before the owner.
  if (days === undefined) {
    const look = now + daysUntilOwner * day + spread(leadId, 60) * minute
    return { later: situation.hasShownInterest === true ? look : undefined, timing: undefined }
  }
  const earliest = now + days * day
  const timing = wellTimed(situation, earliest)
  return { later: timing?.at ?? nextInWindow(earliest + spread(leadId, 180) * minute, zone, window), timing }
}

/**
 * Whether, why and by which way the lead is contacted now, and when next. What the lead or the owner waits for goes out
 * at any hour; everything else within the send window of the lead's own time zone.
 */
export const planTouch = (situation: TouchSituation): TouchPlan => {
  const { holdingLine, notice, now } = situation
  if (notice !== undefined) return planNotice(situation, notice)
  if (holdingLine !== undefined) return planHoldingLine(situation, holdingLine.isAwaited)
  // Such leads are passed over by the claim, so that this one stays due.
  if (!situation.hasIdentity) return skip("identity_missing", now)
  const kind = kindOf(situation)
  const isAnswer = kind._tag === "response" || kind._tag === "answer_relay"
  // Nobody is to come to a meeting because the office was closed when it was cancelled.
  const isAwaited = isAnswer || kind._tag === "meeting_cancelled"
  const isParkedMessage = situation.hasParkedMessage
  const obstacle = obstacleTo(situation, kind, isAwaited)
  if (obstacle !== undefined) return obstacle

  const channel = channelOf(situation, kind, isAwaited)
  if (channel === undefined) return skip("no_open_channel", lookAgainAt(situation))
  const { later, timing } = nextTouchOf(situation, kind)
  const isMoreToCome = kind._tag === "answer_relay" && (isParkedMessage || situation.hasMoreToAnswer)
  const opens = kind._tag === "first_contact" && situation.trial !== undefined
  return {
    _tag: "Write",
    channel,
    kind,
    messageType: isAnswer ? "response" : kind._tag === "first_contact" ? "first_contact" : "follow_up",
    isParkedMessage,
    // What else the lead waits for comes next.
    nextTouchAt: isMoreToCome ? now + 5 * minute : later,
    ...(timing === undefined || isMoreToCome ? {} : { timing }),
    ...(opens ? { opening: situation.trial?.opening } : {})
  }
}
