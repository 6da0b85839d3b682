import type { LeadId } from "../Leads/Ids.ts"

/** A lead's columns in an export, in the order of the file. */
export const leadCsvColumns = [
  "lead_id",
  "name",
  "email",
  "phone",
  "company",
  "job_title",
  "website",
  "linkedin_url",
  "city",
  "state",
  "country",
  "cnae",
  "industry",
  "status",
  "pipeline_state",
  "is_paused",
  "final_outcome",
  "campaign",
  "goal",
  "background",
  "last_outbound_at",
  "last_inbound_at",
  "next_touch_at",
  "created_at"
] as const

export type LeadCsvRow = { readonly lead_id: LeadId } & {
  readonly [C in Exclude<(typeof leadCsvColumns)[number], "lead_id">]: string | boolean | null
}

/**
 * Places where a spreadsheet could see the start of a formula: the start of a cell, and the position after a semicolon,
 * tab or line break, where some programs split cells. Some programs also accept full-width signs.
 */
const formulaStart = /(^|[;\t\r\n])([ \u3000]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g
/** The same positions, with the apostrophe that marks the cell as text. */
const markedFormula = /(^|[;\t\r\n])'([ \u3000]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g
const blankStart = /^[\t\r\n]/
/** A phone number in E.164 is harmless, and with an apostrophe no one could dial or import it again. */
const phoneNumber = /^\+\d{1,15}$/
const needsQuotes = /[",;\t\r\n]/

/** The text with an apostrophe before each place where a formula could start. */
export const withoutFormulas = (text: string): string => {
  if (phoneNumber.test(text)) return text
  const marked = text.replace(formulaStart, "$1'$2")
  return blankStart.test(marked) ? `'${marked}` : marked
}

/** Reverses `withoutFormulas`, so that an imported export has the original text. */
export const withFormulas = (text: string): string =>
  text.includes("'") ? text.replace(/^'(?=[\t\r\n])/, "").replace(markedFormula, "$1$2") : text

const cell = (value: string | number | boolean | null): string => {
  if (value === null) return ""
  const harmless = withoutFormulas(String(value))
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** The header line, after the byte order mark by which spreadsheets recognise UTF-8. */
export const leadCsvHeader = `\uFEFF${leadCsvColumns.join(",")}\r\n`

/** One line of CSV (RFC 4180) without formulas. */
export const leadCsvLine = (row: LeadCsvRow): string =>
  `${leadCsvColumns.map((column) => cell(row[column])).join(",")}\r\n`
