import { say, type Variants, variants } from "../Messages/Messages.ts"
import type { Language } from "../Text/Language.ts"
import { type Gender, genderOf, greetingName, spokenCompany } from "../Text/PersonName.ts"
import { clip, hashOf, tidyText } from "../Text/PlainText.ts"
import { timeForLead } from "../Text/SpokenTime.ts"
import { linksIn } from "../Text/Web/Links.ts"
import { articleGender, senderBesides } from "./BusinessName.ts"
import { type OwnerWishes, readInstructions } from "./Instructions/ReadInstructions.ts"
import type { AllowedLink, WritingBrief } from "./WritingBrief.ts"

/** The words that sentences are made of. Each is on one line and fits into a sentence. */
export interface SentenceWords {
  /** The lead's first name; absent if its name is not a person's. */
  readonly first: string | undefined
  /** Whether the name begins with Dr. or Dra., which takes an article in Spanish. */
  readonly hasTitle: boolean
  /** The lead's grammatical gender, if it is certain. */
  readonly gender: Gender | undefined
  readonly company: string | undefined
  /** The gender of the article before the company's name. */
  readonly companyGender: Gender
  readonly sender: string | undefined
  readonly business: string
  readonly businessGender: Gender
  readonly isFormal: boolean
}

/** Everything that the sentences of a message need. */
export interface Material {
  readonly brief: WritingBrief
  readonly language: Language
  readonly words: SentenceWords
  readonly wishes: OwnerWishes
  readonly pitch: string | undefined
  /** Chooses one of several wordings. The lead determines which, and the round varies it. */
  readonly pick: (slot: string, variants: Variants, round?: number) => string
}

const longestPitch = 240

export const oneLine = (text: string, length: number): string =>
  clip(tidyText(text).replace(/\s+/g, " ").trim(), length).trim()

const shortened = (sentence: string): string => {
  if (sentence.length <= longestPitch) return sentence
  const head = sentence.slice(0, longestPitch)
  const clause = Math.max(head.lastIndexOf(","), head.lastIndexOf(";"), head.lastIndexOf(":"))
  return head.slice(0, clause >= longestPitch / 2 ? clause : head.lastIndexOf(" "))
}

/** Beginnings of descriptions that are sentences about "us". */
const ownSentences: { readonly [L in Language]: RegExp } = {
  "pt-BR":
    /^(?:n[óo]s|somos|ajudamos|oferecemos|fazemos|desenvolvemos|criamos|atuamos|trabalhamos|entregamos|vendemos|fornecemos|cuidamos|apoiamos|conectamos|reduzimos|temos|a gente|nossa|nosso)\b/i,
  en: /^(?:we|we're|our|us)\b/i,
  es: /^(?:nosotros|somos|ayudamos|ofrecemos|hacemos|desarrollamos|creamos|trabajamos|entregamos|vendemos|proveemos|apoyamos|conectamos|tenemos|nuestra|nuestro)\b/i
}

/** The first sentence of a description, cut at a clause if it is too long; undefined if none is usable. */
const pitchOf = ({ business, language }: WritingBrief): string | undefined => {
  const description = oneLine(business.description ?? "", 2000)
  if (description.length < 10) return undefined
  const first = /^.{10,}?[.!?](?=\s|$)/.exec(description)?.[0] ?? description
  const text = shortened(first).replace(/[\s.,;:!-]+$/, "")
  if (text.length < 10 || /[{}[\]<>]|\*\*|```/.test(text) || linksIn(text).length > 0) return undefined
  const isSentence = ownSentences[language].test(text) || text.toLowerCase().startsWith(business.name.toLowerCase())
  if (isSentence) return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
  const begins = /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
  return `${say(language, "outreach.description_label")} ${begins}.`
}

export const material = (brief: WritingBrief): Material => {
  const { wishes } = readInstructions(brief.instructions, brief.language)
  const company = spokenCompany(brief.lead.company)
  const first = greetingName(brief.lead.name, brief.lead.company)
  const business = oneLine(brief.business.name, 80)
  return {
    brief,
    language: brief.language,
    wishes,
    words: {
      business,
      businessGender: articleGender(business),
      company,
      companyGender: articleGender(company ?? ""),
      first,
      hasTitle: /^Dra?\. /.test(first ?? ""),
      gender: genderOf(brief.lead.name),
      isFormal: wishes.isFormal,
      sender: senderBesides(oneLine(brief.sender.name ?? "", 80), business)
    },
    pitch: pitchOf(brief),
    pick: (slot, variants, round = 0) =>
      variants[(hashOf(`${brief.lead.leadId}:${slot}`) + round) % Math.max(1, variants.length)] ?? ""
  }
}

export const linkFor = (
  brief: WritingBrief,
  purposes: ReadonlyArray<AllowedLink["purpose"]>
): AllowedLink | undefined => {
  for (const purpose of purposes) {
    const link = brief.links.find((candidate) => candidate.purpose === purpose)
    if (link !== undefined) return link
  }
  return undefined
}

/** A link to read, unless the lead gets what it asked for. */
export const materialLine = (using: Material): ReadonlyArray<string> =>
  using.brief.documents === undefined ? linkLine(using, linkFor(using.brief, ["presentation", "file", "website"])) : []

export const linkLine = ({ language }: Material, link: AllowedLink | undefined): ReadonlyArray<string> =>
  link === undefined ? [] : [say(language, `outreach.links.${link.purpose}`, { url: link.url })]

/** The question that ends the message, with the page where it can be answered at once. */
export const ask = (using: Material, round = 0): ReadonlyArray<string> => {
  const { brief, language, pick, wishes } = using
  // The owner's question is asked instead, because a message with two questions gets one answer.
  if (ownersSentences(using).some((text) => text.endsWith("?"))) return []
  const question = pick("ask", variants(language, `outreach.asks.${wishes.ask}`, { minutes: wishes.minutes }), round)
  const isTalk = wishes.ask === "talk" || wishes.ask === "meeting" || wishes.ask === "demo"
  return [question, ...(isTalk ? linkLine(using, linkFor(brief, ["scheduling"])) : [])]
}

/** Free times to choose from, as text for the lead. Empty if none are known. */
export const timesToChoose = ({ brief, language, pick }: Material): ReadonlyArray<string> => {
  const { clock, freeTimes = [] } = brief
  if (freeTimes.length === 0) return []
  const spoken = freeTimes.map((time) => timeForLead(time, clock, language))
  const list = new Intl.ListFormat(language, { type: "disjunction" }).format(spoken)
  return [pick("free_times", variants(language, "meetings.free_times", { times: list }))]
}

const saysAll = ({ kind }: WritingBrief): boolean =>
  kind._tag === "first_contact" || (kind._tag === "follow_up" && kind.number === 2 && !kind.isLast)

export const ownersSentences = ({ brief, language, wishes }: Material): ReadonlyArray<string> => [
  ...wishes.toSay,
  ...(saysAll(brief) ? wishes.toSayOnce : []),
  ...wishes.links
    .filter((url) => !brief.links.some((link) => link.url === url))
    .map((url) => say(language, "outreach.links.file", { url })),
  ...(brief.instructions.verbatim === undefined ? [] : [brief.instructions.verbatim.trim()])
]
