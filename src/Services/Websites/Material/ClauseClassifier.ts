import type { Language } from "../../Text/Language.ts"
import { lazyClassifier } from "../../Text/Sentences/SentenceClassifier.ts"

/** The trained model (see `training/README.md`). */
export const clauseModelFile = new URL("./clauses.model", import.meta.url)

/** The embedded classifier of what owners write; its model is read when the first description is. */
export const clauseClassifier = lazyClassifier(clauseModelFile)

/**
 * What a clause of a description is. `claim`: visitors may read it. `order`: it says how the site is to be. `aside`: it is said
 * to who makes the site, and holds no wish and no fact for visitors. `offer`: it names a thing that is offered.
 */
type ClauseLabel = "claim" | "order" | "aside" | "offer"

export interface ClauseSense {
  /** Whether it is rather so than not. */
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
