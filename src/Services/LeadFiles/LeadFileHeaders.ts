import { Either } from "effect"
import { fieldNames, meaningOfHeader, optionalFields } from "./HeaderNames.ts"
import { type ImportRow, isPlaceholder, maximumColumns, maximumFieldLength } from "./ImportRow.ts"
import { withFormulas } from "./LeadCsv.ts"
import { type ContactCell, LeadFileError, type LeadFileRow } from "./LeadFile.ts"
import { type ColumnMeaning, type LeadFileColumn, reportColumns } from "./LeadFileColumns.ts"

/** Which columns of a file contain which fields. */
export interface LeadFileColumns {
  /** The file row of the header, 0 if the file has none. */
  readonly headerRow: number
  /** The meaning of each column, in the order of the file. */
  readonly meanings: ReadonlyArray<ColumnMeaning | null>
  /** The indexes of the columns with each meaning. */
  readonly byMeaning: { readonly [M in ColumnMeaning]: ReadonlyArray<number> }
}

/** How many non-blank rows at the start of a file `recogniseColumns` reads. */
export const headerSearchRows = 10

const emailShape = /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@.,;<>"]{2,}$/
const phoneShape = /^\+?[\d\s().-]+$/
/** Patterns of other values with as many digits as a phone number: dates, CPF, CNPJ, CEP. */
const otherNumberShapes =
  /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[.-]\d{1,2}[.-]\d{4}|\d{3}\.\d{3}\.\d{3}-\d{2}|\d{5}-\d{3})(?:\s|$)/

const isEmailShaped = (cell: string) => cell.length <= 254 && emailShape.test(cell.trim())

const isPhoneShaped = (cell: string): boolean => {
  const text = cell.trim()
  if (text.length > 40 || !phoneShape.test(text) || otherNumberShapes.test(text)) return false
  const digits = text.replace(/\D/g, "").length
  return digits >= 10 && digits <= 15
}

const isContactShaped = (cell: string) => isEmailShaped(cell) || isPhoneShaped(cell)

const withColumns = (headerRow: number, meanings: ReadonlyArray<ColumnMeaning | null>): LeadFileColumns => {
  const of = (meaning: ColumnMeaning) => meanings.flatMap((other, column) => (other === meaning ? [column] : []))
  return {
    headerRow,
    meanings,
    byMeaning: {
      name: of("name"),
      first_name: of("first_name"),
      last_name: of("last_name"),
      email: of("email"),
      phone: of("phone"),
      email_or_phone: of("email_or_phone"),
      company: of("company"),
      linkedin_url: of("linkedin_url"),
      city: of("city"),
      state: of("state"),
      country: of("country"),
      job_title: of("job_title"),
      website: of("website"),
      notes: of("notes")
    }
  }
}

const meaningsOf = (header: ImportRow): ReadonlyArray<ColumnMeaning | null> =>
  header.cells.slice(0, maximumColumns).map((cell) => meaningOfHeader(cell) ?? null)

const isName = (cell: string) => /\p{L}/u.test(cell) && !/[\d@]/.test(cell)

const widthOf = (rows: ReadonlyArray<ImportRow>) =>
  Math.min(maximumColumns, Math.max(0, ...rows.map((row) => row.cells.length)))

/**
 * The columns of a file without a header, by their content: addresses, numbers, and the first text column as the name.
 */
const columnsByContent = (head: ReadonlyArray<ImportRow>): LeadFileColumns => {
  const width = widthOf(head)
  if (width === 1) return withColumns(0, ["email_or_phone"])
  const some = (column: number, shape: (cell: string) => boolean) => head.some((row) => shape(row.cells[column] ?? ""))
  let hasName = false
  const meanings = Array.from({ length: width }, (_, column): ColumnMeaning | null => {
    if (some(column, isEmailShaped)) return "email"
    if (some(column, isPhoneShaped)) return "phone"
    if (hasName || !some(column, isName)) return null
    hasName = true
    return "name"
  })
  return withColumns(0, meanings)
}

/**
 * Columns with an unknown header, or only "contact", are recognised by the content of most of their first cells. A
 * number does not make such a column a phone column, because it may be any other number.
 */
const withContentOf = (
  meanings: ReadonlyArray<ColumnMeaning | null>,
  firstRows: ReadonlyArray<ImportRow>
): ReadonlyArray<ColumnMeaning | null> =>
  Array.from({ length: Math.max(meanings.length, widthOf(firstRows)) }, (_, column) => {
    const meaning = meanings[column] ?? null
    if (meaning !== null && meaning !== "name") return meaning
    const cells = firstRows.map((row) => row.cells[column] ?? "").filter((cell) => cell.trim() !== "")
    const isMost = (shape: (cell: string) => boolean) =>
      cells.length > 0 && cells.filter(shape).length * 2 > cells.length
    if (meaning === null) return isMost(isEmailShaped) ? "email" : null
    return isMost(isContactShaped) ? "email_or_phone" : meaning
  })

const isContact = (meaning: ColumnMeaning | null) =>
  meaning === "email" || meaning === "phone" || meaning === "email_or_phone"

/** More recognised fields score higher, and a contact outweighs any number of other fields. */
const scoreOf = (meanings: ReadonlyArray<ColumnMeaning | null>): number => {
  const distinctMeanings = new Set(meanings.filter((meaning) => meaning !== null))
  return distinctMeanings.size + (meanings.some(isContact) ? fieldNames.length : 0)
}

const headerAdvice = "Name the columns in the first row, for example: Nome, E-mail, Telefone, Empresa."

/**
 * Finds the header among a file's first non-blank rows. If the first row already contains an e-mail address or a phone
 * number, columns are recognised by content. Lines above the header, such as a title, are skipped. Fails with
 * `no_recognised_columns` or `no_contact_column`.
 */
export const recogniseColumns = (head: ReadonlyArray<ImportRow>): Either.Either<LeadFileColumns, LeadFileError> => {
  const firstData = head.findIndex((row) => row.cells.slice(0, maximumColumns).some(isContactShaped))
  if (firstData === 0) return Either.right(columnsByContent(head))
  let header: ImportRow | undefined
  let best = 0
  let meanings: ReadonlyArray<ColumnMeaning | null> = []
  for (const row of firstData < 0 ? head : head.slice(0, firstData)) {
    const rowMeanings = meaningsOf(row)
    const score = scoreOf(rowMeanings)
    if (score > best) {
      header = row
      best = score
      meanings = rowMeanings
    }
  }
  if (header === undefined) {
    return Either.left(
      new LeadFileError({
        reason: "no_recognised_columns",
        message: "No column of the file is recognised.",
        detail: headerAdvice
      })
    )
  }
  const { fileRow } = header
  const allMeanings = withContentOf(
    meanings,
    head.filter((row) => row.fileRow > fileRow)
  )
  if (!allMeanings.some(isContact)) {
    return Either.left(
      new LeadFileError({
        reason: "no_contact_column",
        message: "The file has neither an e-mail nor a phone column.",
        detail: `Every lead needs an e-mail address or a phone number. ${headerAdvice}`,
        file_row: fileRow
      })
    )
  }
  return Either.right(withColumns(fileRow, allMeanings))
}

/** The meaning of each column, with samples from the first rows. */
export const columnReport = (columns: LeadFileColumns, head: ReadonlyArray<ImportRow>): ReadonlyArray<LeadFileColumn> =>
  reportColumns(
    head.find(({ fileRow }) => fileRow === columns.headerRow),
    head.filter(({ fileRow }) => fileRow > columns.headerRow),
    (column) => columns.meanings[column] ?? null
  )

/** `="0119999"`: some programs write this so that a spreadsheet does not read the CSV field as a number. */
const asText = /^="([^"]*)"$/

const fieldText = (cell: string): string => {
  const trimmed = cell.trim()
  // Long cells are cut below, so a formula mark in megabytes of text does not matter.
  const plain = trimmed.length <= maximumFieldLength ? withFormulas(trimmed) : trimmed
  const text = plain.startsWith('="') ? plain.replace(asText, "$1") : plain
  // NUL cannot be stored as text, and half of a surrogate pair cannot be sent.
  return text.length <= maximumFieldLength && !text.includes("\0")
    ? text
    : text
        .replaceAll("\0", "")
        .slice(0, maximumFieldLength)
        .replace(/[\ud800-\udbff]$/, "")
}

/** The first cell with a value, otherwise the first placeholder. */
const firstFilled = (cells: ReadonlyArray<string>, columns: ReadonlyArray<number>): string => {
  let placeholder = ""
  for (const column of columns) {
    const text = fieldText(cells[column] ?? "")
    if (text === "") continue
    if (!isPlaceholder(text)) return text
    if (placeholder === "") placeholder = text
  }
  return placeholder
}

const endsWithName = (full: string, last: string) => full.toLowerCase().endsWith(last.toLowerCase())

const nameOf = (cells: ReadonlyArray<string>, columns: LeadFileColumns["byMeaning"]): string => {
  const full = firstFilled(cells, columns.name)
  const last = firstFilled(cells, columns.last_name)
  const first = columns.first_name.length > 0 ? firstFilled(cells, columns.first_name) : ""
  // Next to a first-name column, the name column contains the full name. Next to only a last-name column, it contains
  // the first name.
  if (full !== "" && (columns.first_name.length > 0 || last === "" || endsWithName(full, last))) return full
  return `${full === "" ? first : full} ${last}`.trim().slice(0, maximumFieldLength)
}

/** The filled cells of contact columns, in the order of the file. */
const contactCellsOf = (cells: ReadonlyArray<string>, meanings: LeadFileColumns["meanings"]) =>
  meanings.flatMap((meaning, column): ReadonlyArray<ContactCell> => {
    if (!isContact(meaning)) return []
    const text = fieldText(cells[column] ?? "")
    if (text === "") return []
    if (meaning === "email" || meaning === "phone") return [{ field: meaning, text }]
    return [{ field: text.includes("@") ? "email" : "phone", text }]
  })

export const toLeadFileRow = (columns: LeadFileColumns, row: ImportRow): LeadFileRow => {
  const { cells, fileRow } = row
  const { byMeaning, headerRow, meanings } = columns
  const contacts = contactCellsOf(cells, meanings)
  const firstOf = (field: ContactCell["field"]) => contacts.find((contact) => contact.field === field)
  const [email, phone] = [firstOf("email"), firstOf("phone")]
  const furtherContacts = contacts.filter((contact) => contact !== email && contact !== phone)
  const lead: { -readonly [key in keyof LeadFileRow]: LeadFileRow[key] } = {
    row_number: fileRow - headerRow,
    file_row: fileRow,
    name: nameOf(cells, byMeaning),
    email: email?.text ?? "",
    phone: phone?.text ?? "",
    company: firstFilled(cells, byMeaning.company)
  }
  if (furtherContacts.length > 0) lead.further_contacts = furtherContacts
  for (const field of optionalFields) {
    if (byMeaning[field].length === 0) continue
    const text = firstFilled(cells, byMeaning[field])
    if (text !== "") lead[field] = text
  }
  return lead
}
