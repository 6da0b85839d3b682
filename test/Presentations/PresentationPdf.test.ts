import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { loadTypeface } from "../../src/Layers/Presentations/PdfCanvas.ts"
import { presentationPdf } from "../../src/Layers/Presentations/PresentationPdf.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { type PresentationFacts, presentationOf } from "../../src/Services/Presentations/PresentationPages.ts"
import { presentationFacts } from "./presentationFacts.ts"

const pdfOf = (facts: PresentationFacts) =>
  Effect.flatMap(loadTypeface, (typeface) => presentationPdf(presentationOf(facts), typeface)).pipe(
    Effect.map((bytes) => Buffer.from(bytes))
  )

/** The document without its compressed streams: what a reader acts on. */
const structureOf = (pdf: Buffer): string => pdf.toString("latin1").replace(/stream\r?\n[^]*?endstream/g, "")

describe("a presentation as a PDF", () => {
  it.live("has its pages, its typeface and nothing that runs", () =>
    Effect.gen(function* () {
      const pdf = yield* pdfOf(presentationFacts())
      const structure = structureOf(pdf)
      assert.strictEqual(pdf.subarray(0, 5).toString(), "%PDF-")
      assert.lengthOf(structure.match(/\/Type \/Page\b/g) ?? [], 4)
      assert.match(structure, /\/FontName \/[A-Z]{6}\+Inter/)
      assert.notMatch(structure, /\/(?:JavaScript|JS|Launch|OpenAction|EmbeddedFile)\b/)
      assert.deepStrictEqual(
        [...structure.matchAll(/\/URI \(([^)]*)\)/g)].map(([, uri]) => uri),
        ["mailto:solaris@mail.example", "https://solaris.example.com"]
      )
    })
  )

  it.live("is the same to the byte for the same facts, and another one at another time", () =>
    Effect.gen(function* () {
      const one = yield* pdfOf(presentationFacts())
      const same = yield* pdfOf(presentationFacts())
      const later = yield* pdfOf(presentationFacts({ madeAt: Timestamp.make("2026-04-03T14:00:00Z") }))
      assert.isTrue(one.equals(same))
      assert.isFalse(one.equals(later))
    })
  )

  it.live("takes any text: long, empty, full of brackets and of other scripts", () =>
    Effect.gen(function* () {
      const text = `) /JS (app.alert(1)) >> endobj \\ <script> 日本 🙂 ${"W".repeat(2_000)}. `.repeat(5)
      const pdf = yield* pdfOf(
        presentationFacts({
          business: { name: text, description: text, website: "javascript:alert(1)", email: "a@b.example" },
          lead: { name: "日本", company: text },
          answers: Array.from({ length: 9 }, () => ({ question: text, answer: text }))
        })
      )
      const structure = structureOf(pdf)
      assert.lengthOf(structure.match(/\/Type \/Page\b/g) ?? [], 5)
      // Beside the title, which is a string object, the text stands in the streams alone.
      assert.deepStrictEqual(
        [...structure.matchAll(/\/URI \(([^)]*)\)/g)].map(([, uri]) => uri),
        ["mailto:a@b.example"]
      )
      assert.isBelow(pdf.length, 200_000)
    })
  )
})
