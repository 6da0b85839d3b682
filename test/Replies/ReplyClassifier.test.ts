import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { modelFile, replyClassifier } from "../../src/Services/Replies/Readers/ReplyClassifier.ts"
import { modelHeader } from "../../src/Services/Text/Sentences/SentenceClassifier.ts"
import { heldOutFigures, mean } from "../../training/HeldOut.ts"
import {
  labelledSentences,
  labelsOf,
  languages,
  sentencesOfPatterns,
  trainingDigest
} from "../../training/Sentences.ts"

const sentences = labelledSentences()

it("the model was trained on the sentences and features as they are (else: npm run train:reader)", () => {
  const { header } = modelHeader(readFileSync(modelFile))
  assert.strictEqual(header.digest, trainingDigest([...sentences, ...sentencesOfPatterns()]))
  assert.deepStrictEqual(header.labels, labelsOf(sentences))
})

it("every label is likely before it is certain", () => {
  const { certain, labels, likely } = replyClassifier()
  for (const [index, label] of labels.entries()) {
    assert.isAtLeast(certain[index] ?? 0, likely[index] ?? 1, label)
    assert.isAtMost(certain[index] ?? 2, 1, label)
  }
})

/** What the committed model reaches, less a point: a change of data or code that loses more is noticed. */
const leastF1 = 0.826
const leastF1OfLabel = 0.65
const furthestApart = 0.035

it("sentences that the training never saw are read as well as ever, in each language", () => {
  const figures = heldOutFigures(replyClassifier(), sentences)
  for (const { all, byLanguage, label } of figures) {
    assert.isAtLeast(all.f1, leastF1OfLabel, label)
    for (const { count } of byLanguage) assert.isAtLeast(count, 30, label)
  }
  assert.isAtLeast(mean(figures.map(({ all }) => all.f1)), leastF1)
  const ofLanguages = languages.map((_, index) => mean(figures.map(({ byLanguage }) => byLanguage[index]?.f1 ?? 0)))
  assert.isAtMost(Math.max(...ofLanguages) - Math.min(...ofLanguages), furthestApart)
})

/** Acts that change a meeting or end outreach, of which a wrong one costs the owner most. */
const costly = ["confirms", "cannot", "calls_off", "wants_to_move", "stops", "refuses", "wrong_person", "refers_to"]

it("of acts that cost most hardly any is certain and wrong", () => {
  for (const { certain, label } of heldOutFigures(replyClassifier(), sentences)) {
    if (costly.includes(label) && certain.recall > 0) assert.isAtLeast(certain.precision, 0.95, label)
  }
})
