import type { Language } from "../../Text/Language.ts"
import { clip, fold } from "../../Text/PlainText.ts"
import { linksIn } from "../../Text/Web/Links.ts"
import { contentWords } from "../../Text/WordStems.ts"
import type { OwnerInstructions } from "../WritingBrief.ts"
import { forbiddenIn, type Topic } from "./ForbiddenTopics.ts"
import type { NotAppliedReason } from "./NotApplied.ts"
import { sayingsIn } from "./Sayings.ts"
import { segmentsOf } from "./Segments.ts"

/** What a goal asks the lead to do. */
export type AskKind = "talk" | "meeting" | "demo" | "visit" | "proposal" | "trial"

/** The parts of an owner's free text that rules can follow. */
export interface OwnerWishes {
  readonly ask: AskKind
  readonly minutes: number | undefined
  readonly isFormal: boolean
  /** Sentences that the owner wants in this touch. */
  readonly toSay: ReadonlyArray<string>
  /**
   * Sentences that the owner wants in general. They are not in every message, or messages would contain nothing else.
   */
  readonly toSayOnce: ReadonlyArray<string>
  /** Addresses in the instructions for this touch. */
  readonly links: ReadonlyArray<string>
  /** Topics that the owner forbids. */
  readonly forbidden: ReadonlyArray<Topic>
}

/** Words of the owner that rules cannot follow. */
export interface Unapplied {
  readonly text: string
  readonly reason: NotAppliedReason
  /** Whether it applies to only one touch. */
  readonly isForTouch: boolean
}

export interface ReadInstructions {
  readonly wishes: OwnerWishes
  readonly unapplied: ReadonlyArray<Unapplied>
}

const asks: ReadonlyArray<readonly [RegExp, AskKind]> = [
  [/\bdemos?\b|\bdemonstra[a-z]*|\bdemostraci[a-z]*/, "demo"],
  [/\bvisit[a-z]*/, "visit"],
  [
    /\borcamento|\bproposta\b|\bcotac[a-z]*|\bcotiza[a-z]*|\bpresupuesto|\bpropuesta\b|\bquote\b|\bproposal\b/,
    "proposal"
  ],
  [
    /\bteste gratis|\bteste gratuito|\bfree trial|\btrial\b|\bprueba gratis|\bprueba gratuita|\bperiodo de teste|\bexperimentar\b/,
    "trial"
  ],
  [
    /\bvideo ?(?:chamada|call|llamada)|\breuni[a-z]*|\bagend[a-z]*|\bmeeting\b|\bcall\b|\bligac[a-z]*|\bllamada\b|\bcita\b|\bschedul[a-z]*|\bbook\b/,
    "meeting"
  ]
]

const minutesPattern = /\b(?:de |of )?([1-9]\d?)[ -]?(?:minutos?|minutes?|mins?)\b/

/** Words that accompany the requested conversation without adding to it. */
const besidesAsk =
  /\b(?:conseguir|consiga|obter|obtener|fazer|faca|hacer|haga|marcar|marque|agendar|agende|agenda|combinar|combine|propor|proponha|proponer|proponga|propose|oferecer|ofereca|ofrecer|ofrezca|offer|sugerir|sugira|sugiera|suggest|convide|convidar|invite|invitar|pedir|peca|pida|ask|enviar|envie|send|mandar|mande|apresentar|apresente|preparar|prepare|montar|monte|book|schedule|scheduling|set|arrange|get|have|llegar|concertar|coordinar|coordine|coordenar|coordene|chegar|rapid[oa]|breve|curt[oa]|cort[oa]|quick|short|brief|video|videocall|online|on-?line|virtual|remot[oa]|leads?|clientes?|prospects?|call|chamada|llamada|reuni[a-z]*|tecnica|comercial)\b/g

const formal =
  /\b(?:(?:usar?|use|um|com|in|con|un|em|a|mantenha|mantener|keep|seja|sea|be|more|mais|mas)\s)*(?:tom |tone |tono |tratamento |trato )?(?:formal(?:idade|ly|idad)?|tratamento formal|senhor|usted formal|tom serio|serious tone)(?: tone)?\b/
const notFormal =
  /\b(?:informal|nao (?:seja )?(?:muito )?formal|not (?:too )?formal|no (?:sea )?(?:muy )?formal|menos formal|less formal|descontraid[a-z]*)/

const kindWords =
  "educad[oa]|cordial|breve|objetiv[oa]|diret[oa]|clar[oa]|gentil|simpatic[oa]|respeitos[oa]|profissional|concis[oa]|polite|brief|concise|short|friendly|respectful|professional|clear|direct|kind|courteous|amable|direct[oa]|respetuos[oa]|profesional|amig[a]?vel|formal|informal"

/** Instructions that every message of the rules follows anyway, folded. */
const manners: ReadonlyArray<RegExp> = [
  new RegExp(
    `\\b(?:sempre |always |siempre )?(?:seja|ser|sea|se|be|mantenha-se|com tom|um tom|tom|with an?|a|un tono|tono|tone)(?: (?:muito|bem|very|muy|sempre|always))? (?:${kindWords})(?:(?:,| e| y| and) (?:${kindWords}))*(?: tone)?(?![a-z])`
  ),
  new RegExp(`\\b(?:use|usar|usa|keep|mantenha)(?: (?:a|um|un|the))? (?:tom|tone|tono) (?:${kindWords})(?![a-z])`),
  /\b(?:mensagens?|textos?|e-?mails?) (?:bem )?(?:curt[oa]s?|breves?)\b|\b(?:short|brief) (?:messages?|e-?mails?|texts?)\b|\b(?:mensajes?|textos?|correos?) (?:cort[oa]s?|breves?)\b|\bkeep (?:it|them|messages|the message) (?:short|brief)\b/,
  /\b(?:escreva|write|escriba|escribe) (?:de forma |briefly|brevemente)(?:curta|breve|clara)?/,
  /\b(?:sem|nao use|nunca use|no|don't use|do not use|never use|without|sin|no use|nunca use) emojis?\b/,
  /\bnao (?:insista|seja insistente|pressione)\b|\b(?:don't|do not|never) (?:insist|be pushy|push|pressure)\b|\bno (?:insista|insistas|sea insistente|presione)\b|\bsem (?:insistir|pressionar)\b/,
  /\b(?:trate|trata|tratar)(?:-o|-a)?(?: sempre)? (?:por|de|como) (?:o )?(?:senhor|senhora|usted)\b/,
  /\b(?:no|in|en|na) (?:idioma|lingua|language) (?:do|of|del|da) (?:lead|cliente|client)\b/,
  /\bin (?:the )?(?:lead|client)'s language\b/
]

const ofLanguage =
  /\b(?:em|in|en) (?:ingles|portugues|espanhol|english|portuguese|spanish|espanol|frances|french|alemao|german|italiano|italian)\b/
const aboutUs =
  /^(?:nos |a gente |somos|temos|tenemos|oferecemos|ofrecemos|atendemos|fazemos|hacemos|trabalhamos|trabajamos|vendemos|noss[oa]s? |nuestr[oa]s? |we |our |a empresa |la empresa |the company )/
const besides =
  /\b(?:por favor|please|sempre|always|siempre|tambem|tambien|also|favor|obrigad[oa]|gracias|thanks|thank you|mande|mandar|envie|enviar|inclua|incluir|send|include|manda|incluye|incluya|share|compartilhe|comparta|link|links|enlace|endereco|address|page|pagina|site|abaixo|below)\b/g

const maximumSayings = 3
const maximumLinks = 3

const isEmpty = (folded: string): boolean => contentWords(folded.replace(besides, " ")).length === 0

interface Segment {
  readonly sayings: ReadonlyArray<string>
  readonly topics: ReadonlyArray<Topic>
  readonly links: ReadonlyArray<string>
  readonly unapplied: ReadonlyArray<Omit<Unapplied, "isForTouch">>
}

const nothing: Segment = { sayings: [], topics: [], links: [], unapplied: [] }

/** What a kind of instructions may contain in addition to words. */
interface Scope {
  readonly language: Language
  /** The conversation to ask for, if these instructions name one. */
  readonly ask: AskKind | undefined
  readonly takesLinks: boolean
}

/** Why the rest of a segment is not followed. */
const reasonFor = (segment: string, isPartlyDone: boolean): NotAppliedReason => {
  const folded = fold(segment)
  if (ofLanguage.test(folded)) return "language_of_lead"
  if (isPartlyDone) return "only_partly"
  return aboutUs.test(folded) ? "fact" : "not_understood"
}

const readSegment = (segment: string, { ask, language, takesLinks }: Scope): Segment => {
  const plain = manners.reduce((text, manner) => text.replace(manner, " "), fold(segment))
  if (isEmpty(plain.replace(formal, " ").replace(notFormal, " "))) return nothing
  const topics = forbiddenIn(segment)
  if (topics === "condition" || topics === "not_understood")
    return { ...nothing, unapplied: [{ text: segment, reason: topics }] }
  if (topics !== undefined) return { ...nothing, topics }
  const { refused, rest, sentences } = sayingsIn(segment, language)
  const links = takesLinks ? linksIn(rest).filter((link) => /^https?:\/\//i.test(link)) : []
  const withoutLinks = links.reduce((text, link) => text.replace(link, " "), rest)
  const left = manners.reduce((text, manner) => text.replace(manner, " "), fold(withoutLinks))
  const askPattern = ask === undefined ? undefined : asks.find(([pattern, kind]) => kind === ask && pattern.test(left))
  const withoutAsk =
    askPattern === undefined
      ? left
      : left.replace(askPattern[0], " ").replace(minutesPattern, " ").replace(besidesAsk, " ")
  const isDone = isEmpty(withoutAsk)
  const isPartlyDone = askPattern !== undefined
  const text = sentences.length > 0 || refused.length > 0 ? withoutLinks.replace(/\s+/g, " ").trim() : segment
  return {
    sayings: sentences,
    topics: [],
    links,
    unapplied: [...refused, ...(isDone ? [] : [{ text, reason: reasonFor(segment, isPartlyDone) }])]
  }
}

interface Reading {
  readonly sayings: ReadonlyArray<string>
  readonly topics: ReadonlyArray<Topic>
  readonly links: ReadonlyArray<string>
  readonly unapplied: ReadonlyArray<Omit<Unapplied, "isForTouch">>
}

const readTexts = (texts: ReadonlyArray<string | undefined>, scope: Scope): Reading => {
  const segments = texts
    .flatMap((text) => segmentsOf(clip(text ?? "", longestText)))
    .map((one) => readSegment(one, scope))
  const sayings = [...new Set(segments.flatMap((one) => one.sayings))]
  const links = [...new Set(segments.flatMap((one) => one.links))]
  return {
    sayings: sayings.slice(0, maximumSayings),
    topics: segments.flatMap((one) => one.topics),
    links: links.slice(0, maximumLinks),
    unapplied: [
      ...segments.flatMap((one) => one.unapplied),
      ...[...sayings.slice(maximumSayings), ...links.slice(maximumLinks)].map((text) => ({
        text,
        reason: "too_many" as const
      }))
    ]
  }
}

const longestText = 10_000
const mostUnapplied = 30
const longestUnapplied = 500

/** Parses the owner's texts into what can certainly be followed, and what cannot. */
export const readInstructions = (instructions: OwnerInstructions, language: Language): ReadInstructions => {
  const { channel, general, goal, nextTouch, strategy } = instructions
  const aim = fold(clip([nextTouch, goal].filter((text) => text !== undefined).join("\n"), longestText))
  const manner = fold(clip([channel, general, strategy, nextTouch].join("\n"), 3 * longestText))
  const ask = asks.find(([pattern]) => pattern.test(aim))?.[1] ?? "talk"
  const minutes = minutesPattern.exec(aim)?.[1]
  const ofTouch = readTexts([nextTouch], { language, ask, takesLinks: true })
  const ofGoal = readTexts([goal], { language, ask, takesLinks: false })
  const standing = readTexts([channel, general, strategy], { language, ask: undefined, takesLinks: false })
  const all = [
    ...ofTouch.unapplied.map((one) => ({ ...one, isForTouch: true })),
    ...[...ofGoal.unapplied, ...standing.unapplied].map((one) => ({ ...one, isForTouch: false }))
  ].map((one) => ({ ...one, text: clip(one.text, longestUnapplied) }))
  return {
    wishes: {
      ask,
      minutes: minutes === undefined ? undefined : Number(minutes),
      isFormal: formal.test(manner) && !notFormal.test(manner),
      toSay: ofTouch.sayings,
      toSayOnce: [...ofGoal.sayings, ...standing.sayings]
        .filter((saying) => !ofTouch.sayings.includes(saying))
        .slice(0, maximumSayings),
      links: ofTouch.links,
      forbidden: [...ofTouch.topics, ...ofGoal.topics, ...standing.topics]
    },
    unapplied: [...new Map(all.map((one) => [one.text, one])).values()].slice(0, mostUnapplied)
  }
}
