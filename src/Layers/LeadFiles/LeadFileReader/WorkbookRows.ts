import { type CellObject, read, utils, type WorkBook } from "@e965/xlsx"
import { type ImportRow, isBlank, maximumColumns, maximumFieldLength } from "../../../Services/LeadFiles/ImportRow.ts"
import { numberFormats } from "./SheetJs.ts"
import { malformedWorkbook, passwordProtected, type WorkbookJob, WorkbookRefused } from "./WorkbookMessages.ts"

type CellRow = ReadonlyArray<CellObject | undefined>
type NumberedRow = readonly [index: number, cells: CellRow]

const sheetRows = 1_048_576
const sheetColumns = 16_384

/** The last day that spreadsheets support, 31 December 9999. A larger number with a date format is a number. */
const lastDay = 2958465

/** Writes all digits: 5511999998888, never 5.51E+12. */
const numberText = (value: number): string => {
  if (!Number.isFinite(value)) return ""
  return Math.abs(value) >= 1e21 ? BigInt(value).toString() : String(value)
}

const twoDigits = (value: number) => String(value).padStart(2, "0")

const dateText = (serial: number, date1904: boolean): string => {
  const code = numberFormats.parse_date_code(serial, { date1904 })
  if (code === null) return numberText(serial)
  const day = `${String(code.y).padStart(4, "0")}-${twoDigits(code.m)}-${twoDigits(code.d)}`
  const time = `${twoDigits(code.H)}:${twoDigits(code.M)}:${twoDigits(code.S)}`
  if (serial < 1) return time
  return Number.isInteger(serial) ? day : `${day} ${time}`
}

const makeCellText = (date1904: boolean) => {
  const dateFormats = new Map<string, boolean>()
  const isDateFormat = (format: string): boolean => {
    const knownFormats = dateFormats.get(format)
    if (knownFormats !== undefined) return knownFormats
    const isDate = numberFormats.is_date(format)
    dateFormats.set(format, isDate)
    return isDate
  }
  return (cell: CellObject | undefined): string => {
    if (cell === undefined) return ""
    const { v: value, z: format } = cell
    // A small file can repeat one long text in a million cells.
    if (typeof value === "string") return value.trim().slice(0, maximumFieldLength)
    if (typeof value === "boolean") return value ? "TRUE" : "FALSE"
    if (typeof value !== "number" || cell.t !== "n") return ""
    const isDate = typeof format === "string" && value >= 0 && value < lastDay + 1 && isDateFormat(format)
    return isDate ? dateText(value, date1904) : numberText(value)
  }
}

const formulaCell = (cell: string) =>
  new WorkbookRefused({
    reason: "formula_cell",
    message: `Cell ${cell} holds a formula.`,
    detail: "Copy the sheet and paste it as values only, so that every cell holds what it shows.",
    cell
  })

const refuseFormulas = (rows: ReadonlyArray<NumberedRow>) => {
  for (const [r, row] of rows) {
    // Visits only cells that exist, because a row with one cell in the last column has 16 384 places.
    for (const [key, cell] of Object.entries(row)) {
      if (cell?.f !== undefined || cell?.F !== undefined) throw formulaCell(utils.encode_cell({ r, c: Number(key) }))
    }
  }
}

const tooManyRows = (maximumRows: number) =>
  new WorkbookRefused({
    reason: "too_many_rows",
    message: `The sheet has more than ${maximumRows} rows.`,
    detail: "Split the file and import its parts one after the other."
  })

const textOfRow = (row: CellRow, cellText: (cell: CellObject | undefined) => string) =>
  Array.from({ length: Math.min(row.length, maximumColumns) }, (_, column) => cellText(row[column]))

/** Looking for data in a sheet costs as much as reading it, so the number of sheets is limited. */
export const maximumSheets = 100

const tooManySheets = () =>
  new WorkbookRefused({
    reason: "too_large_when_unpacked",
    message: `The workbook has more than ${maximumSheets} sheets.`,
    detail: "Copy the sheet with the leads into a separate workbook, and upload that."
  })

const notASpreadsheet = () =>
  new WorkbookRefused({
    reason: "content_does_not_match_extension",
    message: "The file's name ends in .xls, but its content is another Office document.",
    detail: "Save it as .xlsx or CSV from a spreadsheet program."
  })

const readWorkbook = (bytes: Buffer, sheet: number): WorkBook => {
  try {
    return read(bytes, {
      type: "buffer",
      dense: true,
      sheets: sheet,
      // Without stubs, a cell whose formula was never calculated looks blank.
      sheetStubs: true,
      cellHTML: false,
      cellText: false,
      cellNF: true
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : ""
    if (/password|encrypt/i.test(message)) throw passwordProtected()
    if (message.includes("Cannot find Workbook stream")) throw notASpreadsheet()
    throw malformedWorkbook()
  }
}

const isVisible = (workbook: WorkBook, sheet: number) => (workbook.Workbook?.Sheets?.[sheet]?.Hidden ?? 0) === 0

const rowsOf = (workbook: WorkBook, sheet: number): ReadonlyArray<NumberedRow> => {
  const name = workbook.SheetNames[sheet]
  const worksheet = name === undefined ? undefined : workbook.Sheets[name]
  // The parser silently leaves out a sheet that it cannot read.
  if (worksheet === undefined) throw malformedWorkbook()
  const data: ReadonlyArray<CellRow | undefined> = worksheet["!data"] ?? []
  // Iterates over keys, because a cell that claims to be in row four billion makes an array of that length.
  return Object.keys(data).flatMap((key): ReadonlyArray<NumberedRow> => {
    const index = Number(key)
    const row = data[index]
    if (row === undefined) return []
    if (index < 0 || index >= sheetRows || row.length > sheetColumns) throw malformedWorkbook()
    return [[index, row]]
  })
}

/**
 * The rows of the first visible sheet with data, without blank rows. Throws `WorkbookRefused`. A formula anywhere in
 * that sheet is refused before the first row is returned.
 */
export function* workbookRows(
  bytes: Buffer,
  format: WorkbookJob["format"],
  maximumRows: number
): Generator<ImportRow, void> {
  let workbook = readWorkbook(bytes, 0)
  if (workbook.SheetNames.length > maximumSheets) throw tooManySheets()
  for (let sheet = 0; sheet < workbook.SheetNames.length; sheet++) {
    if (!isVisible(workbook, sheet)) continue
    // An .xls file is always parsed as a whole. Of an .xlsx file only the requested sheet is parsed.
    if (sheet > 0 && format === "xlsx") workbook = readWorkbook(bytes, sheet)
    const rows = rowsOf(workbook, sheet)
    const cellText = makeCellText(workbook.Workbook?.WBProps?.date1904 ?? false)
    if (!rows.some(([, row]) => !isBlank(textOfRow(row, cellText)))) continue
    if (rows.length > maximumRows) throw tooManyRows(maximumRows)
    refuseFormulas(rows)
    for (const [index, row] of rows) {
      const cells = textOfRow(row, cellText)
      if (!isBlank(cells)) yield { fileRow: index + 1, cells }
    }
    return
  }
}
