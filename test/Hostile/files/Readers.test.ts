import { describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readersUnderAttack, textsFor } from "../support/strangersTexts.ts"

// A sample; `npm run test:hostile` reads as many as one wants, and judges the time.
const inputs = 40

describe("a reader of what strangers send", () => {
  for (const reader of readersUnderAttack) {
    it(`of ${reader.name} ends with an answer, whatever it is`, async () => {
      for (const text of fc.sample(textsFor(reader, { longest: 3000, rare: 10 }), {
        numRuns: inputs,
        seed: 20261122
      })) {
        await reader.read(text)
      }
    })
  }
})
