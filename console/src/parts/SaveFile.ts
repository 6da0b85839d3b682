import { csvOf } from "./Csv.ts"

/** Spreadsheets read a file as UTF-8 only if it begins with this mark. */
const byteOrderMark = "\uFEFF"

/** Downloads a file that was made in the page. */
export const saveCsv = (name: string, rows: ReadonlyArray<ReadonlyArray<string | number | null>>): void => {
  const url = URL.createObjectURL(new Blob([byteOrderMark, csvOf(rows)], { type: "text/csv;charset=utf-8" }))
  const link = document.createElement("a")
  link.href = url
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
