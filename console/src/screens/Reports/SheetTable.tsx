import { useState } from "react"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { type Sheet, type SheetColumn, type SheetValue, valueInWords } from "./Sheet.ts"

/** The number of rows that are shown at first. A button shows the others. */
const firstRows = 12

const Cell = ({
  column,
  most,
  value
}: {
  readonly column: SheetColumn
  readonly value: SheetValue | undefined
  readonly most: number
}) => {
  const texts = useTexts()
  const text = valueInWords(value, column.kind, texts)
  if (column.hasBar !== true || typeof value !== "number") return <td className="end num">{text}</td>
  return (
    <td className="end num">
      <span className="sheet-bar">
        <span className="sheet-track" aria-hidden="true">
          <span style={{ width: `${(value / Math.max(most, 1)) * 100}%` }} />
        </span>
        <span className="sheet-value">{text}</span>
      </span>
    </td>
  )
}

/** A report as a table. Its first column names the row. */
export const SheetTable = ({ label, sheet }: { readonly label: string; readonly sheet: Sheet }) => {
  const { t } = useTexts()
  const [isWhole, setIsWhole] = useState(false)
  const [first, ...columns] = sheet.columns
  const most = columns.map((_, index) =>
    Math.max(0, ...sheet.rows.map((row) => (typeof row[index + 1] === "number" ? Number(row[index + 1]) : 0)))
  )
  const rows = isWhole ? sheet.rows : sheet.rows.slice(0, firstRows)
  return (
    <>
      <div className="scroll-x" tabIndex={0} role="region" aria-label={t("reports.table", { report: label })}>
        <table className="plain-table sheet">
          <thead>
            <tr>
              <th scope="col">{first?.text}</th>
              {columns.map((column) => (
                <th key={column.text} scope="col" className="end">
                  {column.text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, rowIndex) => (
              <tr key={rowIndex}>
                <th scope="row">{row[0]}</th>
                {columns.map((column, index) => (
                  <Cell key={column.text} column={column} value={row[index + 1]} most={most[index] ?? 0} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isWhole || sheet.rows.length <= firstRows ? null : (
        <div className="lines-more">
          <Button kind="plain" onClick={() => setIsWhole(true)}>
            {t("reports.showAll", { count: sheet.rows.length })}
          </Button>
        </div>
      )}
    </>
  )
}
