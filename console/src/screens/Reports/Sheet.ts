import type { Locale } from "../../i18n/Format.ts"
import { dateText, numberText } from "../../i18n/Formats.ts"

interface InLocale {
  readonly locale: Locale
}

export interface SheetColumn {
  readonly text: string
  /** Rates are in percent, and money is in BRL. */
  readonly kind?: "count" | "rate" | "money"
  /** The cell has a bar for its share of the largest value. */
  readonly hasBar?: boolean
}

export type SheetValue = string | number | null

/** The numbers of a report, as its table and its file show them. */
export interface Sheet {
  readonly columns: ReadonlyArray<SheetColumn>
  readonly rows: ReadonlyArray<ReadonlyArray<SheetValue>>
}

export const rowsOfFile = ({ columns, rows }: Sheet): ReadonlyArray<ReadonlyArray<SheetValue>> => [
  columns.map(({ text }) => text),
  ...rows
]

export const valueInWords = (
  value: SheetValue | undefined,
  kind: SheetColumn["kind"],
  { locale }: InLocale
): string => {
  if (value === null || value === undefined) return "—"
  if (typeof value === "string") return value
  if (kind === "rate") {
    return numberText(value / 100, locale, { style: "percent", maximumFractionDigits: 1 })
  }
  return kind === "money"
    ? numberText(value, locale, { style: "currency", currency: "BRL", maximumFractionDigits: 0 })
    : numberText(value, locale)
}

/** Returns a day of the account's calendar, such as `2026-11-28`, in words. */
export const dayInWords = (day: string, { locale }: InLocale): string =>
  dateText(new Date(`${day.slice(0, 10)}T12:00:00Z`), locale, {
    day: "numeric",
    month: "short",
    timeZone: "UTC"
  })
