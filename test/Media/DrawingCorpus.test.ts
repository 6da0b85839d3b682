import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { ExpectedDrawing, linesOf, verdictOf } from "../../bench/content/DrawingVerdict.ts"
import { changeDrawing } from "../../src/Services/Media/Drawings/Changes/DrawingChanges.ts"
import { amountsIn } from "../../src/Services/Media/Drawings/DrawingWords.ts"
import { readDrawing } from "../../src/Services/Media/Drawings/Readers/DrawingReader.ts"
import { hashOf } from "../../src/Services/Text/PlainText.ts"

// A tenth of the corpus. `npm run check:drawings` plays all of it.

const Prompted = Schema.Struct({ id: Schema.String, prompt: Schema.String, expect: ExpectedDrawing })
const Edit = Schema.Struct({
  id: Schema.String,
  drawing: Schema.String,
  prompt: Schema.String,
  expect: Schema.optional(Schema.Union(Schema.String, ExpectedDrawing))
})

const entriesOf = <A, I>(name: string, entry: Schema.Schema<A, I>): ReadonlyArray<A> =>
  readFileSync(`bench/content/corpus/${name}.jsonl`, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Schema.decodeUnknownSync(Schema.parseJson(entry))(line))

const isOfTenth = ({ id }: { readonly id: string }): boolean => hashOf(`2027 ${id}`) % 10 === 0

const drawings = ["drawings", "blind-drawings-2"].flatMap((name) => entriesOf(name, Prompted))
const drawingById = new Map(drawings.map((entry) => [entry.id, entry]))

describe("prompts for drawings as owners write them", () => {
  const tenth = drawings.filter(isOfTenth)

  it("are drawn right or fail with what was not understood, and most are drawn", () => {
    const verdicts = tenth.map(({ expect, id, prompt }) => [id, verdictOf(expect, readDrawing(prompt))] as const)
    assert.deepStrictEqual(
      verdicts.filter(([, verdict]) => verdict === "wrong"),
      []
    )
    const right = verdicts.filter(([, verdict]) => verdict === "right").length
    assert.isAtLeast(tenth.length, 5)
    assert.isAtLeast(right / tenth.length, 0.6)
  })
})

describe("changes of drawings as owners write them", () => {
  const edits = ["drawing-edits", "blind-drawing-edits-2"].flatMap((name) => entriesOf(name, Edit))
  const tenth = edits.filter(isOfTenth)

  it("change what they ask for, or nothing", () => {
    const wrong = edits.flatMap(({ drawing, expect, id, prompt }) => {
      const before = readDrawing(drawingById.get(drawing)?.prompt ?? "")
      if (typeof expect !== "object" || before._tag === "Unread") return []
      return verdictOf(expect, changeDrawing(before.model, prompt)) === "wrong" ? [id] : []
    })
    assert.deepStrictEqual(wrong, [])
  })

  it("bring no number into a drawing that is neither in it nor in the prompt", () => {
    assert.isNotEmpty(tenth)
    for (const { drawing, id, prompt } of tenth) {
      const before = readDrawing(drawingById.get(drawing)?.prompt ?? "")
      if (before._tag === "Unread" || before.model.body.kind === "gantt") continue
      const after = changeDrawing(before.model, prompt)
      if (after._tag === "Unread") continue
      const knownNumbers = [...linesOf(before.model), prompt].flatMap((line) =>
        amountsIn(line).map(({ value }) => value)
      )
      for (const line of linesOf(after.model))
        for (const { value } of amountsIn(line)) assert.include(knownNumbers, value, `${id}: ${line}`)
    }
  })
})
