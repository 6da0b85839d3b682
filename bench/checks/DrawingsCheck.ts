import { readFileSync } from "node:fs"
import { Schema } from "effect"
import { changeDrawing } from "../../src/Services/Media/Drawings/Changes/DrawingChanges.ts"
import type { DrawingModel } from "../../src/Services/Media/Drawings/DrawingModel.ts"
import { readDrawing } from "../../src/Services/Media/Drawings/Readers/DrawingReader.ts"
import type { DrawingReading } from "../../src/Services/Media/Drawings/Readers/DrawingReading.ts"
import { ExpectedDrawing, linesOf, type Verdict, verdictOf } from "../content/DrawingVerdict.ts"

/**
 * Tests prompts for drawings and their changes with the reader that needs no model and no gateway. Prints what is
 * wrong, and the figures. `npm run check:drawings -- [DRAWINGS,… [EDITS,…]]`, both JSON-lines files. THIRD=open skips
 * every third line, and THIRD=kept only uses those. ALL=yes also prints what is right. Where the right drawing is
 * described in words, all drawings are printed, and a number that the prompt lacks counts as wrong.
 */

const [drawingFiles = "bench/content/corpus/drawings.jsonl", editFiles = "bench/content/corpus/drawing-edits.jsonl"] =
  process.argv.slice(2)
const third = process.env["THIRD"] ?? "all"
const printsAll = process.env["ALL"] === "yes"

const Prompted = Schema.Struct({ id: Schema.String, prompt: Schema.String, expect: ExpectedDrawing })
/** A prompt that was written blind, with the right drawing in words: a person has to compare them. */
const InWords = Schema.Struct({
  id: Schema.String,
  prompt: Schema.String,
  kind: Schema.String,
  expect: Schema.String,
  drawable: Schema.Boolean
})
const Edit = Schema.Struct({
  id: Schema.String,
  drawing: Schema.String,
  prompt: Schema.String,
  expect: Schema.optional(Schema.Union(Schema.String, ExpectedDrawing))
})

const isPlayed = (line: number): boolean => third === "all" || (line % 3 === 0) === (third === "kept")

const entriesOf = <A, I>(files: string, entry: Schema.Schema<A, I>) =>
  files.split(",").flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((text) => text.trim() !== "")
      .map((text, at) => ({
        entry: Schema.decodeUnknownSync(Schema.parseJson(entry))(text),
        isPlayed: isPlayed(at + 1)
      }))
  )

const view = (reading: DrawingReading): ReadonlyArray<string> =>
  reading._tag === "Unread" ? [`${reading.reason}: ${reading.words.join(", ")}`] : linesOf(reading.model)

const counts: { [V in Verdict]: number } = { right: 0, "failed honestly": 0, wrong: 0 }
const readings = new Map<string, DrawingReading>()
const inWords = { drawn: 0, "failed honestly": 0, "refused though drawable": 0, wrong: 0 }
const wordVerdict = ({ drawable, prompt }: typeof InWords.Type, reading: DrawingReading): keyof typeof inWords => {
  if (reading._tag === "Unread") return drawable ? "refused though drawable" : "failed honestly"
  const promptNumbers = new Set(prompt.match(/\d+/g) ?? [])
  const drawn = (linesOf(reading.model).join(" ").match(/\d+/g) ?? []).filter((number) => number !== "0")
  return !drawable || drawn.some((number) => !promptNumbers.has(number) && !prompt.replace(/\D/g, "").includes(number))
    ? "wrong"
    : "drawn"
}
for (const { entry, isPlayed } of entriesOf(drawingFiles, Schema.Union(Prompted, InWords))) {
  if ("drawable" in entry) {
    const reading = readDrawing(entry.prompt)
    readings.set(entry.id, reading)
    const verdict = wordVerdict(entry, reading)
    inWords[verdict]++
    console.log(`\n${entry.id} ${verdict}: ${entry.prompt}\n  [${entry.kind}: ${entry.expect}]`)
    for (const line of view(reading)) console.log(`    ${line}`)
    if (reading._tag === "Read") for (const wish of reading.undone) console.log(`    not done: ${wish}`)
    continue
  }
  const reading = readDrawing(entry.prompt)
  readings.set(entry.id, reading)
  if (!isPlayed) continue
  const verdict = verdictOf(entry.expect, reading)
  counts[verdict]++
  const isWhole = reading._tag === "Unread" || reading.undone.length === 0
  if (verdict === "right" && isWhole && !printsAll) continue
  console.log(`\n${entry.id} ${verdict}: ${entry.prompt}`)
  for (const line of view(reading)) console.log(`    ${line}`)
  if (reading._tag === "Read") for (const wish of reading.undone) console.log(`    not done: ${wish}`)
  if (verdict === "wrong") console.log(`  wanted ${JSON.stringify(entry.expect)}`)
}

/** The lines that are in only one of the two drawings. */
const difference = (before: DrawingModel, after: DrawingModel): ReadonlyArray<string> => {
  const [old, now] = [linesOf(before), linesOf(after)]
  const lines = [
    ...old.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`)
  ]
  return lines.length > 0 ? lines : now.map((line) => `= ${line}`)
}

const edits = { changed: 0, refused: 0, "without a drawing": 0 }
const editCounts: { [V in Verdict]: number } = { right: 0, "failed honestly": 0, wrong: 0 }
for (const { entry, isPlayed } of entriesOf(editFiles, Edit)) {
  if (!isPlayed) continue
  const before = readings.get(entry.drawing)
  if (before === undefined || before._tag === "Unread") {
    edits["without a drawing"]++
    console.log(`\n${entry.id} without a drawing: ${entry.prompt}`)
    continue
  }
  const after = changeDrawing(before.model, entry.prompt)
  if (typeof entry.expect === "object") {
    const verdict = verdictOf(entry.expect, after)
    editCounts[verdict]++
    const isWhole = after._tag === "Unread" || after.undone.length === 0
    if (verdict === "right" && isWhole && !printsAll) continue
    console.log(`\n${entry.id} ${verdict}: ${entry.prompt}`)
    for (const line of after._tag === "Read" ? linesOf(after.model) : view(after)) console.log(`    ${line}`)
    if (after._tag === "Read") for (const wish of after.undone) console.log(`    not done: ${wish}`)
    if (verdict === "wrong") console.log(`  wanted ${JSON.stringify(entry.expect)}`)
    continue
  }
  edits[after._tag === "Read" ? "changed" : "refused"]++
  console.log(`\n${entry.id} ${after._tag === "Read" ? "changed" : "refused"}: ${entry.prompt}   [${entry.expect}]`)
  const lines = after._tag === "Read" ? difference(before.model, after.model) : view(after)
  for (const line of lines) console.log(`    ${line}`)
  if (after._tag === "Read") for (const wish of after.undone) console.log(`    not done: ${wish}`)
}

console.log(
  `\ndrawings: ${JSON.stringify(counts)}\nin words: ${JSON.stringify(inWords)}\nedits: ${JSON.stringify(editCounts)}\nedits in words: ${JSON.stringify(edits)}`
)
