import type { SentenceClassifier } from "../src/Services/Text/Sentences/SentenceClassifier.ts"
import { type LabelledSentence, languages } from "./Sentences.ts"
import { type Figures, figuresAt, type Outcome } from "./Thresholds.ts"

/** How a label fared on the sentences that neither training nor thresholds saw. */
export interface LabelFigures {
  readonly label: string
  /** Where the label is likely. */
  readonly all: Figures
  /** The same in the order of `languages`. */
  readonly byLanguage: ReadonlyArray<Figures>
  /** Where the label is certain. */
  readonly certain: Figures
}

export const heldOutFigures = (
  classifier: SentenceClassifier,
  sentences: ReadonlyArray<LabelledSentence>
): ReadonlyArray<LabelFigures> => {
  const read = sentences
    .filter(({ isHeldOut }) => isHeldOut)
    .map((sentence) => ({ sentence, probabilities: classifier.probabilities(sentence.text, sentence.language) }))
  return classifier.labels.map((label, index) => {
    const outcomes = read.map(
      ({ probabilities, sentence }): Outcome => ({
        language: sentence.language,
        value: probabilities[index]!,
        isPresent: sentence.labels.has(label)
      })
    )
    const likely = classifier.likely[index]!
    return {
      label,
      all: figuresAt(outcomes, likely),
      byLanguage: languages.map(([language]) =>
        figuresAt(
          outcomes.filter((outcome) => outcome.language === language),
          likely
        )
      ),
      certain: figuresAt(outcomes, classifier.certain[index]!)
    }
  })
}

export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

const shown = (value: number): string => value.toFixed(2)

const line = ({ all, byLanguage, certain, label }: LabelFigures): string => {
  const cells = byLanguage.map(({ count, f1, precision, recall }, index) => {
    const name = languages[index]?.[1] ?? ""
    return `${name} ${shown(precision)}/${shown(recall)}/${shown(f1)} of ${count}`
  })
  return `${label.padEnd(17)} F1 ${shown(all.f1)} (${cells.join(", ")}) certain ${shown(certain.precision)}/${shown(certain.recall)}`
}

/** A table for the console: of each cell precision, recall, F1 and the number of sentences. */
export const figuresTable = (figures: ReadonlyArray<LabelFigures>): string =>
  [
    ...figures.map(line),
    `mean F1 ${mean(figures.map(({ all }) => all.f1)).toFixed(3)}`,
    ...languages.map(
      ([, name], index) => `  ${name} ${mean(figures.map(({ byLanguage }) => byLanguage[index]?.f1 ?? 0)).toFixed(3)}`
    )
  ].join("\n")
