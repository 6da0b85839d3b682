import type { Language } from "../src/Services/Text/Language.ts"
import { type Calibration, sigmoid } from "../src/Services/Text/Sentences/SentenceClassifier.ts"

/** How one label fared with one sentence that the model had not seen. */
export interface Outcome {
  readonly language: Language
  /** A score or a probability. */
  readonly value: number
  readonly isPresent: boolean
}

/** Of a label: how good its predictions are. */
export interface Figures {
  readonly precision: number
  readonly recall: number
  readonly f1: number
  /** Sentences that have the label. */
  readonly count: number
}

export const figuresAt = (outcomes: ReadonlyArray<Outcome>, threshold: number): Figures => {
  let [right, wrong, missed] = [0, 0, 0]
  for (const { isPresent, value } of outcomes) {
    if (value >= threshold && isPresent) right++
    else if (value >= threshold) wrong++
    else if (isPresent) missed++
  }
  return {
    precision: right / Math.max(1, right + wrong),
    recall: right / Math.max(1, right + missed),
    f1: (2 * right) / Math.max(1, 2 * right + wrong + missed),
    count: right + missed
  }
}

const steps = 400
const stepSize = 0.5

/** Platt scaling: the slope and offset that make scores of unseen sentences probabilities. */
export const calibrate = (outcomes: ReadonlyArray<Outcome>): Calibration => {
  let [slope, offset] = [1, 0]
  for (let step = 0; step < steps; step++) {
    let [bySlope, byOffset] = [0, 0]
    for (const { isPresent, value } of outcomes) {
      const error = sigmoid(slope * value + offset) - (isPresent ? 1 : 0)
      bySlope += error * value
      byOffset += error
    }
    slope -= (stepSize * bySlope) / outcomes.length
    offset -= (stepSize * byOffset) / outcomes.length
  }
  return { slope, offset }
}

const thousandths = (probability: number): number => Math.round(probability * 1000) / 1000

/** The probability with the best F1. */
export const likelyFrom = (outcomes: ReadonlyArray<Outcome>): number => {
  let [best, bestF1] = [0.5, 0]
  for (let threshold = 0.1; threshold < 0.9; threshold += 0.02) {
    const { f1 } = figuresAt(outcomes, threshold)
    if (f1 > bestF1) [best, bestF1] = [threshold, f1]
  }
  return thousandths(best)
}

/** What a wrong act costs the owner, as a number of needless questions. */
const costs: Readonly<Record<string, number>> = {
  proposes: 50,
  confirms: 50,
  cannot: 50,
  wants_to_move: 50,
  calls_off: 50,
  refuses: 50,
  wrong_person: 50,
  refers_to: 50,
  stops: 20,
  // On a public page: words that were not for visitors, and a wish or a fact that is lost. Claims are checked further.
  claim: 4,
  offer: 8,
  aside: 12
}
const usualCost = 5

/** No act is certain below this, however few wrong ones happened to be among the sentences. */
const leastCertain = 0.5

/**
 * The probability from which acting costs the owner least: each wrong act by its price, each act that is there and not
 * acted on one question. 1 where it is cheapest never to act.
 */
export const certainFrom = (label: string, outcomes: ReadonlyArray<Outcome>): number => {
  const cost = costs[label] ?? usualCost
  const sorted = [...outcomes].filter(({ value }) => value >= leastCertain).sort((a, b) => b.value - a.value)
  let [best, saving, bestSaving] = [1, 0, 0]
  for (const [index, { isPresent, value }] of sorted.entries()) {
    saving += isPresent ? 1 : -cost
    // Sentences of the same probability are acted on together.
    if (sorted[index + 1]?.value === value) continue
    if (saving > bestSaving) [best, bestSaving] = [value, saving]
  }
  return Math.min(1, Math.ceil(best * 1000) / 1000)
}
