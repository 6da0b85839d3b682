import { bareItem, capitalised, within } from "../MaterialText.ts"
import { type BriefRule, filled, type ReadQuote, ruleOf } from "./BriefRule.ts"

/** Words between quotation marks, where they are and what is around them. */
interface Quotation {
  readonly words: string
  readonly from: number
  readonly to: number
}

const quotation = /"([^"\n]{3,600})"|“([^”\n]{3,600})”|«([^»\n]{3,600})»/g

export const quotationsIn = (text: string): ReadonlyArray<Quotation> =>
  [...text.matchAll(quotation)].map((match) => ({
    words: (match[1] ?? match[2] ?? match[3] ?? "").trim(),
    from: match.index,
    to: match.index + match[0].length
  }))

const personal = "(?:\\p{Lu}[\\p{L}'’-]*\\.?|d[aeo]s?|de|&|y|e|and)"
const personRun = new RegExp(`^(?:a |o |la |el )?(\\p{Lu}[\\p{L}'’-]*\\.?(?:\\s${personal}){0,5})`, "u")

/** A name without marks around it; the point of an initial belongs to it. */
const speakerOf = (name: string): string => (/(?:^|\s)\p{Lu}\.$/u.test(name.trim()) ? name.trim() : bareItem(name))

/** The name at the beginning of a text, and what is behind it. */
const nameAtStart = (text: string): readonly [name: string, rest: string] | undefined => {
  const match = personRun.exec(text)
  return match === null ? undefined : [speakerOf(match[1] ?? ""), text.slice(match[0].length)]
}

const saying = /^,?\s{0,3}(?:diz|disse|dice|dijo|says|said|cuenta|conta)\s/
const saidBefore =
  /(?:^|[\s,.])(?:(?:nos )?(?:said|says|wrote|told us|disse|diz|escreveu|dijo|dice|dej[oó] escrito|escribi[oó]))[:,]?\s{0,3}$/i
/** Fewer words than these are a name, a slogan or a word that is spoken of. */
const leastWords = 3

const roleIn = (rest: string): string => /^(?:,\s?|\s?\()([^.)\n;"“/]{2,120})/.exec(rest)?.[1] ?? ""

/** Who said what is before this text: "— Norma, neighbour", "(Vanessa L.)", ", says Norma", "Rui P. / …". */
const speakerBehind = (behind: string): readonly [name: string, role: string] | undefined => {
  const dashed = /^\s{0,3}[—–-]{1,2}\s{0,3}/.exec(behind)?.[0]
  const spoken = saying.exec(behind)?.[0]
  const bracketed = /^\s{0,3}\(([^()\n]{2,80})\)/.exec(behind)?.[1]
  if (bracketed !== undefined) {
    const [name = "", ...role] = bracketed.split(", ")
    return /^\p{Lu}/u.test(name) ? [name, role.join(", ")] : undefined
  }
  const lead = dashed ?? spoken
  const speaker = nameAtStart(behind.slice(lead?.length ?? 0).trimStart())
  if (speaker === undefined) return undefined
  const [name, rest] = speaker
  if (lead !== undefined) return [name, roleIn(rest)]
  // Right behind the words a name is all up to the end of the part.
  return /^\.?\s{0,3}(?:$|[/;,"“\n])/.test(rest) ? [name, ""] : undefined
}

const speakerBefore = (before: string): string | undefined => {
  const match = saidBefore.exec(before)
  if (match === null) return undefined
  const clause = before.slice(0, match.index + 1)
  const runs = [...clause.matchAll(/\p{Lu}[\p{L}'’-]*\.?(?:\s(?:de|da|do|\p{Lu}[\p{L}'’-]*\.?)){0,4}/gu)]
  const [named] = runs.slice(-1).map(([run]) => run)
  const whole = /(?:^|[.,;]\s)([^.,;]{2,60})$/.exec(clause.trimEnd())?.[1]
  if (named === undefined) return undefined
  return whole !== undefined && /^\p{Lu}/u.test(whole) && whole.split(" ").length <= 5 ? whole : named
}

/** The words of clients that a text has, each with who said them. */
export const quotesIn = (text: string): ReadonlyArray<ReadQuote> =>
  quotationsIn(text).flatMap(({ from, to, words }, index, all) => {
    if (words.split(/\s+/).length < leastWords) return []
    const behind = text.slice(to, all[index + 1]?.from ?? text.length)
    const before = text.slice(all[index - 1]?.to ?? 0, from)
    const [name, role] = speakerBehind(behind) ?? [speakerBefore(before) ?? "", ""]
    return name === ""
      ? []
      : [
          {
            words: within(capitalised(words), 600),
            name: within(speakerOf(name), 120),
            role: within(bareItem(role), 160)
          }
        ]
  })

/** What a statement says besides its quotations and those who said them. */
const restOf = (text: string, quotes: ReadonlyArray<ReadQuote>): string => {
  let rest = text
  for (const { name, role, words } of quotes)
    for (const part of [words, words.charAt(0).toLocaleLowerCase() + words.slice(1), name, role])
      if (part !== "") rest = rest.replace(part, " ")
  return rest.replace(/["“”«»()/—–-]/g, " ").trim()
}

const longestRest = 60

export const quoteRules: ReadonlyArray<BriefRule> = [
  ruleOf(
    "words of clients",
    ({ text }) => filled(quotesIn(text)),
    (quotes, { kind, text }) => ({
      facts: { quotes },
      goesOn: kind !== "quotes" && restOf(text, quotes).length > longestRest
    })
  )
]
