import { fold, tidyText } from "../../Text/PlainText.ts"

/**
 * An owner's text is split into segments with one instruction each: "Say that we deliver, and ask for a visit" becomes
 * two. Quotations are never split.
 */

const openingQuotes = new Set(["“", "«"])
const closingQuotes = new Set(["”", "»"])
const abbreviation = /(?:^|\s)(?:dr|dra|sr|sra|mr|mrs|ms|eng|prof|ex|no|nº|approx|aprox)$/i

/** For each character, whether it is inside quotation marks. */
const quotedPlaces = (text: string): ReadonlyArray<boolean> => {
  let isQuoted = false
  return [...text].map((character) => {
    if (character === "\n") isQuoted = false
    else if (character === '"') isQuoted = !isQuoted
    else if (openingQuotes.has(character)) isQuoted = true
    else if (closingQuotes.has(character)) isQuoted = false
    return isQuoted
  })
}

const sentencesIn = (text: string): ReadonlyArray<string> => {
  const characters = [...text]
  const isQuoted = quotedPlaces(text)
  const sentences: Array<string> = []
  let sentence = ""
  for (const [place, character] of characters.entries()) {
    sentence += character
    const next = characters[place + 1]
    const isMark = ".!?;".includes(character) && isQuoted[place] === false && (next === undefined || /\s/.test(next))
    const isEnd = character === "\n" || (isMark && !(character === "." && abbreviation.test(sentence.slice(0, -1))))
    if (!isEnd) continue
    sentences.push(sentence)
    sentence = ""
  }
  return [...sentences, sentence]
    .map((one) => one.replace(/^[\s\-*•·]+|^\s*\d{1,2}[).]\s/, "").trim())
    .filter((one) => one !== "")
}

/** Verbs that begin another instruction, folded. */
const orders =
  "diga|dizer|fale|falar|mencione|mencionar|informe|informar|avise|conte|comente|destaque|reforce|lembre|explique|ressalte|enfatize|acrescente|inclua|incluir|escreva|mande|mandar|envie|enviar|use|pergunte|perguntar|peca|pedir|ofereca|oferecer|convide|convidar|proponha|propor|sugira|sugerir|marque|marcar|agende|agendar|evite|cite|seja|" +
  "say|tell|mention|let|point|remind|highlight|explain|stress|add|include|write|send|ask|offer|invite|propose|suggest|book|schedule|avoid|use|be|never|don't|do not|" +
  "dile|digale|menciona|mencione|informale|avisale|cuentale|recuerda|recuerdale|destaca|explica|explicale|comenta|comentale|resalta|aclara|incluye|incluya|escribe|escriba|manda|envia|usa|pregunta|pregunte|pide|pida|ofrece|ofrezca|invita|invite|propon|proponga|sugiere|sugiera|agenda|evita|se|sea"

const joining = new RegExp(
  `(?:,? (?:e|y|and|then|depois|luego|e depois|and then|y luego|mas|pero|but)|,|:) (?=(?:${orders}) )`,
  "g"
)
const contrasting = new RegExp(`(?:,? (?:mas|pero|but)|,) (?=(?:${orders}) )`, "g")
const denial =
  /^(?:(?:por favor|please),? )?(?:nunca|nao|jamais|never|do not|don't|no|jamas|evite|evitar|avoid|evita|sem|without|sin)\b/

/** Whether a folded segment says what not to do. */
export const isDenial = (folded: string): boolean => denial.test(folded)

/** The folded text, if it has the same length. Positions in it then also apply to the original text. */
const foldedAlike = (text: string): string | undefined => {
  const folded = fold(text)
  return folded.length === text.length ? folded : undefined
}

const segmentsIn = (sentence: string): ReadonlyArray<string> => {
  const folded = foldedAlike(sentence)
  if (folded === undefined) return [sentence]
  const isQuoted = quotedPlaces(sentence)
  // "Never say A and mention B" may forbid both.
  const cuts = [...folded.matchAll(isDenial(folded) ? contrasting : joining)].filter(
    ({ index }) => isQuoted[index] !== true
  )
  let start = 0
  const segments: Array<string> = []
  for (const cut of cuts) {
    segments.push(sentence.slice(start, cut.index))
    start = cut.index + cut[0].length
  }
  return [...segments, sentence.slice(start)].map((segment) => segment.trim()).filter((segment) => segment !== "")
}

const mostSegments = 60

/** The instructions in an owner's text, one per segment. */
export const segmentsOf = (text: string): ReadonlyArray<string> =>
  sentencesIn(tidyText(text).normalize("NFC")).flatMap(segmentsIn).slice(0, mostSegments)
