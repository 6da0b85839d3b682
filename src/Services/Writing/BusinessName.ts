import type { Gender } from "../Text/PersonName.ts"
import { fold } from "../Text/PlainText.ts"

const masculine =
  /^(?:grupo|instituto|hospital|escrit[óo]rio|banco|laborat[óo]rio|est[úu]dio|studio|ateli[êe]|centro|hotel|col[ée]gio|clube|sindicato|servi[çc]o|pet ?shop|sal[ãa]o|restaurante|supermercado|mercado|caf[ée]|bar|espa[çc]o|consult[óo]rio|posto|armaz[ée]m|emp[óo]rio|dep[óo]sito|shopping|spa|buffet|condom[íi]nio)(?=\s|$)/i

/** The gender of the article before a business's name in Portuguese: "a Acme", "o Grupo Acme". */
export const articleGender = (name: string): Gender => (masculine.test(name) ? "masculine" : "feminine")

const linkingWords: ReadonlySet<string> = new Set("da do de of from at by".split(" "))

const mark = /^[\s,.|/–—-]+$/

/** The words without punctuation between them. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(" ")
    .map((word) => word.replace(/^,|,$/g, ""))
    .filter((word) => word !== "" && !mark.test(word))

/**
 * The sender's name without the business, because sentences name both: "Marina da OdontoSoft" becomes Marina. Undefined
 * if nothing remains.
 */
export const senderBesides = (sender: string, business: string): string | undefined => {
  const folded = fold(sender)
  const at = folded.length === sender.length ? folded.lastIndexOf(fold(business)) : -1
  if (at <= 0 || at + business.length < sender.length)
    return sender === "" || folded === fold(business) ? undefined : sender
  const words = wordsOf(sender.slice(0, at))
  const isLinked = linkingWords.has(fold(words.at(-1) ?? ""))
  const name = (isLinked ? words.slice(0, -1) : words).join(" ")
  return name === "" ? undefined : name
}
