import { Context, Schema, type Stream } from "effect"
import type { LeadFileColumn } from "./LeadFileColumns.ts"

export type ContactField = "email" | "phone"

/** A cell of a contact column, in the order of the file. */
export interface ContactCell {
  readonly field: ContactField
  readonly text: string
}

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
 * A lead file that cannot be read. `message` describes the problem and `detail` the solution, both without a lead's
 * data. `cell` is a spreadsheet address such as `B3`, and `file_row` is the row's number in the file.
 */
export class LeadFileError extends Schema.TaggedError<LeadFileError>()("LeadFileError", {
  reason: LeadFileReason,
  message: Schema.String,
  detail: Schema.String,
  cell: Schema.optional(Schema.String),
  file_row: Schema.optional(Schema.Int)
}) {}

/** An uploaded file. `bytes` runs once for each reading. `sizeBytes` allows an early refusal. */
export interface LeadFile<E> {
  readonly fileName: string
  readonly sizeBytes: number
  readonly bytes: Stream.Stream<Uint8Array, E>
}

/**
 * One row of a lead file: the trimmed text of its cells, at most 1 000 characters each, otherwise unchecked. A missing
 * field is `""`, and the fields after `company` are optional. `row_number` counts the rows below the header from 1.
 * `file_row` counts all rows of the file, as a spreadsheet program shows them. Blank rows are skipped but counted.
 */
export interface LeadFileRow {
  readonly row_number: number
  readonly file_row: number
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly company: string
  /** Further filled cells of contact columns, in the order of the file. */
  readonly further_contacts?: ReadonlyArray<ContactCell>
  readonly linkedin_url?: string
  readonly city?: string
  readonly state?: string
  readonly country?: string
  readonly job_title?: string
  readonly website?: string
  readonly notes?: string
}

/**
 * Reads `.csv`, `.txt`, `.xlsx` and `.xls` files of leads as a stream of rows, in chunks of several hundred. Problems
 * of the whole file (type, size, formula cells, missing header, no data) fail before the first row. A delimited file is
 * read gradually, so `malformed_file`, `file_too_large` and `too_many_rows` may follow valid rows. To avoid a partial
 * import, use one transaction, or read the stream once beforehand. Values are plain text: a CSV field `=1+1` is that
 * text, and a workbook's formulas are refused.
 */
export class LeadFileReader extends Context.Tag("LeadFileReader")<
  LeadFileReader,
  {
    /** Calls `observeColumns` once, before the first row. */
    readonly read: <E>(
      file: LeadFile<E>,
      observeColumns?: (columns: ReadonlyArray<LeadFileColumn>) => void
    ) => Stream.Stream<LeadFileRow, LeadFileError | E>
  }
>() {}
