import { detectLanguage, isForeign } from "../Text/Language.ts"
import { fold } from "../Text/PlainText.ts"
import { isSingleLine } from "../Text/SingleLine.ts"
import { amountsIn, linksIn, mailAddressesIn, unknownLinks } from "../Text/Web/Links.ts"
import { openQuestionsOf, passageText } from "./Answers/KnownAnswers.ts"
import type { MeetingTime, WritingBrief } from "./WritingBrief.ts"

/** Problems that a check found. The codes are stable: the next attempt gets them, and a reviewer sees them. */
export type MessageProblem =
  | "subject_missing"
  | "subject_too_long"
  | "subject_has_line_break"
  | "body_empty"
  | "body_too_long"
  | "opening_line_missing"
  | "opening_line_too_long"
  | "placeholder"
  | "markup"
  | "unknown_link"
  | "unknown_contact"
  | "unknown_amount"
  | "wrong_language"
  | "speaks_of_itself"
  | "delimiter_word"
  | "verbatim_missing"
  | "unkept_promise"
  | "machine_denied"
  | "words_of_another_lead"
  | "document_missing"

export interface MessageDraft {
  readonly subject?: string
  readonly body: string
  readonly openingLine?: string
}

export const longestSubject = 120
const longestOpeningLine = 300
/** Without the signature. A required text of the owner's comes in addition. */
const longestBody: { readonly [C in WritingBrief["channel"]]: number } = { email: 5000, chatapp: 1500, voice: 3000 }

const placeholder =
  /\{\{|\}\}|\{%|\$\{|<%|%[A-Z][A-Z_]{2,}%|\{ ?[a-z][a-z_ ]{1,40} ?\}|__[A-Z_]{3,}__|\[[^\]\n]{1,60}\]|<[a-zà-ÿ][a-zà-ÿ _-]{1,30}>|\bX{3,}\b|\blorem ipsum\b|\b(?:insert|insira|inserte|inserir) (?:your |the |o |a |el |la )?(?:name|nome|nombre|date|data|fecha|link|company|empresa)\b/iu
const markup =
  /\*\*|```|^#{1,6} |\]\(|<\/?(?:p|br|div|b|i|u|strong|em|a|ul|ol|li|html|body|script|style|img|span|table|h[1-6])\b[^>\n]{0,200}>|&(?:nbsp|amp|lt|gt|quot|#\d{1,5});/im
const aboutItself =
  /\b(?:as an ai\b|i am an ai\b|i'm an ai\b|as a language model|as an assistant, i|system prompt|my instructions|previous instructions|sou uma (?:ia|inteligencia artificial)\b|como (?:uma )?(?:ia|inteligencia artificial),|como modelo de linguagem|minhas instrucoes|instrucoes anteriores|soy una (?:ia|inteligencia artificial)\b|como modelo de lenguaje|mis instrucciones|instrucciones anteriores)/
const phone = /(?<![\w/.-])\+?\(?\d[\d\s().-]{7,20}\d(?![\w/])/g

/** Promises of a later answer, for which a person is asked. */
const promise =
  /\b(?:vou|vamos|irei|iremos) (?:\w+ )?(?:confirmar|verificar|checar|consultar|apurar|perguntar)|\b(?:confirmo|verifico|checo|consulto)(?: \w+){0,4} e (?:te|lhe|ja|logo)|\b(?:te|lhe) (?:retorno|respondo|dou um retorno)\b|\bvolto (?:a voce )?com (?:a|uma|essa) (?:resposta|informacao)|\bi(?:'ll| will) (?:\w+ )?(?:check|find out|confirm|verify|ask|get back|come back|follow up)|\blet me (?:check|find out|confirm|verify|ask)|\bget back to you\b|\b(?:voy|vamos) a (?:confirmar|consultar|verificar|preguntar|revisar)|\ble (?:confirmo|aviso|respondo|contesto)\b|\bte (?:confirmo|aviso|contesto)\b/

/** Whether a message promises an answer. The owner must then be asked for it. */
export const promisesAnAnswer = (text: string): boolean => promise.test(fold(text))

const contactKeys = (text: string): ReadonlyArray<string> => [
  ...mailAddressesIn(text),
  ...[...text.matchAll(phone)]
    .map(([number]) => number.replace(/\D/g, ""))
    .filter((digits) => digits.length >= 8 && digits.length <= 15)
]

/**
 * Everything that the owner wrote. Links, contacts and amounts may only come from here, never from the lead's words.
 */
const ownerText = ({ business, instructions, judged = [], kind, links, sender }: WritingBrief): string =>
  [
    business.name,
    business.description,
    business.website,
    business.idealCustomerProfile,
    // The question is left out, because another lead wrote it.
    ...business.answers.map(({ answer }) => answer),
    ...business.knowledge.map(passageText),
    // The quote was already checked against the owner's files, which may be in another language.
    ...judged.map(({ answer }) => answer?.text),
    instructions.general,
    instructions.channel,
    instructions.goal,
    instructions.strategy,
    instructions.nextTouch,
    instructions.verbatim,
    ...links.flatMap(({ title, url }) => [title, url]),
    sender.name,
    sender.emailSignature,
    ...(kind._tag === "answer_relay" ? [kind.answer] : []),
    ...(kind._tag === "re_engagement" ? [kind.ownerContext] : []),
    ...(kind._tag === "meeting_cancelled" ? [kind.reason] : []),
    ...("meeting" in kind ? [kind.meeting.joinUrl, numberOf(kind.meeting)] : [])
  ]
    .filter((text) => text !== undefined)
    .join("\n")

/** The lead's own number, for a call. */
const numberOf = ({ place }: MeetingTime): string | undefined => (place?._tag === "Phone" ? place.number : undefined)

const isPlaceholder = (text: string, owner: string): boolean => {
  const match = placeholder.exec(text)
  return match !== null && !(match[0].startsWith("[") && owner.includes(match[0]))
}

const withoutBlanks = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Whether a contact in `text` is not one of the owner's. A number may be written with or without its country code. */
const hasUnknownContact = (text: string, owner: string): boolean => {
  const ownerContacts = contactKeys(owner)
  return contactKeys(text).some(
    (key) =>
      !ownerContacts.some(
        (ownerContact) => ownerContact === key || ownerContact.endsWith(key) || key.endsWith(ownerContact)
      )
  )
}

/** A company may be called "100% Café", which is not a promise. */
const withoutName = (text: string, { lead }: WritingBrief): string =>
  lead.company === undefined || lead.company.trim().length < 4 ? text : text.replaceAll(lead.company.trim(), " ")

/** Whether the lead asks if a machine is writing. */
const asksIfMachine = ({ kind }: WritingBrief): boolean =>
  kind._tag === "response" && kind.reading.acts.some((act) => act.kind === "asks_if_machine" && act.isCertain)

const machineWords = [
  "automat",
  "robo",
  "bot",
  "sistema",
  "system",
  "inteligencia artificial",
  "artificial intelligence"
]

/** Whether a message says to a lead that it was written by a machine. */
const saysMachine = (text: string): boolean => {
  const folded = fold(text)
  return machineWords.some((word) => folded.includes(word))
}

/** Many people may ask a shorter question in the same words. */
const fewestWordsOfOther = 4

/** Whether a message repeats another lead's question in that lead's words. */
const repeatsAnotherLead = (text: string, brief: WritingBrief): boolean => {
  const { business, conversation, kind } = brief
  const lead = fold(
    [
      ...conversation.filter(({ direction }) => direction === "inbound").map((message) => message.text),
      ...(kind._tag === "response" ? [kind.text] : []),
      ...(kind._tag === "answer_relay" ? [kind.question] : [])
    ].join("\n")
  )
  const folded = withoutBlanks(fold(text))
  return business.answers.some(({ question }) => {
    const words = withoutBlanks(fold(question))
    return (
      words.split(" ").length >= fewestWordsOfOther && folded.includes(words) && !withoutBlanks(lead).includes(words)
    )
  })
}

/** Whether the message lacks a document that the lead asked for. A call cannot contain links. */
const lacksDocument = (text: string, { channel, documents }: WritingBrief): boolean =>
  channel !== "voice" && (documents?.documents ?? []).some(({ url }) => !text.includes(url))

const textProblems = (text: string, brief: WritingBrief, owner: string): ReadonlyArray<MessageProblem> => {
  const ownerAmounts = new Set(amountsIn(owner))
  const problems: ReadonlyArray<readonly [MessageProblem, boolean]> = [
    ["placeholder", isPlaceholder(text, owner)],
    ["markup", markup.test(text)],
    ["unknown_link", unknownLinks(text, [...brief.links.map(({ url }) => url), ...linksIn(owner)]).length > 0],
    ["unknown_contact", hasUnknownContact(text.replace(/\bhttps?:\/\/\S+/gi, " "), owner)],
    ["unknown_amount", amountsIn(withoutName(text, brief)).some((amount) => !ownerAmounts.has(amount))],
    ["speaks_of_itself", !asksIfMachine(brief) && aboutItself.test(fold(text)) && !aboutItself.test(fold(owner))],
    ["machine_denied", asksIfMachine(brief) && !saysMachine(text)],
    ["words_of_another_lead", repeatsAnotherLead(text, brief)],
    ["document_missing", lacksDocument(text, brief)]
  ]
  return problems.filter(([, holds]) => holds).map(([problem]) => problem)
}

const subjectProblems = (subject: string | undefined, brief: WritingBrief): ReadonlyArray<MessageProblem> => {
  if (brief.channel !== "email" || brief.threadSubject !== undefined) return []
  if (subject === undefined || subject.trim() === "") return ["subject_missing"]
  if (!isSingleLine(subject)) return ["subject_has_line_break"]
  return subject.length > longestSubject ? ["subject_too_long"] : []
}

const openingProblems = (line: string | undefined, brief: WritingBrief): ReadonlyArray<MessageProblem> => {
  if (brief.channel !== "voice") return []
  if (line === undefined || line.trim() === "") return ["opening_line_missing"]
  return line.length > longestOpeningLine || !isSingleLine(line) ? ["opening_line_too_long"] : []
}

/** Shorter texts consist mostly of names, which have no language. */
const shortestForLanguage = 80

/**
 * Problems of a message from a model or from rules. Empty if it may be sent. The owner's own text must be included word for
 * word, and is not checked otherwise.
 */
export const checkMessage = (
  draft: MessageDraft,
  brief: WritingBrief,
  delimiterWord: string
): ReadonlyArray<MessageProblem> => {
  const verbatim = brief.instructions.verbatim?.trim() ?? ""
  const hasVerbatim = verbatim === "" || withoutBlanks(draft.body).includes(withoutBlanks(verbatim))
  const body = verbatim === "" ? draft.body : draft.body.replace(verbatim, "")
  const all = [draft.subject ?? "", draft.openingLine ?? "", body].join("\n")
  const language = body.length >= shortestForLanguage ? detectLanguage(body) : undefined
  const problems: Array<MessageProblem> = [
    ...subjectProblems(draft.subject, brief),
    ...openingProblems(draft.openingLine, brief),
    ...textProblems(all, brief, ownerText(brief))
  ]
  if (draft.body.trim() === "") problems.push("body_empty")
  if (body.length > (brief.longest ?? longestBody[brief.channel])) problems.push("body_too_long")
  const isMixed = body.split(/\n{2,}/).some((paragraph) => isForeign(paragraph, brief.language))
  if (isMixed || (language !== undefined && language !== brief.language)) problems.push("wrong_language")
  if (all.includes(delimiterWord)) problems.push("delimiter_word")
  if (!hasVerbatim) problems.push("verbatim_missing")
  const isKept = brief.kind._tag === "holding_line" || openQuestionsOf(brief).length > 0
  if (!isKept && promisesAnAnswer(body) && !promisesAnAnswer(ownerText(brief))) {
    problems.push("unkept_promise")
  }
  return problems
}
