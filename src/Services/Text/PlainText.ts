// Zero-width characters, direction marks and the tag block. They are invisible and can hide words from a reader.
const invisible =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const controls = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g
const lineBreaks = /\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g
const oddSpaces = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g

/**
 * Letters of western Europe, blanks and common marks. A text of only these needs no changes, and most sentences are
 * like this.
 */
const tidyAlready = /^[\t\n\x20-\x7e\xa1-\xac\xae-\xff]*$/
/** The same for `fold`: ASCII characters that it does not replace. */
const foldsByCase = /^[\t\n\x20-\x5f\x61-\x7e]*$/

/**
 * The text with `\n` as its only line break and no other white space than blanks and tabs, without invisible
 * characters.
 */
export const tidyText = (text: string): string => (tidyAlready.test(text) ? text : tidied(text))

const tidied = (text: string): string =>
  text.replace(lineBreaks, "\n").replace(invisible, "").replace(controls, "").replace(oddSpaces, " ").toWellFormed()

/** The first `length` characters. It never splits a surrogate pair. */
export const clip = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, "")

/** The form for matching rules: lower case, no accents, plain apostrophes. Blanks and line breaks stay. */
export const fold = (text: string): string => (foldsByCase.test(text) ? text.toLowerCase() : folded(text))

const folded = (text: string): string =>
  tidyText(text)
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‘’´`]/g, "'")
    .replace(/[“”«»]/g, '"')
    .replace(/[–—]/g, "-")

export interface Sentence {
  readonly text: string
  readonly isQuestion: boolean
}

const maximumSentences = 200

/** Whether one of the final marks is a question mark. A pattern would take quadratic time on a long run of marks. */
const endsInQuestion = (sentence: string): boolean => {
  let end = sentence.length
  while (end > 0 && (sentence.charAt(end - 1) === "!" || sentence.charAt(end - 1) === ".")) end--
  return sentence.charAt(end - 1) === "?"
}

/** The sentences of a text. They end at a line break, or at a mark that is not inside an address or a number. */
export const sentencesOf = (text: string): ReadonlyArray<Sentence> => {
  const sentences: Array<Sentence> = []
  for (const match of text.matchAll(/([^\n.!?;]|[.!?](?=[^\s.!?;])){1,2000}[.!?;\n]*/g)) {
    const sentence = match[0].replace(/\s+/g, " ").trim()
    if (sentence === "") continue
    sentences.push({ text: sentence, isQuestion: endsInQuestion(sentence) || sentence.startsWith("¿") })
    if (sentences.length === maximumSentences) break
  }
  return sentences
}

/** A part of a text: its start and the position after its end. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A 32-bit hash (FNV-1a) that is the same on all machines. */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  }
  return hash
}

/** The final mix of murmur3, so that similar texts get very different numbers. */
const mixed = (hash: number): number => {
  let value = hash
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/** A number from 0 to below 1. It is always the same for a text, and evenly distributed over texts. */
export const shareOf = (text: string): number => mixed(hashOf(text)) / 2 ** 32

/** All strings in a value, including nested ones, in their order. */
export const stringsIn = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : Array.isArray(value)
      ? value.flatMap(stringsIn)
      : typeof value === "object" && value !== null
        ? Object.values(value).flatMap(stringsIn)
        : []
