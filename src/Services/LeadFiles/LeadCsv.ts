import type { LeadId } from "../Leads/Ids.ts"

/** A lead as an export shows it, in the order of the file's columns. */
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
 * Where a spreadsheet would see the beginning of a formula: at that of a cell, and after what it may take for the end of
 * one, since some split at semicolons or tabs. The wide signs are what some take for the narrow ones.
 */
const formulaStart = /(^|[;\t\r\n])([ \u3000]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g
/** The same with the mark that makes a text of it. */
const markedFormula = /(^|[;\t\r\n])'([ \u3000]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g
const blankStart = /^[\t\r\n]/
/** A number in E.164 computes nothing, and with an apostrophe before it nobody could dial or import it again. */
const phoneNumber = /^\+\d{1,15}$/
const needsQuotes = /[",;\t\r\n]/

/** The text with a mark before each place where a formula would begin. */
export const withoutFormulas = (text: string): string => {
  if (phoneNumber.test(text)) return text
  const marked = text.replace(formulaStart, "$1'$2")
  return blankStart.test(marked) ? `'${marked}` : marked
}

/** What `withoutFormulas` was given: an export that is imported again says what it said. */
export const withFormulas = (text: string): string =>
  text.includes("'") ? text.replace(/^'(?=[\t\r\n])/, "").replace(markedFormula, "$1$2") : text

const cell = (value: string | number | boolean | null): string => {
  if (value === null) return ""
  const harmless = withoutFormulas(String(value))
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** The first line, after the mark by which spreadsheets know UTF-8. */
export const leadCsvHeader = `\uFEFF${leadCsvColumns.join(",")}\r\n`

/** One line of CSV (RFC 4180); no cell of it is taken for a formula. */
export const leadCsvLine = (row: LeadCsvRow): string =>
  `${leadCsvColumns.map((column) => cell(row[column])).join(",")}\r\n`
