import { withoutFormulas } from "../../LeadFiles/LeadCsv.ts"
import type { SiteField } from "../Site.ts"
import type { SiteRecord } from "./SiteRecords.ts"

const cell = (text: string | null): string => {
  const harmless = withoutFormulas(text ?? "")
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const line = (cells: ReadonlyArray<string | null>): string => `${cells.map(cell).join(",")}\r\n`

const own = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "referrer"] as const

/** The header line, after the byte order mark by which spreadsheets recognise UTF-8. */
export const recordCsvHeader = (fields: ReadonlyArray<SiteField>): string =>
  `\uFEFF${line(["sent_at", ...fields.map(({ label }) => label), "page", "variant", ...own, "marketing_consent", "outcome", "lead_id"])}`

export const recordCsvLine = (fields: ReadonlyArray<SiteField>, record: SiteRecord): string =>
  line([
    record.createdAt,
    ...fields.map(({ name }) => record.filled[name] ?? null),
    record.pageId,
    record.variant,
    ...own.map((name) => record.source[name]),
    record.hasMarketingConsent ? "yes" : "no",
    record.outcome,
    record.leadId === null ? null : String(record.leadId)
  ])
