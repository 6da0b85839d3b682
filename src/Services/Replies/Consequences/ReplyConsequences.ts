import { dateParts, instantOf, nextInWindow } from "../../Core/LocalTime.ts"
import type { LeadId } from "../../Leads/Ids.ts"
import type { Act } from "../Acts.ts"
import { objectionIn } from "../Objections.ts"
import type { ReplyReading } from "../ReplyReading.ts"
import type { Consequence, ReplySituation, ReviewReason } from "../ReplySituation.ts"
import { withoutSourceDemands } from "../SourceQuestions.ts"
import { meetingWishOf } from "../Times/MeetingWish.ts"
import { endsConversation, openingKinds, reachable } from "./ReplyClasses.ts"
import { type LeadPhase, type Reaction, reactionsTo } from "./ReplyTable.ts"
import { isUnsure, statusChange } from "./StatusAfterReply.ts"

const minute = 60_000
const day = 24 * 60 * minute
export const meetingLength = 30 * minute
/** No one makes an appointment or stays away for longer: the date was read wrongly. */
const horizon = 366 * day
/** When a lead is contacted again that asked for it without naming a day. */
const daysWithoutDate = 90

/** A few minutes, since no one answers at once; the same ones for a lead whenever this is asked. */
export const responseAt = (leadId: LeadId, now: number): number =>
  now + 3 * minute + (Math.abs(leadId * 7919) % 421) * 1000

const phaseOf = ({ lead }: ReplySituation): LeadPhase => {
  if (lead.isUnsubscribed) return "unsubscribed"
  if (lead.pipeline === "in_pipeline") return "worked"
  return lead.pipeline === "finished" ? "finished" : "held"
}

/** The owner takes news of leads by e-mail. */
const isMailWanted = ({ settings }: ReplySituation): boolean =>
  settings.notify_on_interested_via_email || settings.notify_on_confirmed_via_email

/** A reply that the platform does not answer, unless the owner was notified of it already. */
const unanswered = (situation: ReplySituation, earlier: ReadonlyArray<Consequence>): ReadonlyArray<Consequence> =>
  earlier.some(({ _tag }) => _tag === "Notify" || _tag === "CallOffMeeting" || _tag === "MoveMeeting")
    ? []
    : [
        { _tag: "Notify", kind: "held_lead_replied" },
        ...(isMailWanted(situation) ? [{ _tag: "MailOwner", kind: "held_lead_replied" } as const] : [])
      ]

const review = (
  reason: ReviewReason,
  more: Partial<Extract<Consequence, { _tag: "FlagForReview" }>> = {}
): Consequence => ({
  _tag: "FlagForReview",
  reason,
  criterion: undefined,
  ...more
})

/** The first hour of the send window on a local day, or `later` days after it; undefined where that is no day to come. */
const windowOn = ({ now, window, zone }: ReplySituation, date: string, later = 0): number | undefined => {
  const [year, month, dayOfMonth] = dateParts(date)
  const at = nextInWindow(instantOf(year, month, dayOfMonth + later, window.startHour, 0, zone), zone, window)
  return at > now && at - now < horizon ? at : undefined
}

/** When a lead wants to hear again: on the day that it named, else in 90 days. */
const comeBackAt = (situation: ReplySituation): number => {
  const { now, reading, window, zone } = situation
  const named = reading.returnDate === null ? undefined : windowOn(situation, reading.returnDate)
  return named ?? nextInWindow(now + daysWithoutDate * day, zone, window)
}

const wait = (situation: ReplySituation): ReadonlyArray<Consequence> => {
  const { returnDate } = situation.reading
  const at = returnDate === null ? undefined : windowOn(situation, returnDate, 1)
  return at === undefined ? [] : [{ _tag: "WaitUntil", at }]
}

const openQuestions = ({ questions, reading }: ReplySituation): ReadonlyArray<Consequence> =>
  questions.flatMap(({ isDocument, isKnown, text }): ReadonlyArray<Consequence> => {
    if (isKnown) return []
    const isObjection = objectionIn(text, reading.acts) !== undefined
    const owed = isDocument === true ? "document" : isObjection ? "objection" : "answer"
    return [{ _tag: "AskOwner", question: text, owed }]
  })

/** Whether a reply names another person who can be reached. A number on which the lead wants to be called is its own. */
const namesThirdPerson = ({ reading: { acts, contact } }: ReplySituation): boolean => {
  const call = Math.max(0, ...acts.flatMap(({ certainty, kind }) => (kind === "wants_call" ? [certainty] : [])))
  return reachable(contact) && acts.some(({ certainty, contact: named }) => named !== null && certainty > call)
}

/** The person who was named, if there is a way to reach them. */
const registerContact = (situation: ReplySituation): ReadonlyArray<Consequence> => {
  const { contact } = situation.reading
  return contact !== null && namesThirdPerson(situation) ? [{ _tag: "RegisterReferral", contact }] : []
}

/** From which certainty on a person looks at an opt-out, whatever else the reply refuses. */
const likelyStop = 0.7

const isLikelyStop = (acts: ReadonlyArray<Act>): boolean =>
  acts.some(({ certainty, kind }) => kind === "stops" && certainty >= likelyStop)

/** Why a person decides before anything else is done; undefined where no one need. */
const reviewOf = (situation: ReplySituation, reactions: ReadonlyArray<Reaction>): Consequence | undefined => {
  const { bookableAt, callAt, criterion, disqualified, judgement, reading } = situation
  const reasons = reactions.flatMap((reaction) =>
    reaction.startsWith("review:") ? [reaction.slice("review:".length) as ReviewReason] : []
  )
  const legal = reasons.find((reason) => reason === "legal_request")
  if (legal !== undefined) return review(legal)
  if (criterion !== undefined) {
    return review("human_review_criteria", { criterion, ...(judgement === undefined ? {} : { judgement }) })
  }
  // Rules see a number and no more: a person decides whether the lead is out.
  if (disqualified?.decidedBy === "rules") return review("qualification", { judgement: disqualified })
  if (situation.isOtherLanguage === true) return review("other_language")
  if (situation.isObjectionRepeated === true && reading.class === "objection") return review("objection_again")
  const others = reasons.filter(
    (reason) =>
      // A call at a time that can be booked is a meeting like any other.
      // A plain refusal ends the conversation: nothing is sent that an opt-out would stop.
      !(reason === "opt_out_unclear" && reading.class === "not_interested" && !isLikelyStop(reading.acts)) &&
      !(reason === "wants_call" && (callAt !== undefined || bookableAt !== undefined || namesThirdPerson(situation))) &&
      // What else was understood counts more than a sentence that was not.
      !(reason === "reply_unclear" && reactions.some((reaction) => !reaction.startsWith("review:")))
  )
  const [first] = others
  if (first !== undefined) return review(first)
  return isUnsure(situation) && reading.class !== "unsubscribe" ? review("reply_unclear") : undefined
}

/** What becomes of the meeting that was agreed on; undefined where the reply leaves it alone. */
const meetingStep = (situation: ReplySituation, acts: ReadonlyArray<Act>): ReadonlyArray<Consequence> | undefined => {
  const { bookableAt, lead, meeting: standing, now, reading } = situation
  if (standing === undefined) return undefined
  const { meetingId } = standing
  const isMailed = isMailWanted(situation)
  const touchAt = responseAt(lead.leadId, now)
  const callOff = (at: number | undefined): ReadonlyArray<Consequence> => [
    { _tag: "CallOffMeeting", meetingId, touchAt: at, isMailed }
  ]
  if (reading.class === "unsubscribe") return callOff(undefined)
  if (endsConversation(acts) && !isUnsure(situation)) return callOff(undefined)
  const wish = meetingWishOf(acts, standing.local)
  switch (wish._tag) {
    case "CallOff":
    case "Move": {
      if (bookableAt !== undefined) {
        const endsAt = bookableAt + meetingLength
        return [{ _tag: "MoveMeeting", meetingId, startsAt: bookableAt, endsAt, touchAt, isMailed }]
      }
      if (wish._tag === "Move") return [{ _tag: "Notify", kind: "lead_wants_other_time" }]
      return callOff(reading.class === "later" ? comeBackAt(situation) : touchAt)
    }
    case "Unclear":
      return [review("meeting_unclear")]
    default:
      return undefined
  }
}

/** A lead that is answered often may be a machine, and two machines would answer each other without end. */
const unlessOften = ({ isAnsweredOften }: ReplySituation, step: Consequence): Consequence =>
  isAnsweredOften && step._tag === "TouchAt" ? review("answered_often") : step

const stop = ({ reading }: ReplySituation, reason: "not_interested" | "wrong_person"): Consequence => ({
  _tag: "Stop",
  reason,
  refusalReason: reading.refusalReason,
  returnDate: reading.returnDate
})

/** Whether the lead says with certainty that it is not the one to talk to, and wants nothing for itself. */
const isCertainlyWrong = ({ acts, class: replyClass }: ReplyReading): boolean =>
  replyClass === "referral" &&
  acts.some(({ isCertain, kind }) => kind === "wrong_person" && isCertain) &&
  !acts.some(({ kind }) => openingKinds.has(kind))

/** What the platform does next about a lead that it works: one of end, book, come back, answer and wait. */
const nextStep = (situation: ReplySituation, reactions: ReadonlyArray<Reaction>): ReadonlyArray<Consequence> => {
  const { bookableAt, callAt, lead, meeting, now, reading } = situation
  const calls = new Set(reactions)
  const touchAt = responseAt(lead.leadId, now)
  const contact = calls.has("register_contact") ? registerContact(situation) : []
  // "You have the wrong man. Ask for Dee, her number is …"
  if (contact.length > 0 && isCertainlyWrong(reading)) {
    return [...contact, stop(situation, "wrong_person")]
  }
  if (calls.has("end")) {
    if (reading.class === "wrong_person") {
      // "I am not the one who decides. I will ask the doctor" ends nothing.
      const isOpen = reading.acts.some(({ kind }) => openingKinds.has(kind) || kind === "forwards")
      const isCertain = !isOpen && reading.acts.some((act) => act.kind === "wrong_person" && act.isCertain)
      return isCertain ? [...contact, stop(situation, "wrong_person")] : [review("reply_unclear")]
    }
    if (endsConversation(reading.acts)) return [...contact, stop(situation, "not_interested")]
  }
  const asked = calls.has("open_question") ? openQuestions(situation) : []
  if (callAt !== undefined && meeting === undefined) return [...contact, ...asked, { _tag: "TouchAt", at: callAt }]
  if (calls.has("book_or_propose") && bookableAt !== undefined && meeting === undefined) {
    return [
      ...contact,
      ...asked,
      { _tag: "BookMeeting", startsAt: bookableAt, endsAt: bookableAt + meetingLength, touchAt }
    ]
  }
  if (reading.class === "later") return [...contact, ...asked, { _tag: "TouchAt", at: comeBackAt(situation) }]
  if (calls.has("answer") || calls.has("book_or_propose") || calls.has("end")) {
    return [...contact, ...asked, { _tag: "TouchAt", at: touchAt }]
  }
  return [...contact, ...(calls.has("wait") ? wait(situation) : [])]
}

/** True for consequences that need proof that the lead itself wrote. */
const needsProof = (situation: ReplySituation, step: Consequence): boolean => {
  switch (step._tag) {
    case "BookMeeting":
    case "CallOffMeeting":
    case "HoldingLine":
    case "MoveMeeting":
    case "RegisterReferral":
    case "Stop":
    case "WaitUntil":
      return true
    case "SetStatus":
      return step.status === "NotInterested" || step.status === "Unqualified"
    case "TouchAt":
      return situation.reading.class === "later"
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
  // A machine's word on an absence is no reply: no one need look at it.
  if (situation.reading.class === "out_of_office") return allowed
  if (phaseOf(situation) !== "worked") return [...allowed, ...unanswered(situation, allowed)]
  return [...allowed.filter(({ _tag }) => _tag !== "TouchAt" && _tag !== "FlagForReview"), review("sender_unproven")]
}

/** The end of the conversation with a lead that the owner's own words exclude. */
const notQualified = ({ disqualified, lead }: ReplySituation): ReadonlyArray<Consequence> => [
  ...(lead.status === "Unqualified" ? [] : [{ _tag: "SetStatus", status: "Unqualified" } as const]),
  {
    _tag: "Stop",
    reason: "not_qualified",
    refusalReason: null,
    returnDate: null,
    ...(disqualified === undefined ? {} : { judgement: disqualified })
  }
]

/** An opt-out, in any phase. A legal letter is looked at by a person too. */
const unsubscribed = (situation: ReplySituation, reactions: ReadonlyArray<Reaction>): ReadonlyArray<Consequence> => {
  const { lead, reading } = situation
  const needsPerson =
    lead.pipeline === "in_pipeline" &&
    !lead.isUnsubscribed &&
    (reactions.includes("review:legal_request") || situation.criterion !== undefined)
  return [
    ...statusChange(situation),
    ...(meetingStep(situation, reading.acts) ?? []),
    // The review comes first: an unsubscribed lead is in no pipeline that it could be taken out of.
    ...(needsPerson ? [reviewOf(situation, reactions) ?? review("legal_request")] : []),
    { _tag: "Unsubscribe" },
    ...(lead.isUnsubscribed ? [] : [{ _tag: "Notify", kind: "lead_unsubscribed" } as const])
  ]
}

/** The reply of a lead that a person works, or that is finished. */
const stepsOfUnworked = (situation: ReplySituation, reactions: ReadonlyArray<Reaction>): ReadonlyArray<Consequence> => {
  const { lead, reading } = situation
  const ofMeeting = meetingStep(situation, reading.acts) ?? []
  const isOver = ofMeeting.some(({ _tag }) => _tag === "CallOffMeeting") && endsConversation(reading.acts)
  const registers = reactions.includes("register_contact") && phaseOf(situation) === "held"
  return [
    ...ofMeeting.filter(({ _tag }) => _tag !== "FlagForReview"),
    ...(registers ? registerContact(situation) : []),
    ...(reactions.includes("open_question") && !lead.isTakenOver ? openQuestions(situation) : []),
    // A lead that refuses after agreeing to a meeting is finished, unless the owner took it over.
    ...(isOver && !lead.isTakenOver && !lead.isUnsubscribed ? [stop(situation, "not_interested")] : [])
  ]
}

/** A reply that books, moves or calls off a meeting, and may end the conversation with it. */
const aboutMeeting = (
  situation: ReplySituation,
  ofMeeting: ReadonlyArray<Consequence>,
  ends: boolean
): ReadonlyArray<Consequence> => {
  const { lead, now, reading } = situation
  const isReviewed = ofMeeting.some(({ _tag }) => _tag === "FlagForReview")
  const isNotified = ofMeeting.some(({ _tag }) => _tag === "Notify")
  const reason = reading.class === "wrong_person" ? "wrong_person" : "not_interested"
  return [
    ...(isReviewed ? [] : openQuestions(situation)),
    ...ofMeeting,
    ...(isNotified ? [{ _tag: "TouchAt", at: responseAt(lead.leadId, now) } as const] : []),
    ...(ends ? registerContact(situation) : []),
    ...(ends && !lead.isTakenOver ? [stop(situation, reason)] : [])
  ]
}

const consequencesOf = (situation: ReplySituation): ReadonlyArray<Consequence> => {
  const { disqualified, lead, reading } = situation
  const phase = phaseOf(situation)
  const isWorked = phase === "worked"
  // Failed deliveries are counted from the reports of mail servers; here a machine merely speaks of one.
  if (reading.class === "bounce" || reading.class === "auto_reply") return []
  if (reading.class === "out_of_office") return isWorked ? wait(situation) : []
  const reactions = reactionsTo(withoutSourceDemands(reading.acts), phase)
  const anew: Consequence = { _tag: "BeginAnew", language: reading.language }
  if (reading.class === "unsubscribe") return [anew, ...unsubscribed(situation, reactions)]
  const changed = phase === "unsubscribed" ? [] : statusChange(situation)
  const person = isWorked ? reviewOf(situation, reactions) : undefined
  if (!isWorked) {
    const steps = [...changed, ...stepsOfUnworked(situation, reactions)]
    return [anew, ...steps, ...unanswered(situation, steps)]
  }
  if (person !== undefined) return [anew, ...changed, ...openQuestions(situation), person]
  const ends = reading.class === "not_interested" || reading.class === "wrong_person"
  const ofMeeting = meetingStep(situation, reading.acts)
  if (ofMeeting !== undefined) return [anew, ...changed, ...aboutMeeting(situation, ofMeeting, ends)]
  if (disqualified !== undefined && !ends && lead.status !== "Closed") return [anew, ...notQualified(situation)]
  return [anew, ...changed, ...nextStep(situation, reactions).map((step) => unlessOften(situation, step))]
}

/** Reviews after which the lead gets a holding line. After the others it may want no message at all. */
const heldReviews: ReadonlySet<ReviewReason> = new Set([
  "reply_unclear",
  "human_review_criteria",
  "wants_person",
  "wants_call",
  "existing_customer",
  "meeting_unclear",
  "objection_again"
])

/** Acts that call for an answer. */
const awaitingKinds: ReadonlySet<Act["kind"]> = new Set([
  "asks",
  "asks_if_machine",
  "objects",
  "proposes",
  "sets_condition",
  "wants_call",
  "wants_document",
  "wants_human",
  "wants_meeting",
  "wants_to_move"
])

/** The holding line for a lead that awaits an answer, and whose reply goes to a person first. */
const holdingLine = (
  { lead, now, reading }: ReplySituation,
  consequences: ReadonlyArray<Consequence>
): ReadonlyArray<Consequence> => {
  const isHeld = consequences.some((step) => step._tag === "FlagForReview" && heldReviews.has(step.reason))
  const isOver = consequences.some(({ _tag }) => _tag === "Stop" || _tag === "Unsubscribe")
  const awaits = reading.questions.length > 0 || reading.acts.some(({ kind }) => awaitingKinds.has(kind))
  const mayStop = reading.acts.some(({ kind }) => kind === "stops" || kind === "refuses" || kind === "threatens_law")
  return isHeld && awaits && !isOver && !mayStop ? [{ _tag: "HoldingLine", at: responseAt(lead.leadId, now) }] : []
}

/**
 * What a reply brings about, in the order in which it is done. Opt-outs apply in every phase. Of a lead that a person
 * works, or that is finished, the owner hears. Only the reading speaks for the reply here, so nothing that a lead writes
 * can ask for more than these.
 */
export const replyConsequences = (situation: ReplySituation): ReadonlyArray<Consequence> => {
  const steps = consequencesOf(situation)
  const consequences = [...steps, ...holdingLine(situation, steps)]
  return situation.isSenderProven || situation.reading.class === "unsubscribe"
    ? consequences
    : ofUnproven(situation, consequences)
}
