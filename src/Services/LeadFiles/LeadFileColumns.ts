import { Schema } from "effect"
import { type ImportRow, isPlaceholder, maximumColumns } from "./ImportRow.ts"

/** The possible meanings of a column in a lead file. */
export const ColumnMeaning = Schema.Literal(
  "name",
  "first_name",
  "last_name",
  "email",
  "phone",
  "email_or_phone",
  "company",
  "linkedin_url",
  "city",
  "state",
  "country",
  "job_title",
  "website",
  "notes"
)
export type ColumnMeaning = typeof ColumnMeaning.Type

/** A column of an import with the meaning that was recognised. */
export const LeadFileColumn = Schema.Struct({
  column: Schema.String.annotations({ description: "The column's letters, as a spreadsheet shows them." }),
  header: Schema.NullOr(Schema.String).annotations({ description: "The cell in the header row." }),
  taken_for: Schema.NullOr(ColumnMeaning).annotations({
    description: "The field that the column fills; null if the column is ignored."
  }),
  samples: Schema.Array(Schema.String).annotations({
    description: "The first different values. Empty once a lead of the import was erased."
  })
})
export type LeadFileColumn = typeof LeadFileColumn.Type

const maximumSamples = 3
const maximumSampleLength = 60
/** A report is for people, and no one reads more columns than this. */
const maximumReportedColumns = 100
const alphabetLength = 26

/** 0 is A, 25 is Z, 26 is AA. */
export const columnLetters = (index: number): string => {
  const last = String.fromCharCode("A".charCodeAt(0) + (index % alphabetLength))
  return index < alphabetLength ? last : `${columnLetters(Math.floor(index / alphabetLength) - 1)}${last}`
}

const shortened = (cell: string): string =>
  cell
    .replaceAll("\0", "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maximumSampleLength)
    .replace(/[\ud800-\udbff]$/, "")

/** Reports each column that has a header or a value in the first rows. */
export const reportColumns = (
  header: ImportRow | undefined,
  firstRows: ReadonlyArray<ImportRow>,
  meaningOf: (column: number) => ColumnMeaning | null
): ReadonlyArray<LeadFileColumn> => {
  const width = Math.max(0, header?.cells.length ?? 0, ...firstRows.map(({ cells }) => cells.length))
  return Array.from({ length: Math.min(width, maximumColumns) }, (_, index): LeadFileColumn => {
    const title = shortened(header?.cells[index] ?? "")
    const values = firstRows.map(({ cells }) => shortened(cells[index] ?? ""))
    const samples = [...new Set(values.filter((value) => value !== "" && !isPlaceholder(value)))]
    return {
      column: columnLetters(index),
      header: title === "" ? null : title,
      taken_for: meaningOf(index),
      samples: samples.slice(0, maximumSamples)
    }
  })
    .filter(({ header: title, samples }) => title !== null || samples.length > 0)
    .slice(0, maximumReportedColumns)
}
