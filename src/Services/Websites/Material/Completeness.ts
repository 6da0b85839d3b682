import { fold, stringsIn } from "../../Text/PlainText.ts"
import { addressIn, phonesIn } from "./MaterialContacts.ts"
import type { BriefContext } from "./Rules/BriefRule.ts"

/** Numbers, and names inside a sentence. Losing one of these words loses a fact. */
export const factWords = (text: string): ReadonlyArray<string> => {
  const factual: Array<string> = []
  for (const match of text.matchAll(/[\p{L}\d][\p{L}\d'’.,:@-]*/gu)) {
    const [word] = match
    const before = text.slice(0, match.index).trimEnd()
    const isFirst = before === "" || /[.!?:"“”]$/.test(before)
    if (/\d/.test(word) || (!isFirst && /^\p{Lu}\p{Ll}/u.test(word))) factual.push(fold(word).replace(/[.,:]+$/, ""))
  }
  return factual
}

const allTexts = ({ about, facts: { contacts, orders: _, ...facts }, name, texts }: BriefContext): string =>
  fold(
    [
      name,
      about,
      ...stringsIn(facts),
      ...stringsIn(texts),
      // Only the contacts in these statements are shown.
      ...contacts.flatMap((text) => [
        ...phonesIn(text),
        addressIn(text) ?? "",
        ...(text.match(/[^\s@]{1,64}@\S{1,200}|https?:\S{1,400}|www\.\S{1,400}/g) ?? [])
      ])
    ].join("\n")
  )

/** True if the facts read from a text contain all its numbers and names, or if the text added no facts. */
export const saysAllOf = (text: string, before: BriefContext | undefined, after: BriefContext): boolean => {
  if (before !== undefined && before.facts === after.facts) return true
  const takenText = allTexts(after)
  const words = new Set(takenText.match(/[\p{L}\d][\p{L}\d'’.,:@-]*/gu)?.map((word) => word.replace(/[.,:]+$/, "")))
  return factWords(text).every((word) => words.has(word) || (word.length > 5 && takenText.includes(word)))
}
