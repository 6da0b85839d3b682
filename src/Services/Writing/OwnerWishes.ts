import { detectLanguage, type Language } from "../Text/Language.ts"
import { linksIn } from "../Text/Links.ts"
import { clip, fold, tidyText } from "../Text/PlainText.ts"
import type { AskKind } from "./Phrasebook.ts"
import type { OwnerInstructions } from "./WritingBrief.ts"

/** What of an owner's free text rules can carry out. */
export interface OwnerWishes {
  readonly ask: AskKind
  readonly minutes: number | undefined
  readonly isFormal: boolean
  /** Sentences that the owner said to say in this touch. */
  readonly toSay: ReadonlyArray<string>
  /** Sentences that the owner said to say in general: not in every message, or they would be all of it. */
  readonly toSayOnce: ReadonlyArray<string>
  /** Addresses that the instructions for this touch name. */
  readonly links: ReadonlyArray<string>
}

const asks: ReadonlyArray<readonly [RegExp, AskKind]> = [
  [/\bdemo\b|\bdemonstra|\bdemostraci/, "demo"],
  [/\bvisit/, "visit"],
  [/\borcamento|\bproposta\b|\bcotac|\bcotiza|\bpresupuesto|\bpropuesta\b|\bquote\b|\bproposal\b/, "proposal"],
  [
    /\bteste gratis|\bteste gratuito|\bfree trial|\btrial\b|\bprueba gratis|\bprueba gratuita|\bperiodo de teste|\bexperimentar\b/,
    "trial"
  ],
  [
    /\breuni|\bagend|\bmeeting\b|\bcall\b|\bvideo ?(?:chamada|call|llamada)|\bligac|\bllamada\b|\bcita\b|\bschedul|\bbook\b/,
    "meeting"
  ]
]

const formal =
  /\b(?:formal|formalidade|formally|formalidad|tratamento formal|senhor|usted formal|tom serio|serious tone)\b/
const notFormal =
  /\b(?:informal|nao (?:seja )?(?:muito )?formal|not (?:too )?formal|no (?:sea )?(?:muy )?formal|menos formal|less formal|menos formal|descontraid)/

const quoted =
  /\b(?:diga|dizer|escreva|escrever|mande|use|inclua|incluir|frase|mensagem|texto|say|write|use|include|sentence|text|message|dile|d[íi]gale|escriba|escribe|incluya|incluye|mensaje)\b[^"“«\n.!?]{0,30}["“«]([^"”»\n]{8,400})["”»]/gi
/** "Never say …" asks for the opposite. */
const forbidden =
  /\b(?:nao|nunca|jamais|sem|evite|evitar|never|don't|do not|avoid|not|no|jamas|sin|evita|without)\b[^.!?\n]*$/
const mention =
  /(?:\b(?:mencione|mencionar|informe|informar|diga|dizer|avise|avisar|conte|destaque|reforce|lembre|explique)(?: (?:a ele|a ela|ao lead|ao cliente|para ele|para ela|sempre|tamb[ée]m))? que |\b(?:mention|say|tell (?:them|him|her|the lead)|let (?:them|him|her) know|point out|remind (?:them|him|her)|highlight) that |\b(?:menciona|mencione|dile|d[íi]gale|inf[óo]rmale|av[íi]sale|cu[ée]ntale|recuerda|destaca|explica)(?: (?:siempre|tambi[ée]n))? que )([^.!?\n;"“«]{8,300})/gi
/** Only what is said of "us" can be said to the lead with the same words. */
const aboutUs =
  /^(?:n[óo]s |a gente |temos|tenemos|estamos|oferecemos|ofrecemos|atendemos|atuamos|fazemos|hacemos|trabalhamos|trabajamos|entregamos|lan[çc]amos|lanzamos|abrimos|inauguramos|vamos|somos|nosso|nossa|nossos|nossas|nuestro|nuestra|nuestros|nuestras|o nosso|a nossa|we |we're |we've |our |there is |there are |h[áa] |hay |o frete|a instala|o suporte|a entrega|el env[íi]o|la instalaci|el soporte|la entrega)/i

const sentence = (text: string): string => {
  const trimmed = text.trim().replace(/\s+/g, " ")
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`
}

const placeholder = /[{}[\]<>]|%[A-Za-z_]+%/

const sayings = (text: string, language: Language): ReadonlyArray<string> => {
  const tidy = tidyText(clip(text, 4000))
  const isAllowed = (match: RegExpExecArray) =>
    !forbidden.test(fold(tidy.slice(Math.max(0, match.index - 40), match.index)))
  const literal = [...tidy.matchAll(quoted)].filter(isAllowed).map((match) => match[1] ?? "")
  const told = [...tidy.matchAll(mention)]
    .filter(isAllowed)
    .map((match) => match[1] ?? "")
    .filter((clause) => aboutUs.test(clause))
  return [...literal, ...told]
    .filter((saying) => !placeholder.test(saying) && [language, undefined].includes(detectLanguage(saying)))
    .map(sentence)
}

const maximumSayings = 3

/** Reads out of the owner's texts what can be carried out without understanding them. */
export const ownerWishes = (instructions: OwnerInstructions, language: Language): OwnerWishes => {
  const aim = fold(
    clip([instructions.nextTouch, instructions.goal].filter((text) => text !== undefined).join("\n"), 4000)
  )
  const manner = fold(clip([instructions.channel, instructions.general, instructions.nextTouch].join("\n"), 8000))
  const ask = asks.find(([pattern]) => pattern.test(aim))?.[1] ?? "talk"
  const minutes = /\b([1-9]\d?) ?(?:min\b|mins\b|minuto|minute)/.exec(aim)?.[1]
  const standing = [instructions.channel, instructions.general].filter((text) => text !== undefined)
  const toSay = sayings(instructions.nextTouch ?? "", language).slice(0, maximumSayings)
  return {
    ask,
    minutes: minutes === undefined ? undefined : Number(minutes),
    isFormal: formal.test(manner) && !notFormal.test(manner),
    toSay,
    toSayOnce: [...new Set(standing.flatMap((text) => sayings(text, language)))]
      .filter((saying) => !toSay.includes(saying))
      .slice(0, maximumSayings),
    links: linksIn(instructions.nextTouch ?? "")
      .filter((link) => /^https?:\/\//i.test(link))
      .slice(0, 3)
  }
}

/**
 * "Met at the trade fair", in one sentence without a second clause. Anything more may be a note that is not for the
 * lead.
 */
const meetingNotes: { readonly [L in Language]: { readonly pattern: RegExp; readonly opening: string } } = {
  "pt-BR": {
    pattern:
      /^(?:n[óo]s )?(?:nos )?conhecemos(?:-nos)? (?:(?:o lead|os leads|eles|elas|ele|ela|você|vocês) )?((?:na|no|nas|nos|em|durante) [^.!?\n,;:()"]{3,80})[.!]?$/i,
    opening: "Nos conhecemos"
  },
  es: {
    pattern: /^(?:nos )?conocimos (?:(?:al lead|a los leads|a ellos) )?((?:en|durante) [^.!?\n,;:()"]{3,80})[.!]?$/i,
    opening: "Nos conocimos"
  },
  en: {
    pattern:
      /^(?:we )?met (?:(?:them|him|her|you|the lead|the leads|these leads) )?((?:at|in|on|during) [^.!?\n,;:()"]{3,80})[.!]?$/i,
    opening: "We met"
  }
}
/** A second clause, or a third person, is not meant for the lead. */
const moreThanMeeting =
  /(?<!\p{L})(?:e|mas|por[ée]m|quando|onde|que|ele|ela|eles|elas|cliente|lead|y|pero|cuando|donde|[ée]l|ella|ellos|and|but|when|where|who|which|he|she|they|client)(?!\p{L})/iu

/** Where the lead and the business met, as the background of the lead says it; undefined if it does not. */
export const meetingOf = (background: string | undefined, language: Language): string | undefined => {
  const { opening, pattern } = meetingNotes[language]
  for (const note of tidyText(clip(background ?? "", 4000)).split(/(?<=[.!?])\s+|\n+/)) {
    const place = pattern.exec(note.trim())?.[1]?.trim()
    if (place !== undefined && !moreThanMeeting.test(place) && !placeholder.test(place)) return `${opening} ${place}.`
  }
  return undefined
}
