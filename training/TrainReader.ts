import { writeFileSync } from "node:fs"
import { modelFile } from "../src/Services/Replies/ReplyClassifier.ts"
import { loadClassifier, sigmoid } from "../src/Services/Text/Sentences/SentenceClassifier.ts"
import { featuresOf } from "../src/Services/Text/Sentences/SentenceFeatures.ts"
import { modelFileOf } from "./ModelFile.ts"
import {
  type LabelledSentence,
  labelledSentences,
  labelsOf,
  languages,
  parts,
  sentencesOfPatterns,
  trainingDigest
} from "./Sentences.ts"
import { calibrate, certainFrom, figuresAt, likelyFrom, type Outcome } from "./Thresholds.ts"
import { type Example, scoresBy, train } from "./Training.ts"

/**
 * Trains the classifier of replies' sentences and writes its model: `npm run train:reader`. Thresholds come from a
 * cross-validation. The figures that are printed are those of sentences that neither training nor thresholds saw.
 */

interface Learnt extends LabelledSentence, Example {}

const sentences = labelledSentences()
const patterns = sentencesOfPatterns()
const labels = labelsOf(sentences)
const examples = [...sentences.filter(({ isHeldOut }) => !isHeldOut), ...patterns].map(
  (sentence): Learnt => ({
    ...sentence,
    features: featuresOf(sentence.text, sentence.language),
    isPresent: Uint8Array.from(labels, (label) => (sentence.labels.has(label) ? 1 : 0))
  })
)

/** The scores of the sentences of a part, by a network that did not see them. */
const scoresOf = (part: number) => {
  const network = train(
    examples.filter((example) => example.part !== part),
    labels.length
  )
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
  return { calibration, likely, certain: Math.max(likely, certainFrom(label, calibrated)) }
})

const file = modelFileOf(train(examples, labels.length), {
  digest: trainingDigest([...sentences, ...patterns]),
  labels,
  calibration: judged.map(({ calibration }) => calibration),
  likely: judged.map(({ likely }) => likely),
  certain: judged.map(({ certain }) => certain)
})
writeFileSync(modelFile, file)

const classifier = loadClassifier(file)
const heldOut = sentences
  .filter(({ isHeldOut }) => isHeldOut)
  .map((sentence) => ({ sentence, probabilities: classifier.probabilities(sentence.text, sentence.language) }))
const figure = (value: number): string => value.toFixed(2)
let sum = 0
labels.forEach((label, index) => {
  const outcomes = heldOut.map(
    ({ probabilities, sentence }): Outcome => ({
      language: sentence.language,
      value: probabilities[index]!,
      isPresent: sentence.labels.has(label)
    })
  )
  const { certain, likely } = judged[index]!
  const all = figuresAt(outcomes, likely)
  const sure = figuresAt(outcomes, certain)
  sum += all.f1
  const each = languages.map(([language, name]) => {
    const ofLanguage = figuresAt(
      outcomes.filter((outcome) => outcome.language === language),
      likely
    )
    return `${name} ${figure(ofLanguage.precision)}/${figure(ofLanguage.recall)}/${figure(ofLanguage.f1)}`
  })
  console.log(
    `${label.padEnd(17)} F1 ${figure(all.f1)} (precision/recall/F1: ${each.join(", ")}; ${all.count}) certain from ${certain}: ${figure(sure.precision)}/${figure(sure.recall)}`
  )
})
console.log(
  `mean F1 ${(sum / labels.length).toFixed(3)} of ${heldOut.length} held-out sentences, ${file.length} bytes, ${process.cpuUsage().user / 1e6} s of processor`
)
