/** Spreadsheets run a cell that begins like this as a formula. */
const formulaStart = /^[=+\-@\t\r]/

const cellOf = (value: string | number | null): string => {
  if (value === null) return ""
  if (typeof value === "number") return String(value)
  const text = formulaStart.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvOf = (rows: ReadonlyArray<ReadonlyArray<string | number | null>>): string =>
  rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("")
