import { type ReactNode, useState } from "react"
import { useTexts } from "../../i18n/Messages.tsx"
import { IconButton } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import type { IconName } from "../../parts/Icon.tsx"
import { saveCsv } from "../../parts/SaveFile.ts"
import { Answer, Empty } from "../../parts/States.tsx"
import { rowsOfFile, type Sheet } from "./Sheet.ts"
import { SheetTable } from "./SheetTable.tsx"

interface ReportCardProps<Data> {
  readonly title: string
  readonly note?: string
  readonly of: { readonly data: Data | undefined; readonly error: unknown; readonly refetch: () => unknown }
  readonly sheet: (data: Data) => Sheet
  /** The name of the file, without its ending. */
  readonly file: string
  /** Without a chart, the table is the report. */
  readonly chart?: (data: Data) => ReactNode
  readonly tools?: ReactNode
  readonly empty?: { readonly icon: IconName; readonly title: string; readonly text: string }
}

/** A report as a chart or as a table, with a button that saves its numbers. */
export const ReportCard = <Data,>(props: ReportCardProps<Data>) => {
  const { chart, empty, file, note, of, sheet, title, tools } = props
  const { t } = useTexts()
  const [showsTable, setShowsTable] = useState(chart === undefined)
  const { data } = of
  const rows = data === undefined ? 0 : sheet(data).rows.length
  return (
    <Card
      title={title}
      isFlush
      actions={
        <>
          {showsTable ? null : tools}
          {chart === undefined ? null : (
            <IconButton
              icon={showsTable ? "chart" : "menu"}
              label={t(showsTable ? "reports.asChart" : "reports.asTable", { report: title })}
              onClick={() => setShowsTable(!showsTable)}
            />
          )}
          <IconButton
            icon="download"
            label={t("reports.save", { report: title })}
            disabled={rows === 0}
            onClick={() => (data === undefined ? undefined : saveCsv(file, rowsOfFile(sheet(data))))}
          />
        </>
      }
    >
      {data === undefined ? (
        <div className="card-body">
          <Answer of={of} lines={6}>
            {() => null}
          </Answer>
        </div>
      ) : rows === 0 && empty !== undefined ? (
        <Empty icon={empty.icon} title={empty.title} text={empty.text} />
      ) : showsTable ? (
        <SheetTable label={title} sheet={sheet(data)} />
      ) : (
        <div className="card-body">{chart?.(data)}</div>
      )}
      {note === undefined ? null : <p className="report-note faint small">{note}</p>}
    </Card>
  )
}
