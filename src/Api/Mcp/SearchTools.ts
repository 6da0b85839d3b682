import type { Catalog } from "../../Tools/Core/Catalog.ts"
import type { Kind, Tool } from "../../Tools/Core/Tool.ts"
import { formsIn, isStem, makeFormsOf, wordsOf } from "./SearchWords.ts"
import { toolPhrases } from "./ToolPhrases.ts"
import { toolSituations } from "./ToolSituations.ts"

export interface FoundTool {
  readonly group: string
  readonly tool: Tool<unknown>
}

type ToolSearch = (query: string, limit: number, isShown: (found: FoundTool) => boolean) => ReadonlyArray<FoundTool>

interface Indexed extends FoundTool {
  /** Weight of each word in what is said of the tool. */
  readonly weights: ReadonlyMap<string, number>
  readonly length: number
  /** What each word of the tool's name may be called. */
  readonly nameWords: ReadonlyArray<ReadonlyArray<string>>
  /** What people say who want it, each as its words in all their forms. */
  readonly phrases: ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>>
}

type Part = readonly [words: ReadonlyArray<string>, weight: number]

const weightsOf = (parts: ReadonlyArray<Part>): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  for (const [words, weight] of parts) {
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + weight)
  }
  return weights
}

const sum = (numbers: Iterable<number>): number => {
  let total = 0
  for (const number of numbers) total += number
  return total
}

/** How soon a word that is said again stops to count, and how much a long text counts less. */
const saturation = 3
const lengthShare = 0.5
/** What it is worth that a wish says a tool's whole name in its own words. */
const nameBonus = 3
/** What it is worth that a wish is one of the phrases of a tool. */
const phraseBonus = 10
/** What of a word it is worth that a phrase says another that means the same. */
const likeWord = 0.6
/** Words of names that a wish need not say: who names a thing wants to see it. */
const looking = new Set(["get", "list"])

/** Meanings of words by which people ask for something to be done, or to be shown. */
const doing = new Set(
  (
    "=register =update =delete =stop =pause =resume =send =create =add =remove =cancel =archive =move =rename =set " +
    "=connect =disconnect =export =upload =import =edit =change =allow =revoke =generate =restore =mute =reschedule " +
    "=recover =confirm =draft =resend =redeliver =acknowledge"
  ).split(" ")
)
const showing = new Set(["=get", "=list", "=search", "=history", "=volume"])
/** What is left of the score of a tool that shows where something is to be done, and the other way round. */
const otherKind = 0.85

const spaced = (name: string): string => name.replaceAll("_", " ")

const indexOf = (catalog: Catalog<unknown>): ReadonlyArray<Indexed> =>
  catalog.entries.map(({ group, tool }) => {
    const phrases = [toolPhrases[tool.name], toolSituations[tool.name]].flatMap((said) =>
      (said ?? "").split(";").map(formsIn)
    )
    const weights = weightsOf([
      [wordsOf(spaced(tool.name)), 4],
      [wordsOf(group), 1.5],
      [wordsOf(tool.description), 1.5],
      [wordsOf(spaced(Object.keys(tool.parameters).join(" "))), 0.4],
      [phrases.flat().map(([stem = ""]) => stem), 1.5],
      [phrases.flat().flatMap(([, ...meanings]) => meanings), 0.5]
    ])
    return {
      group,
      tool,
      weights,
      length: sum(weights.values()),
      nameWords: tool.name
        .split("_")
        .filter((word) => !looking.has(word))
        .map(wordsOf)
        .filter((words) => words.length > 0),
      phrases: phrases.filter((words) => words.length > 0)
    }
  })

const searchOver = (indexed: ReadonlyArray<Indexed>): ToolSearch => {
  const averageLength = sum(indexed.map(({ length }) => length)) / Math.max(indexed.length, 1)
  const holders = new Map<string, number>()
  for (const { weights } of indexed) {
    for (const word of weights.keys()) holders.set(word, (holders.get(word) ?? 0) + 1)
  }
  const rarity = (word: string): number => {
    const count = holders.get(word) ?? 0
    return count === 0 ? 0 : Math.log(1 + (indexed.length - count + 0.5) / (count + 0.5))
  }
  const formsOf = makeFormsOf(new Set([...holders.keys()].filter(isStem)))

  /** How much of a wish and of the phrase that is nearest to it are the same words, from 0 to 1. */
  const nearness = (words: ReadonlySet<string>, said: number, phrases: Indexed["phrases"]): number => {
    let best = 0
    for (const phrase of phrases) {
      let common = 0
      let whole = 0
      for (const [stem = "", ...meanings] of phrase) {
        const worth = rarity(stem)
        whole += worth
        if (words.has(stem)) common += worth
        else if (meanings.some((word) => words.has(word))) common += worth * likeWord
      }
      best = Math.max(best, (2 * common) / (said + whole))
    }
    return best
  }

  return (query, limit, isShown) => {
    const forms = formsOf(query)
    const words = new Set(forms.flatMap((form) => form.words))
    const isDoing = [...words].some((word) => doing.has(word))
    const isShowing = [...words].some((word) => showing.has(word))
    const fitting = (kind: Kind): number => (isDoing === isShowing || isDoing === (kind !== "read") ? 1 : otherKind)
    const said = sum([...words].filter(isStem).map(rarity))
    const scored = indexed.filter(isShown).map((entry) => {
      const norm = 1 - lengthShare + (lengthShare * entry.length) / averageLength
      let score = entry.tool.name === query.trim() ? 1000 : 0
      // Of the meanings of a word the one counts that fits the tool best.
      for (const form of forms) {
        let best = 0
        for (const word of form.words) {
          const weight = entry.weights.get(word) ?? 0
          if (weight > 0)
            best = Math.max(best, (rarity(word) * weight * (saturation + 1)) / (weight + saturation * norm))
        }
        score += best * form.share
      }
      const named = entry.nameWords.filter((names) => names.some((word) => words.has(word))).length
      const share = named / Math.max(entry.nameWords.length, 1)
      const near = said === 0 ? 0 : nearness(words, said, entry.phrases)
      score += nameBonus * share * share + phraseBonus * near * near
      return { entry, score: score * fitting(entry.tool.kind) }
    })
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.entry.tool.name < b.entry.tool.name ? -1 : 1))
      .slice(0, limit)
      .map(({ entry: { group, tool } }) => ({ group, tool }))
  }
}

/**
 * Ranks the catalog's tools by how well they fit a wish, in Portuguese, English or Spanish: rare words count more than
 * common ones, a tool's name more than its description, and what people say who want it most. The index is made at the
 * first search: many gateways are never asked.
 */
export const makeToolSearch = (catalog: Catalog<unknown>): ToolSearch => {
  let search: ToolSearch | undefined
  return (query, limit, isShown) => {
    search ??= searchOver(indexOf(catalog))
    return search(query, limit, isShown)
  }
}
