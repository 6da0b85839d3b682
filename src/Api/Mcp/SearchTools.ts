import type { Catalog } from "../../Tools/Core/Catalog.ts"
import type { Tool } from "../../Tools/Core/Tool.ts"
import { formsOf, wordsOf } from "./SearchWords.ts"

export interface FoundTool {
  readonly group: string
  readonly tool: Tool<unknown>
}

interface Indexed extends FoundTool {
  /** Weight of each word in what is said of the tool. */
  readonly weights: ReadonlyMap<string, number>
  readonly length: number
  /** What each word of the tool's name may be called. */
  readonly nameWords: ReadonlyArray<ReadonlyArray<string>>
}

const weightsOf = (parts: ReadonlyArray<readonly [text: string, weight: number]>): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  for (const [text, weight] of parts) {
    for (const word of wordsOf(text)) weights.set(word, (weights.get(word) ?? 0) + weight)
  }
  return weights
}

/** How soon a word that is said again stops to count, and how much a long text counts less. */
const saturation = 1.4
const lengthShare = 0.5
/** What it is worth that a wish says a tool's whole name in its own words. */
const nameBonus = 3
/** Words of names that a wish need not say: who names a thing wants to see it. */
const looking = new Set(["get", "list"])

/**
 * Ranks the catalog's tools by how well they fit a wish, in Portuguese, English or Spanish: rare words count more than
 * common ones, and a tool's name more than its description.
 */
export const makeToolSearch = (
  catalog: Catalog<unknown>
): ((query: string, limit: number, isShown: (found: FoundTool) => boolean) => ReadonlyArray<FoundTool>) => {
  const indexed: ReadonlyArray<Indexed> = catalog.entries.map(({ group, tool }) => {
    const weights = weightsOf([
      [tool.name.replaceAll("_", " "), 4],
      [group, 1.5],
      [tool.description, 1],
      [Object.keys(tool.parameters).join(" ").replaceAll("_", " "), 0.4]
    ])
    return {
      group,
      tool,
      weights,
      length: [...weights.values()].reduce((sum, weight) => sum + weight, 0),
      nameWords: tool.name
        .split("_")
        .filter((word) => !looking.has(word))
        .map(wordsOf)
        .filter((words) => words.length > 0)
    }
  })
  const averageLength = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(indexed.length, 1)
  const holders = new Map<string, number>()
  for (const { weights } of indexed) {
    for (const word of weights.keys()) holders.set(word, (holders.get(word) ?? 0) + 1)
  }
  const rarity = (word: string): number => {
    const count = holders.get(word) ?? 0
    return count === 0 ? 0 : Math.log(1 + (indexed.length - count + 0.5) / (count + 0.5))
  }

  return (query, limit, isShown) => {
    const forms = formsOf(query)
    const words = new Set(forms.flat())
    const scored = indexed.filter(isShown).map((entry) => {
      const norm = 1 - lengthShare + (lengthShare * entry.length) / averageLength
      let score = entry.tool.name === query.trim() ? 1000 : 0
      // Of the meanings of a word the one counts that fits the tool best.
      for (const meanings of forms) {
        let best = 0
        for (const word of meanings) {
          const weight = entry.weights.get(word) ?? 0
          if (weight > 0)
            best = Math.max(best, (rarity(word) * weight * (saturation + 1)) / (weight + saturation * norm))
        }
        score += best
      }
      const said = entry.nameWords.filter((names) => names.some((word) => words.has(word))).length
      const share = said / Math.max(entry.nameWords.length, 1)
      return { entry, score: score + nameBonus * share * share }
    })
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.entry.tool.name < b.entry.tool.name ? -1 : 1))
      .slice(0, limit)
      .map(({ entry: { group, tool } }) => ({ group, tool }))
  }
}
