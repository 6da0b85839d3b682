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

/** What a spreadsheet takes for the beginning of a formula. */
const formulaStart = /^[=+\-@\t\r\n]/
/** A number in E.164 computes nothing, and with an apostrophe before it nobody could dial or import it again. */
const phoneNumber = /^\+\d{1,15}$/
const needsQuotes = /[",\r\n]/

const cell = (value: string | number | boolean | null): string => {
  if (value === null) return ""
  const text = String(value)
  const harmless = formulaStart.test(text) && !phoneNumber.test(text) ? `'${text}` : text
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** The first line, after the mark by which spreadsheets know UTF-8. */
export const leadCsvHeader = `\uFEFF${leadCsvColumns.join(",")}\r\n`

/** One line of CSV (RFC 4180); no cell of it is taken for a formula. */
export const leadCsvLine = (row: LeadCsvRow): string =>
  `${leadCsvColumns.map((column) => cell(row[column])).join(",")}\r\n`
