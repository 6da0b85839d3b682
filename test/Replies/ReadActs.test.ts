import { assert, it } from "@effect/vitest"
import { actsByReader } from "../../src/Services/Replies/ReadActs.ts"
import { loadClassifier, type SentenceClassifier } from "../../src/Services/Text/Sentences/SentenceClassifier.ts"
import { featuresOf } from "../../src/Services/Text/Sentences/SentenceFeatures.ts"

const setting = { today: "2026-11-24", figures: "day", language: "pt-BR" } as const

/** Says "cannot" of what denies and "proposes" of what does not. */
const byDenial: SentenceClassifier = {
  labels: ["proposes", "cannot"],
  probabilities: (sentence) => (/n[aã]o/i.test(sentence) ? Float64Array.of(0.05, 0.95) : Float64Array.of(0.95, 0.05)),
  likely: Float64Array.of(0.5, 0.5),
  certain: Float64Array.of(0.9, 0.9)
}

it("each clause has its own act with its own time", () => {
  const acts = actsByReader("Na quinta às 15h eu não consigo, mas pode ser sexta às 10h?", byDenial, setting)
  assert.deepStrictEqual(
    acts.map(({ kind, time }) => [kind, time?.days]),
    [
      ["proposes", ["2026-11-27"]],
      ["cannot", ["2026-11-26"]]
    ]
  )
})

it("a model's file gives back its labels' probabilities", () => {
  const [feature = 0] = featuresOf("desmarcar", "pt-BR")
  const header = {
    digest: "",
    labels: ["calls_off"],
    bias: [-2],
    unitBias: [0, 0, 0, 0],
    scale: [1, 1, 1, 1],
    outputs: [[1], [0], [0], [0]],
    calibration: [{ slope: 1, offset: 0 }],
    likely: [0.4],
    certain: [0.9],
    features: 1
  }
  const ids = Buffer.alloc(4)
  ids.writeUInt32LE(feature)
  const file = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ids, Buffer.from([127, 0, 0, 0])])
  const classifier = loadClassifier(file)
  assert.deepStrictEqual(classifier.labels, ["calls_off"])
  assert.deepStrictEqual([classifier.likely, classifier.certain], [Float64Array.of(0.4), Float64Array.of(0.9)])
  assert.isAbove(classifier.probabilities("desmarcar", "pt-BR")[0] ?? 0, 0.9)
  assert.isBelow(classifier.probabilities("ok", "pt-BR")[0] ?? 1, 0.9)
})
