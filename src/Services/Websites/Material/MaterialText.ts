import { clip, fold, tidyText } from "../../Text/PlainText.ts"
import { kindOf, type LabelKind } from "./MaterialLabels.ts"

/** A sentence or line of the material, with the heading above it. */
export interface Statement {
  readonly text: string
  /** The heading above the statement, or the label before it. Empty without one. */
  readonly label: string
  /** True for a list item. */
  readonly isItem: boolean
  /** True if the label is in the same sentence, not in a heading above. */
  readonly isInline?: boolean
}

const longestMaterial = 24_000
const longestSentence = 1500
const bullet = /^\s{0,8}(?:[-*•–·▪]|\d{1,2}[.)])\s+/
const heading = /^#{1,6}\s+/

// A point behind these ends no sentence.
const abbreviations: ReadonlySet<string> = new Set(
  "dr dra sr sra srta prof profa eng av r al trav tv pç pca est rod km nº no n tel cel ex etc mr mrs ms st ave rd blvd apt inc ltd co corp ltda cia s.a p.ej ej ud uds vs ca pág pag min máx max a.m p.m dept depto jr hnos col of int izq avda ave lic cpn dpto esq ste bldg".split(
    " "
  )
)

const endsSentence = (line: string, at: number): boolean => {
  const before = line.slice(Math.max(0, at - 12), at)
  const word = before.slice(before.lastIndexOf(" ") + 1).replace(/^[("“]/, "")
  // "Beacon Electrical Ltd. Rewiring, fuse boards": the form of a company ends a sentence where another begins.
  if (/^(?:ltd|inc|corp|ltda|cia|gmbh)$/i.test(word)) return /^ \p{Lu}/u.test(line.slice(at + 1, at + 3))
  // "Nombre, mail, tel. Que no diga …": short for a number only before one.
  if (/^(?:tel|cel)$/i.test(word)) return !/^\s?[\d(+]/.test(line.slice(at + 1, at + 3))
  // "No. 5" is a number, and "no." alone ends a sentence.
  if (word.toLowerCase() === "no") return !/^\s\d/.test(line.slice(at + 1, at + 3))
  return !(abbreviations.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word))
}

/** The sentences of one line, with their marks. */
export const sentencesIn = (line: string): ReadonlyArray<string> => {
  const sentences: Array<string> = []
  let from = 0
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? ""
    if (character === "“" || character === "«") isQuoted = true
    if (character === "”" || character === "»") isQuoted = false
    if (character === '"') isQuoted = !isQuoted
    if (isQuoted || !".!?".includes(character)) continue
    const next = line[at + 1]
    if (next !== undefined && next !== " ") continue
    if (character === "." && !endsSentence(line, at)) continue
    sentences.push(line.slice(from, at + 1).trim())
    from = at + 1
  }
  sentences.push(line.slice(from).trim())
  return sentences.filter((sentence) => sentence !== "")
}

/** Kinds of labels that are alone in a line over what they are of. */
const listKinds: ReadonlySet<LabelKind> = new Set([
  "offers",
  "prices",
  "people",
  "clients",
  "steps",
  "quotes",
  "questions",
  "benefits",
  "figures"
])
/** What is below them is read line by line: a question and its answer, or words and who said them. */
const wholeLineKinds: ReadonlySet<LabelKind> = new Set(["quotes", "questions"])
const longestHeading = 60
const longestItem = 140

const isKindOf = (label: string, kinds: ReadonlySet<LabelKind>): boolean => {
  const kind = kindOf(label)
  return kind !== undefined && kinds.has(kind)
}

const isHeading = (line: string, next: string | undefined): boolean =>
  heading.test(line) ||
  (next !== undefined &&
    next !== "" &&
    line.length <= longestHeading &&
    !/[.!?,;]$/.test(line) &&
    (line.endsWith(":") ||
      bullet.test(next) ||
      // "Tarifas" alone over lines of prices.
      (!/[\d:@]/.test(line) &&
        line.split(" ").length <= 5 &&
        (isKindOf(line, listKinds) || kindOf(line) === "contact"))))

/** "Services: a, b" is a label and what it is of; undefined where nothing that short stands before a colon. */
const labelled = (sentence: string): readonly [label: string, rest: string] | undefined => {
  const at = sentence.indexOf(": ")
  if (at < 2 || at > 44) return undefined
  const label = sentence.slice(0, at)
  return /[.,!?"“(]/.test(label) || /\d/.test(label) ? undefined : [label.trim(), sentence.slice(at + 2).trim()]
}

const flyerMark = /\s[*•|]\s/
const leastFlyerParts = 4

/** The lines of a text; a line whose parts are parted by stars or bars is one for each part. */
const linesOf = (raw: string): ReadonlyArray<string> =>
  tidyText(raw.slice(0, longestMaterial))
    .split("\n")
    // A text that was pasted between quotation marks.
    .map((line) => line.replace(/^\s{0,4}["“](.{200,4000})["”]\s{0,4}$/, "$1"))
    .flatMap((line) => {
      const parts = line.replace(/^\s{0,4}>{1,4}|<{1,4}\s{0,4}$/g, "").split(flyerMark)
      return parts.length < leastFlyerParts || /^\s{0,4}\|/.test(line)
        ? [line]
        : parts.map((part) => `- ${part.trim()}`)
    })

/** The statements of one line that is no heading. */
const lineStatements = (line: string, above: string, isBelow: boolean): ReadonlyArray<Statement> => {
  if (isBelow && isKindOf(above, wholeLineKinds)) return [{ text: line, label: above, isItem: false }]
  const isOne = sentencesIn(line).length === 1
  if (isBelow && line.length <= longestItem && isKindOf(above, listKinds) && (isOne || kindOf(above) === "people"))
    return [{ text: line, label: above, isItem: true }]
  const statements: Array<Statement> = []
  const sentences = sentencesIn(line)
  let from = 0
  for (const sentence of sentences) {
    const at = line.indexOf(sentence, from)
    from = at + sentence.length
    const parts = labelled(sentence)
    if (parts === undefined) {
      statements.push({ text: sentence, label: above, isItem: false })
      continue
    }
    const [label, rest] = parts
    // "FAQ: What do I bring? Socks." continues to the end of its line.
    if (isKindOf(label, wholeLineKinds))
      return [...statements, { text: line.slice(line.indexOf(": ", at) + 2).trim(), label, isItem: false }]
    statements.push({ text: rest, label, isItem: false, isInline: true })
  }
  return statements
}

/** A text taken apart: sentences and items, each with its label. */
export const statementsOf = (raw: string): ReadonlyArray<Statement> => {
  const lines = linesOf(raw)
  const statements: Array<Statement> = []
  let above = ""
  let isBelow = false
  let isListed = false
  lines.forEach((rawLine, index) => {
    const line = rawLine.trim()
    const isBullet = bullet.test(rawLine)
    if (line === "") {
      if (bullet.test(lines[index + 1] ?? "")) return
      above = ""
      isBelow = false
      return
    }
    if (!isBullet && isHeading(line, lines[index + 1]?.trim())) {
      above = line.replace(heading, "").replace(/:$/, "")
      isBelow = true
      isListed = false
      return
    }
    if (isBullet) {
      isListed = true
      statements.push({ text: line.replace(bullet, "").trim(), label: above, isItem: true })
      return
    }
    // "… in Córdoba. Fields:" with a list below it.
    const last = sentencesIn(line).at(-1) ?? ""
    const isListHead = bullet.test(lines[index + 1] ?? "") || isKindOf(last.replace(/:$/, ""), wholeLineKinds)
    if (line.endsWith(":") && isListHead) {
      statements.push(...lineStatements(line.slice(0, line.length - last.length).trim(), above, isBelow))
      above = last.slice(0, -1)
      isBelow = true
      isListed = false
      return
    }
    // What follows a list does not belong to its heading.
    if (isListed) {
      above = ""
      isBelow = false
    }
    isListed = false
    statements.push(...lineStatements(line, above, isBelow))
  })
  // A sentence of a site is short: what is looked for in one is not looked for without end.
  return statements
    .filter(({ text }) => text !== "")
    .map((each) => ({ ...each, text: clip(each.text, longestSentence) }))
}

/** The sentences and items of a text, each with the label that is in its line. */
export const labelledSentencesOf = (raw: string): ReadonlyArray<string> =>
  statementsOf(raw).map(({ isInline, label, text }) => (isInline === true ? `${label}: ${text}` : text))

/** Removes these characters from the end of a text. A regular expression would take quadratic time on long runs. */
export const withoutEnd = (text: string, marks: string): string => {
  let end = text.length
  while (end > 0 && marks.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

const listMarks = /;|,(?!\d)/

/** The text without final marks and joining words at its beginning. */
export const bareItem = (text: string): string =>
  withoutEnd(
    text.trim().replace(/^(?:e|and|y|ou|or|também|also|también|além de|as well as|inclusive)\s+/i, ""),
    ".;,:"
  ).trim()

/** Words that join what is before them to what comes: no name and no offer ends with one. */
const joining =
  /(?:^|\s)(?:d[aeo]s?|del|de la|e|y|and|&|of|the|la|el|los|las|in|em|en|no|na|nos|nas|com|con|with|para|pra|pro|por|for|to|at|by|from|que|who|which|o|a|os|as|um|uma|un|una|an?|ou|or|se|si|if|mas|but|pero|is|é|es|are|s[ãa]o|son|meu|minha|my|our|mi|nosso|nossa|nuestr[oa])$/u

export const endsJoining = (text: string): boolean => joining.test(text.trim())

/** A text without the words at its end that join it to what comes. */
export const withoutJoining = (raw: string): string => {
  const words = raw.trim().split(/\s+/)
  while (words.length > 1 && endsJoining(words.join(" "))) words.pop()
  return words.join(" ")
}

/** Most words of a place or a name. */
const mostProperWords = 6

/** Whether a text is names alone: "Drogheda", "Campo Grande MS", "em Santos", "Boulder, Colorado". */
export const isProper = (text: string): boolean => {
  const words = withoutEnd(text.trim(), ".")
    .replace(/^(?:em|in|en|at)\s/i, "")
    .split(/\s+/)
  return (
    words.length <= mostProperWords &&
    /^\p{Lu}/u.test(words[0] ?? "") &&
    words.every((word) => /^(?:\p{Lu}[\p{L}'’.-]*,?|d[aeo]s?|del|la|el|of|[–-])$/u.test(word))
  )
}

/** The items of "a, b e c"; one where nothing parts them. A comma within a number or in brackets parts nothing. */
export const itemsIn = (text: string): ReadonlyArray<string> => {
  const shielded = text.replace(/\([^()]{0,200}\)/g, (inner) =>
    inner.replaceAll(",", "\u0001").replaceAll(";", "\u0002")
  )
  const parts = shielded.split(listMarks).map((part) => part.trim())
  const last = parts.at(-1) ?? ""
  // "x, y e z", and "y e z" alone; what is long on both sides is a sentence.
  const tail = /^(.{2,80}?)\s(?:e|and|y|&)\s(.{2,80})$/.exec(last)
  const all =
    tail === null || (parts.length === 1 && last.length > 90)
      ? parts
      : [...parts.slice(0, -1), tail[1] ?? "", tail[2] ?? ""]
  return all
    .map((part) => bareItem(part.replaceAll("\u0001", ",").replaceAll("\u0002", ";")))
    .filter((part) => part.length > 1)
    .slice(0, 30)
}

export const capitalised = (text: string): string => {
  const [first = ""] = text
  return first.toLocaleUpperCase() + text.slice(first.length)
}

/** Shortens a text to `longest` characters, at the end of a word if possible. */
export const within = (text: string, longest: number): string => {
  if (text.length <= longest) return text
  const cut = clip(text, longest - 1)
  const space = cut.lastIndexOf(" ")
  return `${withoutEnd(space > longest / 2 ? cut.slice(0, space) : cut, ",;:. \n")}…`
}

const marks: ReadonlyArray<string> = [" – ", " — ", " - ", ": "]

/** "Title: what it is" in two; the title alone where nothing follows. */
export const titled = (text: string): { readonly title: string; readonly text: string } => {
  for (const mark of marks) {
    const at = text.indexOf(mark)
    if (at >= 2 && at <= 80)
      return { title: capitalised(bareItem(text.slice(0, at))), text: capitalised(text.slice(at + mark.length).trim()) }
  }
  const bracket = /^([^()]{2,80})\(([^()]{2,200})\)\.?$/.exec(text)
  if (bracket !== null) return { title: capitalised(bareItem(bracket[1] ?? "")), text: capitalised(bracket[2] ?? "") }
  return { title: capitalised(bareItem(text)), text: "" }
}

/** Whether the text contains a word of the list. Accents are ignored. */
export const names = (text: string, words: RegExp): boolean => words.test(fold(text))

/** Makes a key from a label that differs from the existing keys. */
export const keyFor = (label: string, taken: ReadonlyArray<string>): string => {
  const plain = fold(label)
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 34)
    .replace(/^[^a-z]+/, "")
    .replace(/-$/, "")
  const base = plain === "" ? "part" : plain
  if (!taken.includes(base)) return base
  for (let count = 2; ; count++) if (!taken.includes(`${base}-${count}`)) return `${base}-${count}`
}
