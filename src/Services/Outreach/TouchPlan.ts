import { isHoliday, nextInWindow, type SendWindow } from "../Core/LocalTime.ts"
import { type Timestamp, toMillis } from "../Core/Timestamp.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { ReplyReading } from "../Replies/ReplyReading.ts"
import { isCallDue } from "../Replies/Times/CallWish.ts"
import { shareOf } from "../Text/PlainText.ts"
import { type PreferredHours, preferredHalf, type TouchTime, touchTime } from "../Timing/TouchTime.ts"
import type { Opening } from "../Writing/Openings.ts"
import type { AnswerableClass, TouchKind } from "../Writing/WritingBrief.ts"
import { pauseFactors, type Trial } from "./Adjustments.ts"
import { daysToNextTouch, maximumTouches } from "./Cadence.ts"
import { type ChannelFacts, chooseChannel } from "./ChannelChoice.ts"
import type { OutreachChannel } from "./Ids.ts"

/** The facts that decide whether and how a claimed lead is contacted now. */
export interface TouchSituation extends Omit<ChannelFacts, "isResponse" | "lastInbound"> {
  readonly leadId: LeadId
  /** Unix milliseconds. */
  readonly now: number
  readonly zone: string
  readonly window: SendWindow
  /** Whether anything was ever sent to the lead. */
  readonly isContacted: boolean
  /** Whether the platform only answers leads that write. */
  readonly isPassive: boolean
  readonly hasWritten: boolean
  /** What the lead wrote since the last message to it. */
  readonly reply:
    | { readonly channel: OutreachChannel; readonly reading: ReplyReading; readonly text: string }
    | undefined
  readonly answer: { readonly question: string; readonly answer: string } | undefined
  /** Whether the lead wrote something else after the question that `answer` answers. */
  readonly hasMoreToAnswer: boolean
  /** A meeting that the owner cancelled and the lead was not notified of yet. */
  readonly cancelledMeeting: { readonly startsAt: Timestamp; readonly reason: string | undefined } | undefined
  /** The owner's context for reviving a lead that was brought back. */
  readonly ownerContext: string | undefined
  /** Whether the lead's answers suggest possible interest. */
  readonly hasShownInterest?: boolean
  readonly hasInstructions: boolean
  /** Whether the message can name its sender and the business. */
  readonly hasIdentity: boolean
  /** Whether a message that the owner wrote for this touch can be sent on the messaging app now. */
  readonly hasParkedMessage: boolean
  readonly referredBy: string | undefined
  /** The title of the page on which the lead left its contact after the last message to it. */
  readonly capturedOn?: string | undefined
  /** The optimizer's trial with the lead. Absent if the optimizer is off. */
  readonly trial?: Trial | undefined
  /** The best hours to contact the lead. Absent if too little is known. */
  readonly wantedHours?: PreferredHours | undefined
  /**
   * Set if the touch only announces that a person will answer. `isAwaited` says whether the lead still waits for that.
   */
  readonly holdingLine?: { readonly isAwaited: boolean } | undefined
  /** Set if the touch is only a meeting notice. */
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

/** Times are Unix milliseconds. `undefined` means that no further touch is scheduled. */
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
      /** Only the owner's message is sent. */
      readonly isParkedMessage: boolean
      readonly nextTouchAt: number | undefined
      /** Why the next touch is at that hour, if there is a reason. */
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

/** Spreads the leads of an import over several minutes. */
const spread = (leadId: LeadId, minutes: number): number => (((leadId * 7919) % minutes) + minutes) % minutes

const skip = (reason: SkipReason, nextTouchAt: number | undefined, timing?: TouchTime): TouchPlan => ({
  _tag: "Skip",
  reason,
  nextTouchAt,
  ...(timing === undefined ? {} : { timing })
})

/**
 * The lead's own replies outweigh the hours that the campaign tries, and those outweigh the hours of all other leads.
 */
const hoursFor = ({ trial, wantedHours, window }: TouchSituation): PreferredHours | undefined => {
  const isOwn = wantedHours?.reason._tag === "Replies" && wantedHours.reason.source === "lead"
  if (isOwn || trial === undefined || trial.send_hours === "usual") return wantedHours
  return preferredHalf(trial.send_hours, window)
}

/** Days for which a lead that referred the account to another person is not contacted, while that person is. */
const daysAfterReferral = 45

const isHandedOn = (kind: TouchKind): boolean =>
  kind._tag === "response" &&
  kind.reading.class === "referral" &&
  kind.reading.contact !== null &&
  (kind.reading.contact.email !== null || kind.reading.contact.phone !== null)

/** The time at one of the preferred hours of that day. */
const wellTimed = (situation: TouchSituation, earliest: number): TouchTime | undefined => {
  const preferredHours = hoursFor(situation)
  const { leadId, now, touchNumber, window, zone } = situation
  if (preferredHours === undefined) return undefined
  return touchTime(earliest, {
    now,
    zone,
    window,
    preferred: preferredHours,
    share: shareOf(`${leadId}|hour|${touchNumber}`)
  })
}

/** Days until the next touch, adjusted by the trial. At least two days. */
const daysAfter = ({ touchNumber, trial }: TouchSituation): number | undefined => {
  const usual = daysToNextTouch(touchNumber)
  return usual === undefined ? undefined : Math.max(2, Math.round(usual * pauseFactors[trial?.pauses ?? "usual"]))
}

/** The preferred channel if neither the owner nor the lead has a preference. */
const preferredOf = ({ preferred, trial }: TouchSituation): TouchSituation["preferred"] =>
  preferred ?? (trial?.channel_order === "chatapp_first" ? "ChatApp" : null)

/** Why nothing is sent outside the send window. */
const closedFor = ({ now, window, zone }: TouchSituation): SkipReason =>
  isHoliday(now, zone, window) ? "public_holiday" : "outside_send_window"

/** When to check the lead again. The obstacle may be gone by then, for example once a line is live. */
const lookAgainAt = ({ leadId, now, window, zone }: TouchSituation): number =>
  nextInWindow(now + day + spread(leadId, 60) * minute, zone, window)

/**
 * Plans a meeting notice on the lead's channel. A confirmation is sent at once, because the lead waits for it. A
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

/** Plans the announcement that a person will answer. It uses the lead's channel, at any hour, like an answer. */
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

/** Why the lead is not contacted now: its cadence has ended, it must write first, or its send window is closed. */
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

/** How many days an interested lead has to answer the last message. */
const daysUntilOwner = 5

/** When the next touch is due. Undefined at the end of the cadence. */
const nextTouchOf = (situation: TouchSituation, kind: TouchKind) => {
  const { leadId, now, window, zone } = situation
  const days = isHandedOn(kind) ? daysAfterReferral : daysAfter(situation)
  // The check after the last touch finds that the cadence has ended and hands an interested lead to the owner.
  if (days === undefined) {
    const look = now + daysUntilOwner * day + spread(leadId, 60) * minute
    return { later: situation.hasShownInterest === true ? look : undefined, timing: undefined }
  }
  const earliest = now + days * day
  const timing = wellTimed(situation, earliest)
  return { later: timing?.at ?? nextInWindow(earliest + spread(leadId, 180) * minute, zone, window), timing }
}

/**
 * Decides whether, why and on which channel the lead is contacted now, and when next. Messages that the lead or the
 * owner waits for are sent at any hour. All others are sent within the send window of the lead's time zone.
 */
export const planTouch = (situation: TouchSituation): TouchPlan => {
  const { holdingLine, notice, now } = situation
  if (notice !== undefined) return planNotice(situation, notice)
  if (holdingLine !== undefined) return planHoldingLine(situation, holdingLine.isAwaited)
  // The claim skips such leads, so this one can stay due.
  if (!situation.hasIdentity) return skip("identity_missing", now)
  const kind = kindOf(situation)
  const isAnswer = kind._tag === "response" || kind._tag === "answer_relay"
  // A cancellation is sent at any hour, so that the lead does not come to the meeting in vain.
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
    // The next touch soon answers the lead's other messages.
    nextTouchAt: isMoreToCome ? now + 5 * minute : later,
    ...(timing === undefined || isMoreToCome ? {} : { timing }),
    ...(opens ? { opening: situation.trial?.opening } : {})
  }
}
