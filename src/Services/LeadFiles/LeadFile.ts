import { Context, Schema, type Stream } from "effect"

/** Why a lead file was refused, as a stable code. */
export const LeadFileReason = Schema.Literal(
  "unsupported_file_type",
  "content_does_not_match_extension",
  "empty_file",
  "no_recognised_columns",
  "no_contact_column",
  "no_data_rows",
  "file_too_large",
  "too_large_when_unpacked",
  "too_many_rows",
  "formula_cell",
  "malformed_file",
  "reading_timed_out"
)
export type LeadFileReason = typeof LeadFileReason.Type

/**
 * A lead file that cannot be read. `message` says what is wrong, `detail` what to do about it; neither repeats a
 * lead's data. `cell` is a spreadsheet address such as `B3`, `file_row` the row as the file counts it.
 */
export class LeadFileError extends Schema.TaggedError<LeadFileError>()("LeadFileError", {
  reason: LeadFileReason,
  message: Schema.String,
  detail: Schema.String,
  cell: Schema.optional(Schema.String),
  file_row: Schema.optional(Schema.Int)
}) {}

/** An uploaded file. `bytes` is run once for each reading of the rows; `sizeBytes` only serves to refuse early. */
export interface LeadFile<E> {
  readonly fileName: string
  readonly sizeBytes: number
  readonly bytes: Stream.Stream<Uint8Array, E>
}

/**
 * One row of a lead file: the trimmed text of its cells, at most 1 000 characters each, nothing else checked or
 * changed. A field the row does not have is `""`; the fields after `company` are there when the row has them.
 *
 * `row_number` counts the rows below the header (the first is 1), `file_row` counts every row of the file, so it is
 * the number that a spreadsheet program shows. Blank rows are left out and counted by both.
 */
export interface LeadFileRow {
  readonly row_number: number
  readonly file_row: number
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly company: string
  readonly linkedin_url?: string
  readonly city?: string
  readonly state?: string
  readonly country?: string
  readonly job_title?: string
  readonly website?: string
  readonly notes?: string
}

/**
 * Reads `.csv`, `.txt`, `.xlsx` and `.xls` files of leads as a stream of rows, in chunks of several hundred.
 *
 * What concerns the whole file (its type, its size, formula cells, a missing header, no data) fails before the first
 * row. A delimited file is read as it comes, so `malformed_file`, `file_too_large` and `too_many_rows` can follow
 * rows that were already given out: whoever must not do half of a file keeps the rows in one transaction, or drains
 * the stream once before using it.
 *
 * Values are text and nothing more: a CSV field such as `=1+1` is that text, and a workbook's formulas are refused.
 */
export class LeadFileReader extends Context.Tag("LeadFileReader")<
  LeadFileReader,
  { readonly read: <E>(file: LeadFile<E>) => Stream.Stream<LeadFileRow, LeadFileError | E> }
>() {}
