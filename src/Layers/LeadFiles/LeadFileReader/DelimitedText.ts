import { Effect, type Scope } from "effect"
import type { ImportRow } from "../../../Services/LeadFiles/ImportRow.ts"
import { LeadFileError } from "../../../Services/LeadFiles/LeadFile.ts"
import type { ByteSource } from "./ByteSource.ts"
import { type CsvRecord, type CsvRecords, makeCsvRecords } from "./CsvRecords.ts"
import { delimiterLine, detectDelimiter } from "./Delimiter.ts"
import type { LeadFileLimits } from "./Limits.ts"
import { makeTextDecoder } from "./TextDecoding.ts"

/** The next rows of a file, some hundred at a time. Empty at the end. */
export type RowBatches<E> = Effect.Effect<ReadonlyArray<ImportRow>, E | LeadFileError>

const sampleBytes = 32 * 1024
const batchRows = 512

/** Yields to the event loop. Otherwise a file that is already in memory would be parsed without a pause. */
const yieldToEventLoop = Effect.async<void>((resume) => {
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
 * Rows of a `.csv` or `.txt` file, read on demand. Only the sample of up to 64 KiB for detecting delimiter and encoding
 * is read ahead. Rows may differ in length.
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

    /** Returns the text of the next piece. At the end of the file, it returns what the decoder still buffers. */
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
    const namedDelimiter = delimiterLine(sampleText)
    const records: CsvRecords = yield* makeCsvRecords(
      namedDelimiter?.delimiter ?? detectDelimiter(sampleText),
      limits.recordBytes
    )
    let pendingRecords: Buffer | undefined = sample.subarray(namedDelimiter?.length ?? 0)
    let isEnded = false

    const nextRecords: Effect.Effect<ReadonlyArray<CsvRecord>, E | LeadFileError> = Effect.gen(function* () {
      if (pendingRecords !== undefined) {
        const text = pendingRecords
        pendingRecords = undefined
        return yield* records.write(text)
      }
      if (!bytesEnded) return yield* records.write(yield* nextText)
      isEnded = true
      return yield* records.end
    })

    return Effect.gen(function* () {
      const rows: Array<ImportRow> = []
      while (rows.length < batchRows && !isEnded) {
        for (const cells of yield* nextRecords) rows.push({ fileRow: ++fileRow, cells })
      }
      yield* yieldToEventLoop
      return rows
    })
  })
