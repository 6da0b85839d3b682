import { asksForCall } from "../Replies/CallWish.ts"
import { asksForDocument } from "../Replies/DocumentWishes.ts"
import { asksForDetails, deliberates, promisesWord } from "../Replies/LeadWishes.ts"
import type { NamedContact } from "../Replies/NamedContact.ts"
import { firstObjection } from "../Replies/Objections.ts"
import type { ReplyReading } from "../Replies/ReplyReading.ts"
import type { Language } from "../Text/Language.ts"
import { linksIn } from "../Text/Links.ts"
import { genderOf, greetingName, spokenCompany } from "../Text/PersonName.ts"
import { clip, hashOf, tidyText } from "../Text/PlainText.ts"
import { dayForLead, timeForLead } from "../Text/SpokenTime.ts"
import { answerParagraphs, repeatable } from "./AnswerParagraphs.ts"
import { detailsFor, wantsDetails } from "./Details.ts"
import { documentParagraphs, documentRelay } from "./DocumentAnswers.ts"
import { withoutTopics } from "./Instructions/ForbiddenTopics.ts"
import { type OwnerWishes, readInstructions } from "./Instructions/ReadInstructions.ts"
import { doubtAboutTime, moveWanted } from "./MeetingAnswers.ts"
import { meetingDetails, meetingPlace } from "./MeetingDetails.ts"
import { meetingOf } from "./MeetingNotes.ts"
import { objectionUnderstood } from "./ObjectionAnswers.ts"
import { inOneLanguage, isIn } from "./OneLanguage.ts"
import { openings } from "./Openings.ts"
import { sayableContext } from "./OwnerContext.ts"
import type { Phrasebook, SentenceParts, Variants } from "./Phrasebook.ts"
import { english } from "./phrases/En.ts"
import { spanish } from "./phrases/Es.ts"
import { ptBr } from "./phrases/PtBr.ts"
import { closings } from "./Signature.ts"
import type { AllowedLink, TouchKind, WritingBrief } from "./WritingBrief.ts"

/** A message before its signature and before it was checked. */
export interface Draft {
  /** Absent where a thread or a channel has none. */
  readonly subject?: string
  readonly body: string
  /** Of calls only. */
  readonly openingLine?: string
}

const phrasebooks: { readonly [L in Language]: Phrasebook } = { "pt-BR": ptBr, en: english, es: spanish }

/** Everything that the sentences of one message are made with. */
interface Material {
  readonly brief: WritingBrief
  readonly book: Phrasebook
  readonly parts: SentenceParts
  readonly wishes: OwnerWishes
  readonly pitch: string | undefined
  /** One of several ways to say something: the lead decides which, the round varies it. */
  readonly pick: (slot: string, variants: Variants, round?: number) => string
}

const longestPitch = 240

const oneLine = (text: string, length: number): string =>
  clip(tidyText(text).replace(/\s+/g, " ").trim(), length).trim()

const shortened = (sentence: string): string => {
  if (sentence.length <= longestPitch) return sentence
  const head = sentence.slice(0, longestPitch)
  const clause = Math.max(head.lastIndexOf(","), head.lastIndexOf(";"), head.lastIndexOf(":"))
  return head.slice(0, clause >= longestPitch / 2 ? clause : head.lastIndexOf(" "))
}

/** The first sentence of a description, cut at a clause where it is too long; undefined where none can be said. */
const pitchOf = ({ business }: WritingBrief, book: Phrasebook): string | undefined => {
  const description = oneLine(business.description ?? "", 2000)
  if (description.length < 10) return undefined
  const first = /^.{10,}?[.!?](?=\s|$)/.exec(description)?.[0] ?? description
  const text = shortened(first).replace(/[\s.,;:!-]+$/, "")
  if (text.length < 10 || /[{}[\]<>]|\*\*|```/.test(text) || linksIn(text).length > 0) return undefined
  const isSentence = book.ownSentence.test(text) || text.toLowerCase().startsWith(business.name.toLowerCase())
  if (isSentence) return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
  const begins = /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
  return `${book.descriptionLabel} ${begins}.`
}

const material = (brief: WritingBrief): Material => {
  const book = phrasebooks[brief.language]
  const { wishes } = readInstructions(brief.instructions, brief.language)
  const first = greetingName(brief.lead.name, brief.lead.company)
  const gender = genderOf(brief.lead.name)
  const company = spokenCompany(brief.lead.company)
  const sender = oneLine(brief.sender.name ?? "", 80)
  const business = oneLine(brief.business.name, 80)
  return {
    brief,
    book,
    wishes,
    parts: {
      business,
      isFormal: wishes.isFormal,
      ...(first === undefined ? {} : { first }),
      ...(gender === undefined ? {} : { gender }),
      ...(company === undefined ? {} : { company }),
      ...(sender === "" || sender === business ? {} : { sender })
    },
    pitch: pitchOf(brief, book),
    pick: (slot, variants, round = 0) =>
      variants[(hashOf(`${brief.lead.leadId}:${slot}`) + round) % Math.max(1, variants.length)] ?? ""
  }
}

const spokenProposal = (
  { proposedMeeting }: ReplyReading,
  { clock, language }: Pick<WritingBrief, "clock" | "language">
): string | undefined => {
  if (proposedMeeting === null) return undefined
  const { date, time } = proposedMeeting
  return date === null ? undefined : dayForLead(date, time, clock, language)
}

const linkFor = (brief: WritingBrief, purposes: ReadonlyArray<AllowedLink["purpose"]>): AllowedLink | undefined => {
  for (const purpose of purposes) {
    const link = brief.links.find((candidate) => candidate.purpose === purpose)
    if (link !== undefined) return link
  }
  return undefined
}

/** Something to read, unless the lead gets what it asked for. */
const materialLine = (using: Material): ReadonlyArray<string> =>
  using.brief.documents === undefined ? linkLine(using, linkFor(using.brief, ["presentation", "file", "website"])) : []

const linkLine = ({ book }: Material, link: AllowedLink | undefined): ReadonlyArray<string> =>
  link === undefined ? [] : [book.links[link.purpose](link.url)]

/** The question that ends the message, with the page where its answer can be given at once. */
const ask = (using: Material, round = 0): ReadonlyArray<string> => {
  const { book, brief, pick, wishes } = using
  // The owner's own question is asked instead: two in one message get one answer.
  if (said(using).some((text) => text.endsWith("?"))) return []
  const question = pick("ask", book.asks[wishes.ask](wishes.minutes), round)
  const isTalk = wishes.ask === "talk" || wishes.ask === "meeting" || wishes.ask === "demo"
  return [question, ...(isTalk ? linkLine(using, linkFor(brief, ["scheduling"])) : [])]
}

/** Times to choose from, each as the lead reads it; nothing where none are known. */
const timesToChoose = ({ book, brief, pick }: Material): ReadonlyArray<string> => {
  const { clock, freeTimes = [], language } = brief
  if (freeTimes.length === 0) return []
  const spoken = freeTimes.map((time) => timeForLead(time, clock, language))
  const list = new Intl.ListFormat(language, { type: "disjunction" }).format(spoken)
  return [pick("free_times", book.freeTimes(list))]
}

const saysAll = ({ kind }: WritingBrief): boolean =>
  kind._tag === "first_contact" || (kind._tag === "follow_up" && kind.number === 2 && !kind.isLast)

const said = ({ book, brief, wishes }: Material): ReadonlyArray<string> => [
  ...wishes.toSay,
  ...(saysAll(brief) ? wishes.toSayOnce : []),
  ...wishes.links.filter((url) => !brief.links.some((link) => link.url === url)).map((url) => book.links.file(url)),
  ...(brief.instructions.verbatim === undefined ? [] : [brief.instructions.verbatim.trim()])
]

const wroteHereBefore = ({ channel, conversation }: WritingBrief): boolean =>
  conversation.some((message) => message.direction === "outbound" && message.channel === channel)

type FirstContact = Extract<TouchKind, { readonly _tag: "first_contact" }>

/** Why just this lead is written to, where there is more to say than that it fits. */
const occasionOf = ({ book, brief }: Material, { capturedOn, referredBy }: FirstContact): string | undefined => {
  if (capturedOn !== undefined) return book.capturedOn(clip(capturedOn.replace(/[“”\s]+/g, " ").trim(), 120))
  const referrer = referredBy === undefined ? undefined : greetingName(referredBy)
  return referrer === undefined ? meetingOf(brief.lead.background, brief.language) : book.referredBy(referrer)
}

const firstContact = (using: Material, kind: FirstContact): ReadonlyArray<string> => {
  const { book, parts, pick, pitch } = using
  const occasion = occasionOf(using, kind)
  const introductions = book.introductions(parts)
  const { opening } = using.brief
  const chosen = opening === undefined ? undefined : introductions[openings.indexOf(opening)]
  const introduction = chosen ?? pick("introduction", introductions)
  return [
    occasion === undefined ? introduction : `${occasion} ${introduction}`,
    ...(pitch === undefined ? [pick("relevance", book.relevance(parts).slice(0, 2))] : [pitch]),
    ...said(using),
    ...ask(using),
    ...(using.brief.channel === "email" ? linkLine(using, linkFor(using.brief, ["presentation", "website"])) : [])
  ]
}

/** Whether the lead itself wrote: what a program sent in its absence is no answer. */
const hasReplied = ({ conversation }: WritingBrief): boolean =>
  conversation.some(({ direction, isAutomatic }) => direction === "inbound" && isAutomatic !== true)

const followUp = (using: Material, number: number, isLast: boolean): ReadonlyArray<string> => {
  const { book, brief, parts, pick, pitch } = using
  const isTakenUp = hasReplied(brief)
  if (isLast) {
    return [pick("last", (isTakenUp ? book.lastFollowUpAfterReply : book.lastFollowUp)(parts)), ...said(using)]
  }
  const followUps = isTakenUp ? book.followUpsAfterReply : book.followUps
  const theme = (Math.max(1, number) - 1) % followUps.length
  const round = Math.floor((Math.max(1, number) - 1) / followUps.length)
  const opening = pick(`follow_up_${theme}`, followUps[theme]?.(parts) ?? [], round)
  // The second brings the essentials, the third only asks for the right person, the fourth brings something to read.
  const extras: ReadonlyArray<string> =
    theme === 1
      ? pitch === undefined
        ? [pick("relevance", book.relevance(parts).slice(0, 2), round)]
        : [pitch]
      : theme === 3
        ? linkLine(using, linkFor(brief, ["presentation", "file", "website"]))
        : []
  return [opening, ...extras, ...said(using), ...(theme === 2 || theme === 4 ? [] : ask(using, number + round))]
}

/** Who can be written to is promised to be; of anybody else the address is asked for. */
const thanksForReferral = ({ book }: Material, contact: NamedContact | null): string => {
  const name = greetingName(contact?.name ?? "")
  const isReachable = contact !== null && (contact.email !== null || contact.phone !== null)
  return isReachable ? book.thanksForReferral(name) : book.askForContact(name)
}

/** What the lead asked to read, or that somebody is asked for it. */
const detailed = (using: Material): ReadonlyArray<string> => {
  const { book, brief, pick } = using
  const details = detailsFor(brief)
  const material = linkLine(using, linkFor(brief, ["presentation", "file", "website"]))
  if (details === undefined) return [pick("details_to_come", book.detailsToCome), ...material]
  return [
    pick("details", book.details),
    ...(details.description === undefined ? [] : [details.description]),
    ...details.facts,
    ...material
  ]
}

type ResponseKind = Extract<TouchKind, { readonly _tag: "response" }>

/** What several answers to a reply have in common. */
interface ReplyParts {
  readonly answer: ReadonlyArray<string>
  readonly isAllKnown: boolean
  readonly isAboutConversation: boolean
  /** What is said first about the time that the lead named, if it cannot be had or is in doubt. */
  readonly timeTrouble: string | undefined
  readonly proposal: string | undefined
}

const replyParts = (using: Material, reading: ReplyReading): ReplyParts => {
  const { book, brief, pick } = using
  const { isAboutConversation, isComplete, paragraphs } = answerParagraphs(brief, book, pick)
  const documents = documentParagraphs(brief)
  const proposal = spokenProposal(reading, brief)
  return {
    answer: [...paragraphs, ...documents],
    isAllKnown: isComplete && (brief.documents?.missing ?? []).length === 0,
    isAboutConversation: isAboutConversation && documents.length === 0,
    timeTrouble:
      reading.timeProblem === "taken" && proposal !== undefined
        ? pick("taken", book.timeTaken(proposal))
        : doubtAboutTime(reading, proposal, brief.language),
    proposal
  }
}

/** The reply to a lead that moves or cancels a meeting. */
const meetingChanged = (
  using: Material,
  change: "move" | "cancel",
  { answer, timeTrouble }: ReplyParts
): ReadonlyArray<string> => {
  const { book, brief, pick } = using
  const opening =
    change === "move"
      ? [moveWanted(brief.language), ...(timeTrouble === undefined ? [] : [timeTrouble])]
      : [pick("called_off", book.meetingCalledOff)]
  return [
    ...opening,
    ...timesToChoose(using),
    ...answer,
    ...said(using),
    ...linkLine(using, linkFor(brief, ["scheduling"]))
  ]
}

/** The reply to what the lead asks for besides its class: time to think, details, or patience. */
const toWish = (
  using: Material,
  kind: ResponseKind,
  { answer, isAllKnown }: ReplyParts
): ReadonlyArray<string> | undefined => {
  const { book, brief, parts, pick } = using
  const isOpen = kind.reading.class === "interested" || kind.reading.class === "other"
  if (isOpen && deliberates(kind.text)) {
    return [...answer, pick("deliberation", book.deliberation(parts)), ...materialLine(using), ...said(using)]
  }
  if (isOpen && brief.documents !== undefined) {
    return [...answer, ...said(using), ...(isAllKnown ? ask(using) : [])]
  }
  if (wantsDetails(brief)) {
    const isPromised = detailsFor(brief) === undefined
    return [...answer, ...detailed(using), ...said(using), ...(isPromised ? [] : ask(using))]
  }
  if (isOpen && answer.length === 0 && promisesWord(kind.text)) {
    return [pick("awaiting_word", book.awaitingWord), ...said(using)]
  }
  return undefined
}

const refusalAnswer = ({ book, parts, pick }: Material, reason: ReplyReading["refusalReason"]): string => {
  const isSoft = reason === "price" || reason === "timing" || reason === "has_supplier"
  const soft = isSoft ? book.softRefusals[reason] : undefined
  return soft === undefined ? pick("refused", book.responses.not_interested(parts)) : soft(parts)
}

const refusesToo = ({ acts }: ReplyReading): boolean =>
  acts.some(({ isCertain, kind }) => kind === "refuses" && isCertain)

/** The reply to the class of what the lead wrote. */
const toClass = (using: Material, reading: ResponseKind["reading"], reply: ReplyParts): ReadonlyArray<string> => {
  const { book, brief, parts, pick } = using
  const { answer } = reply
  switch (reading.class) {
    case "question":
    case "objection": {
      const topic = reading.class === "objection" && answer.length === 0 ? firstObjection(reading.acts) : undefined
      const understood = topic === undefined ? [] : [objectionUnderstood(topic, brief.language)]
      // Who refuses and asks something is answered, and asked for nothing.
      if (refusesToo(reading)) return [...answer, pick("refused", book.responses.not_interested(parts)), ...said(using)]
      return [...understood, ...answer, ...said(using), ...(reply.isAllKnown ? ask(using) : [])]
    }
    case "later":
      return [pick("come_back", book.comeBack), ...answer, ...said(using), ...ask(using, 1)]
    case "meeting_request":
      return [
        ...answer,
        // A time that could be booked was booked, and the notice of the meeting answers the lead.
        reply.timeTrouble ?? pick("wanted", book.timeWanted(reply.proposal)),
        ...timesToChoose(using),
        ...said(using),
        ...linkLine(using, linkFor(brief, ["scheduling"]))
      ]
    case "referral":
      return [thanksForReferral(using, reading.contact), ...answer, ...said(using)]
    case "not_interested":
      return [...answer, refusalAnswer(using, reading.refusalReason), ...said(using)]
    case "interested":
      return [
        pick("interested", book.responses.interested(parts)),
        ...answer,
        ...materialLine(using),
        ...said(using),
        ...ask(using)
      ]
    case "other":
      return [pick("other", book.responses.other(parts)), ...answer, ...said(using), ...ask(using)]
    case "wrong_person":
    case "gatekeeper":
      return [...answer, pick(reading.class, book.responses[reading.class](parts)), ...said(using)]
  }
}

const response = (using: Material, kind: ResponseKind): ReadonlyArray<string> => {
  const { reading } = kind
  const parts = replyParts(using, reading)
  const { meetingChange } = reading
  if (meetingChange === "move" || meetingChange === "cancel") return meetingChanged(using, meetingChange, parts)
  // A question about the conversation itself is answered, and nothing else is asked for.
  const isOpen = reading.class === "question" || reading.class === "other"
  if (isOpen && parts.isAboutConversation) return [...parts.answer, ...said(using)]
  return toWish(using, kind, parts) ?? toClass(using, reading, parts)
}

const relayOpening = ({ book, brief, pick }: Material, asked: string): string => {
  // Who wished to read more asked no question that could be repeated.
  if (asksForDetails(asked) && !asked.includes("?")) return book.detailsRelay
  if (asksForDocument(asked, brief.language)) return documentRelay(brief.language)
  const question = repeatable(asked, brief.language)
  return question === undefined ? book.answerRelayUnquoted : pick("relay", book.answerRelay(question))
}

/** How a conversation is taken up again, with what the owner's note says of it. */
const takenUpAgain = (
  { book, brief, parts, pick }: Material,
  ownerContext: string | undefined
): ReadonlyArray<string> => {
  const { ownersLanguage = brief.language } = brief
  const { meeting, toSay, topic } = sayableContext(ownerContext, brief.language, ownersLanguage)
  const opening = topic === undefined ? pick("again", book.reEngagement(parts)) : book.reEngagementAbout(topic)
  return [meeting === undefined ? opening : `${meeting} ${opening}`, ...toSay]
}

const paragraphs = (using: Material): ReadonlyArray<string> => {
  const { book, brief, pick } = using
  const { kind } = brief
  switch (kind._tag) {
    case "first_contact":
      return firstContact(using, kind)
    case "follow_up":
      return followUp(using, kind.number, kind.isLast)
    case "response":
      return response(using, kind)
    case "re_engagement":
      return [...takenUpAgain(using, kind.ownerContext), ...said(using), ...ask(using, 1)]
    case "answer_relay":
      return [relayOpening(using, kind.question), kind.answer.trim(), ...said(using), ...ask(using)]
    case "holding_line":
      return [book.holdingLines[kind.awaits]]
    case "meeting_booked":
    case "meeting_reminder":
    case "meeting_cancelled":
    case "meeting_no_show": {
      const when = timeForLead(kind.meeting.startsAt, brief.clock, brief.language)
      const newTime = [
        book.rescheduleOffer,
        ...timesToChoose(using),
        ...linkLine(using, linkFor(brief, ["scheduling"]))
      ]
      if (kind._tag === "meeting_booked")
        return [
          (kind.isMoved === true ? book.meetingMoved : book.meetingBooked)(when),
          ...meetingDetails(kind.meeting, brief.language),
          ...said(using)
        ]
      if (kind._tag === "meeting_reminder")
        return [book.meetingReminder(when), ...meetingPlace(kind.meeting, brief.language), ...said(using)]
      if (kind._tag === "meeting_cancelled")
        return [pick("cancelled", book.meetingCancelled(when)), ...said(using), ...newTime]
      return [pick("no_show", book.meetingNoShow(when)), ...said(using), ...newTime]
    }
  }
}

const longestSubject = 120

const subjectOf = ({ book, brief, parts, pick }: Material): string => {
  const { kind } = brief
  const variants =
    kind._tag === "first_contact"
      ? book.firstSubjects(parts)
      : kind._tag === "meeting_booked" ||
          kind._tag === "meeting_reminder" ||
          kind._tag === "meeting_cancelled" ||
          kind._tag === "meeting_no_show"
        ? [book.meetingSubjects[kind._tag](parts)]
        : book.laterSubjects(parts)
  return oneLine(pick("subject", variants), longestSubject)
}

const call = ({ book, brief, parts, pitch, wishes }: Material): Draft => {
  const aim = book.voice.aims[wishes.ask]
  const { ownersLanguage = brief.language } = brief
  const own = [brief.instructions.goal, brief.instructions.nextTouch, brief.instructions.channel]
    .map((text) => oneLine(text ?? "", 600))
    .filter((text) => text !== "" && !/[{}[\]<>]/.test(text) && isIn(text, brief.language, ownersLanguage))
  const link = linkFor(brief, ["scheduling", "website"])
  return {
    openingLine: oneLine(book.voice.openingLine(parts), 300),
    body: [
      book.voice.goal(parts, aim),
      ...(brief.kind._tag === "response" && asksForCall(brief.kind.reading) ? [book.voice.askedForCall] : []),
      ...(pitch === undefined ? [] : [pitch]),
      ...own.map(book.voice.context),
      ...(brief.instructions.verbatim === undefined ? [] : [brief.instructions.verbatim.trim()]),
      ...(link === undefined ? [] : [book.voice.link(link.url)]),
      book.voice.respect
    ].join("\n")
  }
}

/** The paragraphs as one text; the longest of those in the middle are left out until it has `longest` characters. */
const within = (parts: ReadonlyArray<string>, longest = Number.POSITIVE_INFINITY): string => {
  const text = parts.join("\n\n")
  if (text.length <= longest || parts.length <= 3) return text
  const middle = parts.slice(1, -1)
  const length = Math.max(...middle.map((part) => part.length))
  const index = 1 + middle.findLastIndex((part) => part.length === length)
  return within([...parts.slice(0, index), ...parts.slice(index + 1)], longest)
}

/**
 * Writes the message by rule, out of the brief's own data and nothing else. The same brief always gives the same text;
 * the lead's id and the number of the touch decide how things are put.
 */
export const compose = (original: WritingBrief): Draft => {
  const brief = withoutTopics(
    inOneLanguage(original),
    readInstructions(original.instructions, original.language).wishes.forbidden
  )
  const using = material(brief)
  const { book, parts } = using
  if (brief.channel === "voice") return call(using)
  const isKnown = brief.kind._tag === "first_contact" || wroteHereBefore(brief) || brief.threadSubject !== undefined
  const body = [...(isKnown ? [] : [book.shortIntroduction(parts)]), ...paragraphs(using)]
  if (brief.channel === "chatapp") return { body: within([book.chatGreeting(parts), ...body], brief.longest) }
  const closing = closings[brief.language][parts.isFormal ? "formal" : "plain"]
  return {
    ...(brief.threadSubject === undefined ? { subject: subjectOf(using) } : {}),
    body: [book.greeting(parts), ...body, closing].join("\n\n")
  }
}
