import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { modelFile, replyClassifier } from "../../src/Services/Replies/ReplyClassifier.ts"
import { modelHeader } from "../../src/Services/Text/Sentences/SentenceClassifier.ts"
import { labelledSentences, labelsOf, sentencesOfPatterns, trainingDigest } from "../../training/Sentences.ts"

it("the model was trained on the sentences and features as they are (else: npm run train:reader)", () => {
  const sentences = labelledSentences()
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
