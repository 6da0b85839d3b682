import { say, type Variants, variants } from "../Messages/Messages.ts"
import type { NamedContact } from "../Replies/Contacts/NamedContact.ts"
import { asksForDocument } from "../Replies/DocumentWishes.ts"
import { asksForDetails, deliberates, promisesWord } from "../Replies/LeadWishes.ts"
import { firstObjection } from "../Replies/Objections.ts"
import type { ReplyReading } from "../Replies/ReplyReading.ts"
import { genderOf, greetingName } from "../Text/PersonName.ts"
import { clip } from "../Text/PlainText.ts"
import { dayForLead, timeForLead } from "../Text/SpokenTime.ts"
import { answerParagraphs, repeatable } from "./Answers/AnswerParagraphs.ts"
import { documentParagraphs } from "./Answers/DocumentAnswers.ts"
import { doubtAboutTime, unsuitableTime } from "./Answers/MeetingAnswers.ts"
import { callScript } from "./CallScript.ts"
import { detailsFor, wantsDetails } from "./Details.ts"
import type { Draft } from "./Draft.ts"
import { withoutTopics } from "./Instructions/ForbiddenTopics.ts"
import { readInstructions } from "./Instructions/ReadInstructions.ts"
import {
  ask,
  linkFor,
  linkLine,
  type Material,
  material,
  materialLine,
  oneLine,
  ownersSentences,
  timesToChoose
} from "./Material.ts"
import { meetingDetails, meetingPlace } from "./MeetingDetails.ts"
import { meetingOf } from "./MeetingNotes.ts"
import { inOneLanguage } from "./OneLanguage.ts"
import { openings } from "./Openings.ts"
import { sayableContext } from "./OwnerContext.ts"
import type { MeetingTime, TouchKind, WritingBrief } from "./WritingBrief.ts"

const spokenProposal = (
  { proposedMeeting }: ReplyReading,
  { clock, language }: Pick<WritingBrief, "clock" | "language">
): string | undefined => {
  if (proposedMeeting === null) return undefined
  const { date, time } = proposedMeeting
  return date === null ? undefined : dayForLead(date, time, clock, language)
}

const wroteHereBefore = ({ channel, conversation }: WritingBrief): boolean =>
  conversation.some((message) => message.direction === "outbound" && message.channel === channel)

type FirstContact = Extract<TouchKind, { readonly _tag: "first_contact" }>

/** The reason for writing to this lead, if it is more than a good match. */
const occasionOf = ({ brief }: Material, { capturedOn, referredBy }: FirstContact): string | undefined => {
  const { language } = brief
  if (capturedOn !== undefined)
    return say(language, "outreach.captured_on", { page: clip(capturedOn.replace(/[“”\s]+/g, " ").trim(), 120) })
  const name = referredBy === undefined ? undefined : greetingName(referredBy)
  return name === undefined
    ? meetingOf(brief.lead.background, language)
    : say(language, "outreach.referred_by", { name, gender: genderOf(referredBy ?? "") })
}

const firstContact = (using: Material, kind: FirstContact): ReadonlyArray<string> => {
  const { language, pick, pitch, words } = using
  const occasion = occasionOf(using, kind)
  const introductions = variants(language, "outreach.introductions", words)
  const { opening } = using.brief
  const chosenOpening = opening === undefined ? undefined : introductions[openings.indexOf(opening)]
  const introduction = chosenOpening ?? pick("introduction", introductions)
  return [
    occasion === undefined ? introduction : `${occasion} ${introduction}`,
    ...(pitch === undefined ? [pick("relevance", relevance(using))] : [pitch]),
    ...ownersSentences(using),
    ...ask(using),
    ...(using.brief.channel === "email" ? linkLine(using, linkFor(using.brief, ["presentation", "website"])) : [])
  ]
}

/** Whether the lead itself wrote. An automatic reply does not count. */
const hasReplied = ({ conversation }: WritingBrief): boolean =>
  conversation.some(({ direction, isAutomatic }) => direction === "inbound" && isAutomatic !== true)

/** The topic of each follow-up, in the order in which they are sent. */
const themes = ["reminder", "essentials", "right_person", "in_writing", "better_moment"] as const

const relevance = ({ language, words }: Material): Variants =>
  variants(language, "outreach.relevance", words).slice(0, 2)

const followUp = (using: Material, number: number, isLast: boolean): ReadonlyArray<string> => {
  const { brief, language, pick, pitch, words } = using
  const isTakenUp = hasReplied(brief)
  if (isLast) {
    const last = isTakenUp ? "outreach.last_follow_up_after_reply" : "outreach.last_follow_up"
    return [pick("last", variants(language, last, words)), ...ownersSentences(using)]
  }
  const index = (Math.max(1, number) - 1) % themes.length
  const theme = themes[index] ?? "reminder"
  const round = Math.floor((Math.max(1, number) - 1) / themes.length)
  const group = isTakenUp ? "outreach.follow_ups_after_reply" : "outreach.follow_ups"
  const opening = pick(`follow_up_${index}`, variants(language, `${group}.${theme}`, words), round)
  const extras: ReadonlyArray<string> =
    theme === "essentials"
      ? [pitch ?? pick("relevance", relevance(using), round)]
      : theme === "in_writing"
        ? linkLine(using, linkFor(brief, ["presentation", "file", "website"]))
        : []
  const hasAsked = theme === "right_person" || theme === "better_moment" || opening.endsWith("?")
  return [opening, ...extras, ...ownersSentences(using), ...(hasAsked ? [] : ask(using, number + round))]
}

/** Announces a message to the named person if there is a contact, or else asks for one. */
const thanksForReferral = ({ language }: Material, contact: NamedContact | null): string => {
  const name = greetingName(contact?.name ?? "")
  const isReachable = contact !== null && (contact.email !== null || contact.phone !== null)
  const id = isReachable ? "replies.thanks_for_referral" : "replies.ask_for_contact"
  return say(language, id, { name, gender: genderOf(contact?.name ?? "") })
}

/** The details that the lead asked for, or the announcement that a person was asked for them. */
const detailed = (using: Material): ReadonlyArray<string> => {
  const { brief, language, pick } = using
  const details = detailsFor(brief)
  const material = linkLine(using, linkFor(brief, ["presentation", "file", "website"]))
  if (details === undefined)
    return [pick("details_to_come", variants(language, "replies.details_to_come")), ...material]
  return [
    pick("details", variants(language, "replies.details")),
    ...(details.description === undefined ? [] : [details.description]),
    ...details.facts,
    ...material
  ]
}

type ResponseKind = Extract<TouchKind, { readonly _tag: "response" }>

/** Parts that several answers to a reply share. */
interface ReplyParts {
  readonly answer: ReadonlyArray<string>
  readonly isAllKnown: boolean
  readonly isAboutConversation: boolean
  /** A question about the time that the lead named, if it is unclear. */
  readonly timeDoubt: string | undefined
  /** Why the time that the lead named is not possible. */
  readonly timeProblem: string | undefined
  readonly proposal: string | undefined
}

const replyParts = (using: Material, reading: ReplyReading): ReplyParts => {
  const { brief, language, pick } = using
  const { isAboutConversation, isComplete, paragraphs } = answerParagraphs(brief, pick)
  const documents = documentParagraphs(brief)
  const proposal = spokenProposal(reading, brief)
  return {
    answer: [...paragraphs, ...documents],
    isAllKnown: isComplete && (brief.documents?.missing ?? []).length === 0,
    isAboutConversation: isAboutConversation && documents.length === 0,
    timeDoubt: doubtAboutTime(reading, proposal, language),
    timeProblem:
      reading.timeProblem === "taken" && proposal !== undefined
        ? pick("taken", variants(language, "meetings.time_taken", { when: proposal }))
        : unsuitableTime(reading, language),
    proposal
  }
}

/** A single question about a new time: which of the free ones, or else which one suits the lead. */
const whichTime = (
  using: Material,
  question: "meetings.which_time" | "meetings.which_hour" | "meetings.which_other_time"
): ReadonlyArray<string> => {
  const times = timesToChoose(using)
  return times.length > 0 ? times : [using.pick(question, variants(using.language, question))]
}

/** The reply to a lead that moves or cancels a meeting. */
const meetingChanged = (
  using: Material,
  change: "move" | "cancel",
  { answer, timeDoubt, timeProblem }: ReplyParts
): ReadonlyArray<string> => {
  const { brief, language, pick } = using
  const opening =
    change === "move"
      ? [say(language, "meetings.move_wanted"), ...(timeProblem === undefined ? [] : [timeProblem])]
      : [pick("called_off", variants(language, "meetings.called_off"))]
  return [
    ...opening,
    ...(timeDoubt === undefined ? whichTime(using, "meetings.which_other_time") : [timeDoubt]),
    ...answer,
    ...ownersSentences(using),
    ...linkLine(using, linkFor(brief, ["scheduling"]))
  ]
}

/** The reply to requests beyond the reply's class: time to think, details, or patience. */
const toWish = (
  using: Material,
  kind: ResponseKind,
  { answer, isAllKnown }: ReplyParts
): ReadonlyArray<string> | undefined => {
  const { brief, language, pick } = using
  const isOpen = kind.reading.class === "interested" || kind.reading.class === "other"
  if (isOpen && deliberates(kind.text)) {
    return [
      ...answer,
      pick("deliberation", variants(language, "replies.deliberation")),
      ...materialLine(using),
      ...ownersSentences(using)
    ]
  }
  if (isOpen && brief.documents !== undefined) {
    return [...answer, ...ownersSentences(using), ...(isAllKnown ? ask(using) : [])]
  }
  if (wantsDetails(brief)) {
    const isPromised = detailsFor(brief) === undefined
    return [...answer, ...detailed(using), ...ownersSentences(using), ...(isPromised ? [] : ask(using))]
  }
  if (isOpen && answer.length === 0 && promisesWord(kind.text)) {
    return [pick("awaiting_word", variants(language, "replies.awaiting_word")), ...ownersSentences(using)]
  }
  return undefined
}

const refusalAnswer = ({ language, pick }: Material, reason: ReplyReading["refusalReason"]): string =>
  reason === "price" || reason === "timing" || reason === "has_supplier"
    ? say(language, `replies.soft_refusals.${reason}`)
    : pick("refused", variants(language, "replies.not_interested"))

const refusesToo = ({ acts }: ReplyReading): boolean =>
  acts.some(({ isCertain, kind }) => kind === "refuses" && isCertain)

/** What to say about the time of a meeting. A possible time was already booked, and its notice answers the lead. */
const toTime = (using: Material, { proposal, timeDoubt, timeProblem }: ReplyParts): ReadonlyArray<string> => {
  const { language, pick } = using
  if (timeDoubt !== undefined) return [timeDoubt]
  if (timeProblem !== undefined) return [timeProblem, ...whichTime(using, "meetings.which_other_time")]
  return proposal === undefined
    ? [pick("wanted", variants(language, "meetings.time_wanted")), ...whichTime(using, "meetings.which_time")]
    : [
        pick("wanted", variants(language, "meetings.day_accepted", { day: proposal })),
        ...whichTime(using, "meetings.which_hour")
      ]
}

/** The reply by the class of the lead's message. */
const toClass = (using: Material, reading: ResponseKind["reading"], reply: ReplyParts): ReadonlyArray<string> => {
  const { brief, language, pick, words } = using
  const { answer } = reply
  switch (reading.class) {
    case "question":
    case "objection": {
      const topic = reading.class === "objection" && answer.length === 0 ? firstObjection(reading.acts) : undefined
      const understood = topic === undefined ? [] : [say(language, `answers.objections.${topic}.understood`)]
      // A lead that refuses but asks something gets an answer and no further question.
      if (refusesToo(reading)) return [...answer, refusalAnswer(using, null), ...ownersSentences(using)]
      return [...understood, ...answer, ...ownersSentences(using), ...(reply.isAllKnown ? ask(using) : [])]
    }
    case "later":
      return [
        pick("come_back", variants(language, "outreach.come_back")),
        ...answer,
        ...ownersSentences(using),
        ...ask(using, 1)
      ]
    case "meeting_request":
      return [
        ...answer,
        ...toTime(using, reply),
        ...ownersSentences(using),
        ...linkLine(using, linkFor(brief, ["scheduling"]))
      ]
    case "referral":
      return [thanksForReferral(using, reading.contact), ...answer, ...ownersSentences(using)]
    case "not_interested":
      return [...answer, refusalAnswer(using, reading.refusalReason), ...ownersSentences(using)]
    case "interested":
      return [
        pick("interested", variants(language, "replies.interested")),
        ...answer,
        ...materialLine(using),
        ...ownersSentences(using),
        ...ask(using)
      ]
    case "other":
      return [pick("other", variants(language, "replies.other")), ...answer, ...ownersSentences(using), ...ask(using)]
    case "wrong_person":
    case "gatekeeper":
      return [
        ...answer,
        pick(reading.class, variants(language, `replies.${reading.class}`, words)),
        ...ownersSentences(using)
      ]
  }
}

const response = (using: Material, kind: ResponseKind): ReadonlyArray<string> => {
  const { reading } = kind
  const parts = replyParts(using, reading)
  const { meetingChange } = reading
  if (meetingChange === "move" || meetingChange === "cancel") return meetingChanged(using, meetingChange, parts)
  // A question about the conversation itself is answered without asking for anything else.
  const isOpen = reading.class === "question" || reading.class === "other"
  if (isOpen && parts.isAboutConversation) return [...parts.answer, ...ownersSentences(using)]
  return toWish(using, kind, parts) ?? toClass(using, reading, parts)
}

const relayOpening = ({ language, pick }: Material, askedQuestion: string): string => {
  // A wish for more details is not a question that could be repeated.
  if (asksForDetails(askedQuestion) && !askedQuestion.includes("?")) return say(language, "replies.details_relay")
  if (asksForDocument(askedQuestion, language)) return say(language, "documents.relay")
  const question = repeatable(askedQuestion, language)
  return question === undefined
    ? say(language, "answers.relay_unquoted")
    : pick("relay", variants(language, "answers.relay", { question }))
}

/** Revives a conversation, using what the owner's note says about it. */
const takenUpAgain = (
  { brief, language, pick, words }: Material,
  ownerContext: string | undefined
): ReadonlyArray<string> => {
  const { ownersLanguage = language } = brief
  const { meeting, toSay, topic } = sayableContext(ownerContext, language, ownersLanguage)
  const opening =
    topic === undefined
      ? pick("again", variants(language, "outreach.re_engagement", words))
      : say(language, "outreach.re_engagement_about", { topic })
  return [meeting === undefined ? opening : `${meeting} ${opening}`, ...toSay]
}

type MeetingNotice = Extract<TouchKind, { readonly meeting: MeetingTime }>

const meetingNotice = (using: Material, kind: MeetingNotice): ReadonlyArray<string> => {
  const { brief, language, pick } = using
  const when = timeForLead(kind.meeting.startsAt, brief.clock, language)
  const newTime = (): ReadonlyArray<string> => [
    say(language, "meetings.reschedule_offer"),
    ...timesToChoose(using),
    ...linkLine(using, linkFor(brief, ["scheduling"]))
  ]
  switch (kind._tag) {
    case "meeting_booked":
      return [
        say(language, kind.isMoved === true ? "meetings.moved" : "meetings.booked", { when }),
        ...meetingDetails(kind.meeting, language),
        ...ownersSentences(using)
      ]
    case "meeting_reminder":
      return [
        say(language, "meetings.reminder", { when }),
        ...meetingPlace(kind.meeting, language),
        ...ownersSentences(using)
      ]
    case "meeting_cancelled":
      return [
        pick("cancelled", variants(language, "meetings.cancelled", { when })),
        ...ownersSentences(using),
        ...newTime()
      ]
    case "meeting_no_show":
      return [
        pick("no_show", variants(language, "meetings.no_show", { when })),
        ...ownersSentences(using),
        ...newTime()
      ]
  }
}

const paragraphs = (using: Material): ReadonlyArray<string> => {
  const { kind } = using.brief
  switch (kind._tag) {
    case "first_contact":
      return firstContact(using, kind)
    case "follow_up":
      return followUp(using, kind.number, kind.isLast)
    case "response":
      return response(using, kind)
    case "re_engagement":
      return [...takenUpAgain(using, kind.ownerContext), ...ownersSentences(using), ...ask(using, 1)]
    case "answer_relay":
      return [relayOpening(using, kind.question), kind.answer.trim(), ...ownersSentences(using), ...ask(using)]
    case "holding_line":
      return [say(using.language, `replies.holding_lines.${kind.awaits}`)]
    default:
      return meetingNotice(using, kind)
  }
}

const longestSubject = 120

const subjectOf = ({ brief: { kind }, language, pick, words }: Material): string => {
  if ("meeting" in kind) return oneLine(say(language, `meetings.subjects.${kind._tag}`, words), longestSubject)
  const subjects = kind._tag === "first_contact" ? "outreach.first_subjects" : "outreach.later_subjects"
  return oneLine(pick("subject", variants(language, subjects, words)), longestSubject)
}

/**
 * The paragraphs as a single text. The longest of the middle ones are left out until it fits into `longest` characters.
 */
const within = (parts: ReadonlyArray<string>, longest = Number.POSITIVE_INFINITY): string => {
  const text = parts.join("\n\n")
  if (text.length <= longest || parts.length <= 3) return text
  const middle = parts.slice(1, -1)
  const length = Math.max(...middle.map((part) => part.length))
  const index = 1 + middle.findLastIndex((part) => part.length === length)
  return within([...parts.slice(0, index), ...parts.slice(index + 1)], longest)
}

/**
 * Writes the message by rules, only from the brief's data. The same brief always results in the same text. The lead's
 * id and the number of the touch choose between wordings.
 */
export const compose = (original: WritingBrief): Draft => {
  const brief = withoutTopics(
    inOneLanguage(original),
    readInstructions(original.instructions, original.language).wishes.forbidden
  )
  const using = material(brief)
  const { language, words } = using
  if (brief.channel === "voice") return callScript(using)
  const isKnown = brief.kind._tag === "first_contact" || wroteHereBefore(brief) || brief.threadSubject !== undefined
  const body = [...(isKnown ? [] : [say(language, "outreach.short_introduction", words)]), ...paragraphs(using)]
  if (brief.channel === "chatapp") {
    return { body: within([say(language, "outreach.chat_greeting", words), ...body], brief.longest) }
  }
  return {
    ...(brief.threadSubject === undefined ? { subject: subjectOf(using) } : {}),
    body: [say(language, "outreach.greeting", words), ...body, say(language, "outreach.closing", words)].join("\n\n")
  }
}
