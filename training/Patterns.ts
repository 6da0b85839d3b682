import { readFileSync } from "node:fs"
import { hashOf } from "../src/Services/Text/PlainText.ts"

/**
 * Sentences that are written once with their alternatives: "{can|could} we meet $day?". They make the training set
 * wider than anybody would write it out. None of them is held out, so that figures are those of real sentences.
 */

/** Sentences made of a pattern; more of the same pattern teach little. */
const sentencesOfPattern = 8

/** A list of words that patterns name with a dollar sign: `$day`, then its alternatives. */
type Lists = ReadonlyMap<string, string>

const alternatives = /\{([^{}]*)\}/g
const listName = /\$([a-z]+)/g

/** One sentence of a pattern: each choice by a hash of what is chosen, so that it is the same in every run. */
const sentenceOf = (pattern: string, lists: Lists, seed: number): string => {
  let choices = 0
  const choose = (_: string, options: string): string => {
    const all = options.split("|")
    choices++
    return all[hashOf(`${seed} ${choices} ${pattern}`) % all.length] ?? ""
  }
  const open = (text: string): string =>
    text.replace(listName, (whole, name: string) => {
      const list = lists.get(name)
      return list === undefined ? whole : choose(whole, list)
    })
  return open(pattern.replace(alternatives, choose)).replace(/\s+/g, " ").trim()
}

/** Capitals are left out as often as in a chat, and so are accents. */
const asInChat = (sentence: string, seed: number): string => {
  const share = hashOf(`${seed} ${sentence}`) % 10
  if (share < 5) return sentence.charAt(0).toUpperCase() + sentence.slice(1)
  return share < 8 ? sentence : sentence.toLowerCase()
}

/** The labelled sentences that come of a file of patterns, as labels and text. */
export const patternSentences = (name: string): ReadonlyArray<readonly [labels: string, text: string]> => {
  const lines = readFileSync(new URL(`./patterns/${name}.tsv`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line.includes("\t"))
    .map((line) => line.split("\t"))
  const lists: Lists = new Map(
    lines.flatMap(([head = "", rest = ""]) => (head.startsWith("$") ? [[head.slice(1), rest] as const] : []))
  )
  return lines.flatMap(([labels = "", pattern = ""]) => {
    if (labels.startsWith("$")) return []
    const sentences = new Set(
      Array.from({ length: sentencesOfPattern }, (_, seed) => asInChat(sentenceOf(pattern, lists, seed), seed))
    )
    return [...sentences].map((text) => [labels, text] as const)
  })
}
