import { loadClassifier, sigmoid } from "../src/Services/Text/Sentences/SentenceClassifier.ts"
import { featuresOf } from "../src/Services/Text/Sentences/SentenceFeatures.ts"
import { figuresTable, heldOutFigures, mean } from "./HeldOut.ts"
import { joinedSentences } from "./Joined.ts"
import { modelFileOf } from "./ModelFile.ts"
import { type LabelledSentence, labelsOf, parts, trainingDigest } from "./Sentences.ts"
import { calibrate, certainFrom, figuresAt, likelyFrom, type Outcome } from "./Thresholds.ts"
import { type Example, scoresBy, train } from "./Training.ts"

interface Learnt extends LabelledSentence, Example {}

interface TrainingMaterial {
  readonly sentences: ReadonlyArray<LabelledSentence>
  /** Sentences that are only learnt from. */
  readonly patterns: ReadonlyArray<LabelledSentence>
  /** In how many sentences a feature must be to have a weight; as for replies by default. */
  readonly leastSentences?: number
}

/**
 * A classifier of sentences as its file. Thresholds come from a cross-validation. The figures that are printed are those of
 * sentences that neither training nor thresholds saw.
 */
export const trainedModel = ({ leastSentences, patterns, sentences }: TrainingMaterial): Buffer => {
  const labels = labelsOf(sentences)
  const exampleOf = (sentence: LabelledSentence): Learnt => ({
    ...sentence,
    features: featuresOf(sentence.text, sentence.language),
    isPresent: Uint8Array.from(labels, (label) => (sentence.labels.has(label) ? 1 : 0))
  })
  const examples = [...sentences.filter(({ isHeldOut }) => !isHeldOut), ...patterns].map(exampleOf)

  const networkOf = (learnt: ReadonlyArray<Learnt>) =>
    train(learnt, joinedSentences(learnt).map(exampleOf), labels.length, leastSentences)

  /** The scores of the sentences of a part, by a network that did not see them. */
  const scoresOf = (part: number) => {
    const network = networkOf(examples.filter((example) => example.part !== part))
    return examples
      .filter((example) => example.part === part)
      .map((example) => ({ example, scores: scoresBy(network, example.features) }))
  }

  const crossValidated = Array.from({ length: parts }, (_, part) => scoresOf(part)).flat()

  const judged = labels.map((label, index) => {
    const outcomes = crossValidated.map(
      ({ example, scores }): Outcome => ({
        language: example.language,
        value: scores[index]!,
        isPresent: example.labels.has(label)
      })
    )
    const calibration = calibrate(outcomes)
    const calibrated = outcomes.map((outcome) => ({
      ...outcome,
      value: sigmoid(outcome.value * calibration.slope + calibration.offset)
    }))
    const likely = likelyFrom(calibrated)
    return {
      calibration,
      likely,
      f1: figuresAt(calibrated, likely).f1,
      certain: Math.max(likely, certainFrom(label, calibrated))
    }
  })

  console.log(`mean F1 ${mean(judged.map(({ f1 }) => f1)).toFixed(3)} in the cross-validation`)

  const file = modelFileOf(networkOf(examples), {
    digest: trainingDigest([...sentences, ...patterns]),
    labels,
    calibration: judged.map(({ calibration }) => calibration),
    likely: judged.map(({ likely }) => likely),
    certain: judged.map(({ certain }) => certain)
  })
  console.log(figuresTable(heldOutFigures(loadClassifier(file), sentences)))
  console.log(`${file.length} bytes, ${(process.cpuUsage().user / 1e6).toFixed(0)} s of processor`)
  return file
}
