import { detectLanguage } from "../../Text/Language.ts"
import { withoutEnd } from "../Material/MaterialText.ts"
import type { SiteBlock } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import type { ChangeDesk, ReadChange } from "./ChangeDesk.ts"
import type { PlacedBlock } from "./ChangeTargets.ts"

export type Reader = (clause: string, desk: ChangeDesk) => ReadChange | undefined

export const done = (note: string, ...operations: ReadonlyArray<SiteOperation>): ReadChange => ({
  operations,
  notes: [note]
})
export const only = (note: string): ReadChange => ({ operations: [], notes: [note] })

export const removes =
  /^(?:por favor,? |please,? )?(?:(?:quero|queremos|i want to|we want to|quiero) )?(?:remov\w+|tir[ae]r?|apag\w+|exclu\w+|retir\w+|delet\w+|take out|drop|get rid of|quit[ae]r?|quite|elimin\w+|borr\w+|hide|escond\w+)\b/
export const adds =
  /^(?:por favor,? |please,? )?(?:(?:quero|queremos|i want to|we want to|quiero) )?(?:adicion\w+|inclu\w+|acrescent\w+|coloqu\w+|cri[ae]r?|add|include|insert|create|put|agreg\w+|anad\w+|incorpor\w+|ponha|ponga|crear|crea|mostr\w+|show)\b/
const quotedText = /[“"«]([^”"»]{1,2000})[”"»]/g
export const quotesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(quotedText)].map(([, inner = ""]) => inner.trim())

const valueMarks = {
  "pt-BR": /(?::\s|\s(?:para|por|como|to)\s)\s?(.{2,600})$/i,
  en: /(?::\s|\s(?:to|by|with|as|para)\s)\s?(.{2,600})$/i,
  es: /(?::\s|\s(?:por|a|como|para)\s)\s?(.{2,600})$/i
} as const

/** What is to be instead: the last text in quotation marks, else what follows "para", "to" or a colon. */
export const newValue = (clause: string): string | undefined => {
  const quotes = quotesIn(clause)
  const last = quotes.at(-1)
  if (last !== undefined) return last
  // "A" precedes a value in Spanish alone: it is an article in the two other languages, as "as" is in Portuguese.
  const marks = valueMarks[detectLanguage(clause) ?? "pt-BR"]
  const match = marks.exec(clause)
  const value = withoutEnd(match?.[1] ?? "", ".;").trim()
  return value === "" ? undefined : value
}

export const replaceBlock = ({ block, page }: PlacedBlock, changed: SiteBlock): SiteOperation => ({
  _tag: "ReplaceBlock",
  page: page.id,
  variant: null,
  block: { ...changed, id: block.id }
})

export const swaps =
  /^(?:por favor,? |please,? )?(?:mud\w+|troqu\w+|troc\w+|alter\w+|substitu\w+|chang\w+|replac\w+|cambi\w+|reemplac\w+|reemplaz\w+|reescrev\w+|rewrite|set|use|coloqu\w+|escrev\w+|write|ponga|ponha|pon|make|deix\w+|corrij\w+|corrig\w+|fix|onde se le|where it says)\b/
