import { CsvError, type Parser, parse } from "csv-parse"
import { Effect, type Scope } from "effect"
import { LeadFileError } from "../../../Services/LeadFiles/LeadFile.ts"
import { pieceBytes } from "./ByteSource.ts"

export type CsvRecord = ReadonlyArray<string>

/** Parses UTF-8 text, piece by piece, into records. A blank line is a record with one empty field. */
export interface CsvRecords {
  readonly write: (text: Buffer) => Effect.Effect<ReadonlyArray<CsvRecord>, LeadFileError>
  readonly end: Effect.Effect<ReadonlyArray<CsvRecord>, LeadFileError>
}

const malformed = (row: number, message: string) =>
  new LeadFileError({
    reason: "malformed_file",
    message: `Row ${row} of the file cannot be read: ${message}`,
    detail: "Check the quotation marks of that row: a field that starts with one ends with one.",
    file_row: row
  })

const describe = (error: Error, maximumBytes: number): string => {
  if (error instanceof CsvError && error.code === "CSV_QUOTE_NOT_CLOSED") {
    return "a quoted field in it is never closed."
  }
  if (error instanceof CsvError && error.code === "CSV_MAX_RECORD_SIZE") {
    return `it is longer than ${Math.floor(maximumBytes / 1024)} KiB, as happens when a quoted field is not closed.`
  }
  return "it is not delimited text."
}

/**
 * Accepts rows that are shorter or longer than the first. The parser's own option builds an Error for each such row (20
 * µs), so a file of blank lines would block the process. The parser compares with the width of the row that it counts
 * as 0.
 */
const tolerateAnyWidth = (parser: Parser) =>
  Object.defineProperty(parser.info, "records", { get: () => 0, set: () => {} })

const isRecord = (value: unknown): value is CsvRecord => Array.isArray(value)

const readRecord = (parser: Parser): CsvRecord | undefined => {
  const read: unknown = parser.read()
  return isRecord(read) ? read : undefined
}

/** Fails with `malformed_file` for a record over `maximumBytes`, which includes a quote that is never closed. */
export const makeCsvRecords = (
  delimiter: string,
  maximumBytes: number
): Effect.Effect<CsvRecords, never, Scope.Scope> =>
  Effect.gen(function* () {
    const parser = yield* Effect.acquireRelease(
      Effect.sync(() =>
        parse({
          delimiter,
          record_delimiter: ["\r\n", "\n", "\r"],
          relax_column_count: true,
          relax_quotes: true,
          ltrim: true,
          max_record_size: maximumBytes
        }).on("error", () => {
          // The write callback below reports the failure.
        })
      ),
      (parser) => Effect.sync(() => parser.destroy())
    )
    tolerateAnyWidth(parser)
    let recordCount = 0
    let bytesSinceRecord = 0
    const failure = (error: Error) => malformed(recordCount + 1, describe(error, maximumBytes))

    const parsePiece = (text: Buffer) =>
      Effect.async<ReadonlyArray<CsvRecord>, LeadFileError>((resume) => {
        const records: Array<CsvRecord> = []
        parser.write(text, (error) => {
          recordCount += records.length
          resume(error ? Effect.fail(failure(error)) : Effect.succeed(records))
        })
        for (let next = readRecord(parser); next !== undefined; next = readRecord(parser)) records.push(next)
      })

    return {
      write: (text) =>
        Effect.flatMap(parsePiece(text), (records) => {
          bytesSinceRecord = records.length > 0 ? 0 : bytesSinceRecord + text.length
          // The parser's own limit counts characters, so it misses a row that has only delimiters.
          return bytesSinceRecord > maximumBytes + 3 * pieceBytes
            ? Effect.fail(malformed(recordCount + 1, "it has no end."))
            : Effect.succeed(records)
        }),
      end: Effect.async<ReadonlyArray<CsvRecord>, LeadFileError>((resume) => {
        const records: Array<CsvRecord> = []
        parser
          .once("error", (error) => resume(Effect.fail(failure(error))))
          .once("end", () => resume(Effect.succeed(records)))
          .on("data", (record: CsvRecord) => records.push(record))
          .end()
      })
    }
  })
