import { DateTime, Option } from "effect"
import { type Timestamp, toMillis } from "../Core/Timestamp.ts"
import type { CountryCode } from "../Text/ContactDetails.ts"
import { detectLanguage, type Language } from "../Text/Language.ts"
import { momentsIn, type NamedMoment } from "../Text/LocalDates.ts"
import { clip, fold, sentencesOf } from "../Text/PlainText.ts"
import { deliberates, withoutDeliberation } from "./LeadWishes.ts"
import { namedContactIn } from "./NamedContacts.ts"
import { type CutText, cutQuotedText } from "./QuotedText.ts"
import { ordersItsReader } from "./ReaderOrders.ts"
import * as Patterns from "./ReplyPatterns.ts"
import type { MeetingChange, ProposedMeeting, RefusalReason, ReplyClass, ReplyReading } from "./ReplyReading.ts"
import { isPlainUnsubscribeWish, isUnsubscribeWish } from "./UnsubscribeWish.ts"

/** A message from a lead, as it arrived. */
export interface InboundReply {
  /** Plain text, repeated mail and signature included. */
  readonly text: string
  /** Of e-mail only. */
  readonly subject?: string
  readonly fromAddress?: string
  /** Whether its headers say that a program sent it (`Auto-Submitted`, `X-Autoreply`, an empty return path). */
  readonly isAutoSubmitted?: boolean
  readonly receivedAt: Timestamp
  /** IANA name of the lead's time zone; any other text counts as UTC. */
  readonly timeZone: string
  /** Where numbers without a country code belong to. */
  readonly country: CountryCode
  /** What it is taken to be written in where it says too little to tell. */
  readonly leadLanguage: Language
  /** Addresses (normalised) and phones (E.164) of the lead and the account, which name nobody else. */
  readonly ownContacts: ReadonlyArray<string>
  /** What it most likely answers. */
  readonly lastSubject?: string
  /** The beginning of a meeting that stands with the lead, as the lead's clock shows it. */
  readonly standingMeeting?: { readonly date: string; readonly time: string }
}

/** A reply, cut and folded once for all rules. */
export interface PreparedReply {
  readonly cut: CutText
  /** What its writer wrote, at most `longestReply` characters. */
  readonly own: string
  readonly folded: string
  readonly language: Language | undefined
  /** `YYYY-MM-DD` where the lead is. */
  readonly today: string
  readonly moments: ReadonlyArray<NamedMoment>
}

const longestReply = 8000
/** What the rules read of it: whoever answers says what counts in his first lines. */
const longestRead = 4000
const longestQuestion = 500
const unclear = 0.3

const replyPrefix = /^(?:\s{0,5}(?:re|res|rv|fw|fwd|enc|tr|aw|r)\s?(?:\[\d{1,3}\])?\s?:)+/i

const bareSubject = (subject: string): string =>
  clip(fold(clip(subject, 300)), 300)
    .replace(replyPrefix, "")
    .trim()

/** The day that it is at `instant` in a time zone. */
export const localDate = (instant: Timestamp, timeZone: string): string => {
  const zoned = DateTime.makeZoned(toMillis(instant), { timeZone })
  return Option.match(zoned, { onNone: () => instant.slice(0, 10), onSome: DateTime.formatIsoDate })
}

export const prepareReply = (reply: InboundReply): PreparedReply => {
  const cut = cutQuotedText(reply.text)
  const own = clip(cut.reply, longestReply)
  const folded = fold(own)
    .replace(/[ \t]+/g, " ")
    .trim()
  const language = detectLanguage(own)
  const today = localDate(reply.receivedAt, reply.timeZone)
  return { cut, own, folded, language, today, moments: momentsIn(folded, today, language ?? reply.leadLanguage) }
}

/** Whether the reply asks to be left alone, in its text, below its name or as its whole subject. */
export const asksToUnsubscribe = (reply: InboundReply, prepared: PreparedReply): boolean => {
  if (isUnsubscribeWish(prepared.own) || isPlainUnsubscribeWish(prepared.cut.signature)) return true
  const subject = bareSubject(reply.subject ?? "")
  const isOurs = reply.lastSubject !== undefined && subject === bareSubject(reply.lastSubject)
  return subject !== "" && !isOurs && subject.length <= 60 && isUnsubscribeWish(subject)
}

const daemon = /^(?:mailer-daemon|postmaster|mail-daemon|mdaemon|bounce|bounces)(?:[@+=-])/i

export const isBounce = (reply: InboundReply, prepared: PreparedReply): boolean =>
  daemon.test(reply.fromAddress ?? "") ||
  (Patterns.bounceText.test(prepared.folded) && prepared.folded.length < 4000) ||
  (reply.isAutoSubmitted === true && Patterns.bounceText.test(bareSubject(reply.subject ?? "")))

const courtesy =
  "(?:(?:e )?(?:tudo|td) (?:bem|bom|certo|joia|tranquilo|ok|otimo|blz)|beleza|como vai|como vao|como (?:voce |vc |tu |usted |ustedes )?(?:esta|estas|estao|estan|anda|andam|le va|te va|les va)|how (?:are|r) (?:you|u)(?: doing| today| all)?|how have you been|how's it going|how is it going|how do you do|what's up|you (?:ok|well)|que tal(?: todo| estas| esta)?|todo (?:bien|en orden))"
const greeting =
  "(?:oi+|ola|opa|e ai|alo|bom dia|boa tarde|boa noite|prezad[oa]s?|car[oa]s?|hi|hello|hey|dear|good (?:morning|afternoon|evening)|hola|buen(?:os|as) (?:dias|tardes|noches)|buen dia|estimad[oa]s?)"
/** A greeting, a name or two, and a courtesy: no question, whatever its mark. */
const pleasantry = new RegExp(
  `^(?:${greeting}[ ,!.]{0,3})?(?:(?:(?:sr|sra|dr|dra|mr|mrs|ms|don|dona)\\.? )?[\\p{L}'’-]{2,20}[ ,!.]{1,3}){0,3}${courtesy}(?: (?:com|con|por|contigo|ai|alla|aqui|with|there|today|hoje|hoy|voce|voces|vc|vcs|usted|ustedes|you|all)){0,3}[\\s?!.,]*$`,
  "u"
)

/** Whoever picks up a telephone: "Alô?", "Hello?", "¿Bueno?". */
const pickUp = new RegExp(
  `^(?:${greeting}|pronto|sim|yes|diga|digame|bueno|mande|pois nao|quem (?:e|fala|esta falando)|who is (?:this|calling)|who's (?:this|calling)|quien (?:es|habla))(?:[ ,!.]{1,3}[\\p{L}'’-]{2,20})?[\\s?!.,]*$`,
  "u"
)

/** What a reply asks; null where it asks nothing. A sentence that `isOther` says is something else does not count. */
export const questionIn = (own: string, isOther: (folded: string) => boolean = () => false): string | null => {
  for (const { isQuestion, text } of sentencesOf(clip(own, longestRead))) {
    const folded = clip(fold(text).replace(/[¿¡]/g, ""), longestRead)
    if (pleasantry.test(folded) || pickUp.test(folded) || isOther(folded)) continue
    if (isQuestion || Patterns.questionStart.test(`${folded} `)) return clip(text, longestQuestion)
  }
  return null
}

/** A proposed time and a request for material are put as questions too, but are not for the owner to answer. */
const questionBeside = (
  found: ReplyClass,
  meetingChange: MeetingChange | null,
  { language, own, today }: PreparedReply
): string | null =>
  questionIn(own, (folded) => {
    if (meetingChange !== null && (Patterns.meetingMoved.test(folded) || Patterns.meetingCancelled.test(folded))) {
      return true
    }
    // "Quem decide isso aqui é Roberto" names somebody, though it begins as a question does.
    if (namesOthers.has(found) && !folded.includes("?")) return true
    if (found === "meeting_request" || meetingChange !== null) {
      return Patterns.meetingWish.test(folded) || momentsIn(folded, today, language ?? "pt-BR").length > 0
    }
    return found === "interested" && Patterns.interest.test(folded)
  })

const returnCue =
  /(?:ate|until|till|through|hasta|volto|voltarei|retorno|retornarei|de volta|back|return(?:ing)?|regreso|regresare|vuelvo|volvere|a partir d[eo]|apos)(?: \w+){0,4} ?$/

/** The day of return: the one behind a word of returning, else the last one named. */
const returnDateIn = ({ folded, moments }: PreparedReply): string | null => {
  const dated = moments.filter((moment) => moment.date !== undefined)
  const cued = dated.filter(({ index }) => returnCue.test(folded.slice(Math.max(0, index - 50), index)))
  return (cued.at(-1) ?? dated.at(-1))?.date ?? null
}

/** The time for a talk that is named most fully; the one that stands already is no proposal. */
const proposedMeetingIn = (
  { standingMeeting }: InboundReply,
  { language, moments: named, own, today }: PreparedReply
): ProposedMeeting | null => {
  // "I cannot on Thursday. Friday at ten?" names two days and one time, each sentence its own.
  const moments =
    standingMeeting === undefined
      ? named
      : sentencesOf(clip(own, longestRead))
          .flatMap(({ text }) => momentsIn(fold(text), today, language ?? "pt-BR"))
          .filter(
            ({ date = standingMeeting.date, time = standingMeeting.time }) =>
              date !== standingMeeting.date || time !== standingMeeting.time
          )
  const exact = moments.filter(({ isExact }) => isExact)
  const best =
    exact.find(({ date, time }) => date !== undefined && time !== undefined) ??
    exact.find(({ date }) => date !== undefined) ??
    exact[0] ??
    moments[0]
  return best === undefined
    ? null
    : { date: best.isExact ? (best.date ?? null) : null, time: best.time ?? null, text: best.text }
}

/** Whether a change is asked for, or said not to be needed. */
const saysOfMeeting = (folded: string, pattern: RegExp): "said" | "denied" | undefined => {
  const match = pattern.exec(clip(folded, longestRead))
  if (match === null) return undefined
  return Patterns.meetingUnchanged.test(folded.slice(Math.max(0, match.index - 40), match.index)) ? "denied" : "said"
}

/** Words such as "cancel" and "another day" are about a meeting where one stands. */
const meetingChangeIn = (
  { standingMeeting }: InboundReply,
  { folded }: PreparedReply,
  found: ReplyClass,
  proposed: ProposedMeeting | null
): MeetingChange | null => {
  if (standingMeeting === undefined) return null
  const isNamed = proposed !== null && proposed.date !== null && proposed.time !== null
  if (saysOfMeeting(folded, Patterns.meetingMoved) === "said") return "move"
  if (saysOfMeeting(folded, Patterns.meetingCancelled) === "said") return isNamed ? "move" : "cancel"
  return found === "meeting_request" && isNamed ? "move" : null
}

interface Verdict {
  readonly class: ReplyClass
  readonly confidence: number
  readonly reason?: RefusalReason
}

const verdict = (replyClass: ReplyClass, confidence: number): Verdict => ({ class: replyClass, confidence })

/** The class of a reply that changes a meeting: what it says of it is what counts, unless it refuses for good. */
const aboutMeeting = (found: Verdict, change: MeetingChange | null): Verdict => {
  const isSoft = found.class !== "not_interested" || found.reason === "timing"
  const isFree = found.class === "other" || found.class === "question" || found.class === "meeting_request"
  if (change === null || !(isFree || (isSoft && found.class === "not_interested"))) return found
  if (change === "move") return verdict("meeting_request", 0.85)
  return isFree ? verdict("other", 0.85) : found
}

const refusalOf = (folded: string): RefusalReason | undefined => {
  if (Patterns.bareRefusal.test(folded)) return "other"
  return Patterns.refusals.find(({ pattern }) => pattern.test(folded))?.reason
}

// What follows such a word outweighs what came before it. The Portuguese "mas" is the Spanish "more".
const turns: { readonly [L in Language]: RegExp } = {
  "pt-BR": /[,.;]? (?:mas|porem|so que|entretanto|no entanto)[, ] ?/,
  en: /[,.;]? (?:but|however|though)[, ] ?/,
  es: /[,.;]? (?:pero|sin embargo|aunque)[, ] ?/
}

const wishOf = (folded: string, prepared: PreparedReply, hasQuestion: boolean): Verdict | undefined => {
  const refusal = refusalOf(folded)
  const hasTime = prepared.moments.some(({ time }) => time !== undefined)
  const hasDay = prepared.moments.some(({ date, isExact }) => date !== undefined && isExact)
  const wantsTalk = Patterns.meetingWish.test(folded)
  const isSoft = refusal === undefined || refusal === "timing"
  if (wantsTalk && (refusal === undefined || (isSoft && (hasTime || hasDay)))) return verdict("meeting_request", 0.85)
  if (isSoft && (hasTime || hasDay) && (Patterns.meetingAssent.test(folded) || folded.split(" ").length <= 8)) {
    return verdict("meeting_request", hasTime ? 0.8 : 0.65)
  }
  if (refusal !== undefined) {
    return { class: "not_interested", confidence: refusal === "other" ? 0.85 : 0.8, reason: refusal }
  }
  if (Patterns.interest.test(folded) || Patterns.assent.test(folded))
    return verdict("interested", hasQuestion ? 0.75 : 0.85)
  return undefined
}

const ownAddress =
  /\b(?:meu|my|mi|este|this|esse|outro|other|otro) (?:\w+ )?(?:e-?mail|correo|endereco|address|numero|number|whats\w*|zap|celular|telefone|phone)/

const classify = (reply: InboundReply, prepared: PreparedReply): Verdict => {
  const { folded, own } = prepared
  const isAuto = reply.isAutoSubmitted === true
  const subject = bareSubject(reply.subject ?? "")
  if (folded === "") return verdict(isAuto ? "auto_reply" : "other", isAuto ? 0.9 : 0.1)
  const saysAuto = Patterns.autoText.test(folded)
  const wantsTalk = Patterns.meetingWish.test(folded)
  if (
    (Patterns.outOfOffice.test(folded) && (isAuto || saysAuto || !wantsTalk)) ||
    (isAuto && Patterns.outOfOffice.test(subject))
  ) {
    return verdict("out_of_office", 0.9)
  }
  if (saysAuto || isAuto) return verdict("auto_reply", isAuto ? 0.95 : 0.85)

  const contact = namedContactIn(clip(own, longestRead), reply.country, reply.ownContacts)
  const isWrong = Patterns.wrongPerson.test(folded)
  const hasAddress = contact !== null && (contact.email !== null || contact.phone !== null)
  const isSent = contact?.email !== null && contact?.name !== null && hasAddress && !ownAddress.test(folded)
  const isBareAddress = contact?.email !== null && hasAddress && folded.split(" ").length <= 6
  if (contact !== null && (Patterns.handsOver.test(folded) || (isWrong && hasAddress) || isBareAddress || isSent)) {
    return verdict("referral", hasAddress ? 0.9 : 0.8)
  }
  if (Patterns.gatekeeper.test(folded)) return verdict("gatekeeper", 0.75)
  if (isWrong) return verdict("wrong_person", 0.85)

  // "I will discuss it with the board on Thursday" wishes no talk with us, whatever it says of talks and days.
  if (deliberates(own) && refusalOf(folded) === undefined) {
    const rest = withoutDeliberation(own)
    const said =
      rest.trim() === "" ? undefined : classify({ ...reply, text: rest }, prepareReply({ ...reply, text: rest }))
    return said === undefined || said.confidence <= unclear ? verdict("other", 0.85) : said
  }

  const question = questionIn(own)
  const turned = folded.split(turns[prepared.language ?? reply.leadLanguage]).at(-1)
  const wish =
    (turned !== undefined && turned !== folded ? wishOf(turned, prepared, question !== null) : undefined) ??
    wishOf(folded, prepared, question !== null)
  if (wish !== undefined) return wish
  return question === null ? verdict("other", unclear) : verdict("question", question.includes("?") ? 0.85 : 0.65)
}

const namesOthers: ReadonlySet<ReplyClass> = new Set(["referral", "wrong_person", "out_of_office", "gatekeeper"])

/** What is believed of a reply that gives orders: that no more is wanted, or that nobody wrote it. */
const harmless: ReadonlySet<ReplyClass> = new Set([
  "unsubscribe",
  "bounce",
  "auto_reply",
  "out_of_office",
  "not_interested",
  "wrong_person"
])

/** The reading of a reply that tells its reader what to make of it: an unclear one, unless it asks for nothing. */
export const unlessOrdered = (reading: ReplyReading, prepared: PreparedReply): ReplyReading =>
  harmless.has(reading.class) || !ordersItsReader(clip(prepared.folded, longestRead))
    ? reading
    : {
        ...reading,
        class: "other",
        confidence: Math.min(reading.confidence, unclear),
        refusalReason: null,
        question: null,
        returnDate: null,
        contact: null,
        proposedMeeting: null,
        meetingChange: null
      }

/** The same reply without the sentences that give orders. */
const withoutOrders = (reply: InboundReply, prepared: PreparedReply): PreparedReply => {
  const rest = sentencesOf(prepared.own).filter(({ text }) => !ordersItsReader(fold(text)))
  return prepareReply({ ...reply, text: rest.map(({ text }) => text).join("\n") })
}

/** The class and what goes with it, by rules alone. */
export const readByRules = (reply: InboundReply, prepared = prepareReply(reply)): ReplyReading => {
  const meant = readAsMeant(reply, prepared)
  if (unlessOrdered(meant, prepared) === meant) return meant
  return unlessOrdered(readAsMeant(reply, withoutOrders(reply, prepared)), prepared)
}

const readAsMeant = (reply: InboundReply, prepared: PreparedReply): ReplyReading => {
  const seen: Verdict = isBounce(reply, prepared)
    ? verdict("bounce", 0.95)
    : asksToUnsubscribe(reply, prepared)
      ? verdict("unsubscribe", 0.95)
      : classify(reply, prepared)
  const isHuman = seen.class !== "bounce" && seen.class !== "auto_reply" && seen.class !== "out_of_office"
  const proposed = proposedMeetingIn(reply, prepared)
  const meetingChange = isHuman ? meetingChangeIn(reply, prepared, seen.class, proposed) : null
  const isKept =
    reply.standingMeeting !== undefined && saysOfMeeting(prepared.folded, Patterns.meetingMoved) === "denied"
  const found =
    isHuman && isKept && seen.class !== "unsubscribe" ? verdict("other", 0.85) : aboutMeeting(seen, meetingChange)
  return {
    class: found.class,
    confidence: found.confidence,
    language: prepared.language ?? null,
    refusalReason: found.reason ?? null,
    question: isHuman && found.class !== "unsubscribe" ? questionBeside(found.class, meetingChange, prepared) : null,
    returnDate:
      found.class === "out_of_office" || (found.class === "not_interested" && found.reason === "timing")
        ? returnDateIn(prepared)
        : null,
    contact: namesOthers.has(found.class)
      ? namedContactIn(clip(prepared.own, longestRead), reply.country, reply.ownContacts)
      : null,
    proposedMeeting: found.class === "meeting_request" || meetingChange === "move" ? proposed : null,
    meetingChange,
    decidedBy: "rules"
  }
}
