import type { Language } from "../../Text/Language.ts"
import { lazyClassifier } from "../../Text/Sentences/SentenceClassifier.ts"

/** The trained classifier model (see `training/README.md`). */
export const clauseModelFile = new URL("./clauses.model", import.meta.url)

/** The classifier for clauses of descriptions. Its model is loaded on first use. */
export const clauseClassifier = lazyClassifier(clauseModelFile)

/**
 * The kinds of clauses in a description. `claim`: visitors may read it. `order`: it says how the site must be. `aside`:
 * it is for the builder and contains neither a wish nor a fact for visitors. `offer`: it names something that the
 * business offers.
 */
type ClauseLabel = "claim" | "order" | "aside" | "offer"

export interface ClauseSense {
  /** True if the probability is above one half. */
  readonly isProbable: (label: ClauseLabel) => boolean
  readonly isLikely: (label: ClauseLabel) => boolean
  readonly isCertain: (label: ClauseLabel) => boolean
}

const longestClause = 600
const half = 0.5

export const senseOf = (clause: string, language: Language): ClauseSense => {
  const { certain, labels, likely, probabilities } = clauseClassifier()
  const all = probabilities(clause.slice(0, longestClause), language)
  const reaches =
    (thresholdAt: (at: number) => number | undefined) =>
    (label: ClauseLabel): boolean => {
      const at = labels.indexOf(label)
      return (all[at] ?? 0) >= (thresholdAt(at) ?? 1)
    }
  return {
    isProbable: reaches(() => half),
    isLikely: reaches((at) => likely[at]),
    isCertain: reaches((at) => certain[at])
  }
}
