import { Effect, type Scope } from "effect"
import type { ImportRow } from "../../../Services/LeadFiles/ImportRow.ts"
import { LeadFileError } from "../../../Services/LeadFiles/LeadFile.ts"
import type { ByteSource } from "./ByteSource.ts"
import { type CsvRecord, type CsvRecords, makeCsvRecords } from "./CsvRecords.ts"
import { delimiterLine, detectDelimiter } from "./Delimiter.ts"
import type { LeadFileLimits } from "./Limits.ts"
import { makeTextDecoder } from "./TextDecoding.ts"

/** The next rows of a file, some hundred at a time; none at its end. */
export type RowBatches<E> = Effect.Effect<ReadonlyArray<ImportRow>, E | LeadFileError>

const sampleBytes = 32 * 1024
const batchRows = 512

/** Lets the event loop turn: without it a file that is already in memory would be parsed in one go. */
const breathe = Effect.async<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

const binaryData = (row: number) =>
  new LeadFileError({
    reason: "malformed_file",
    message: "The file has binary data in it.",
    detail: "Save it again as CSV, in UTF-8.",
    file_row: row
  })

/**
 * Rows of a `.csv` or `.txt` file, read no further ahead than the batch that is asked for (and, once, the sample of
 * up to 64 KiB by which delimiter and encoding are found). Short and long rows are taken as they are.
 */
export const delimitedRows = <E>(
  source: ByteSource<E>,
  limits: LeadFileLimits
): Effect.Effect<RowBatches<E>, E | LeadFileError, Scope.Scope> =>
  Effect.gen(function* () {
    const { decoder, markLength } = makeTextDecoder(source.head)
    let mark = markLength
    let bytesEnded = false
    let fileRow = 0

    /** The text of the next piece; at the end of the bytes what the decoder still holds. */
    const nextText = Effect.gen(function* () {
      const piece = yield* source.next
      bytesEnded = piece === undefined
      const text = piece === undefined ? decoder.end() : decoder.write(piece.subarray(mark))
      mark = 0
      return text.includes(0) ? yield* binaryData(fileRow + 1) : text
    })

    let sample = Buffer.alloc(0)
    while (sample.length < sampleBytes && !bytesEnded) sample = Buffer.concat([sample, yield* nextText])
    const sampleText = sample.toString("utf8")
    const named = delimiterLine(sampleText)
    const records: CsvRecords = yield* makeCsvRecords(
      named?.delimiter ?? detectDelimiter(sampleText),
      limits.recordBytes
    )
    let waiting: Buffer | undefined = sample.subarray(named?.length ?? 0)
    let ended = false

    const nextRecords: Effect.Effect<ReadonlyArray<CsvRecord>, E | LeadFileError> = Effect.gen(function* () {
      if (waiting !== undefined) {
        const text = waiting
        waiting = undefined
        return yield* records.write(text)
      }
      if (!bytesEnded) return yield* records.write(yield* nextText)
      ended = true
      return yield* records.end
    })

    return Effect.gen(function* () {
      const rows: Array<ImportRow> = []
      while (rows.length < batchRows && !ended) {
        for (const cells of yield* nextRecords) rows.push({ fileRow: ++fileRow, cells })
      }
      yield* breathe
      return rows
    })
  })
