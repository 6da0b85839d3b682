import { useWindowVirtualizer } from "@tanstack/react-virtual"
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react"
import { useTexts } from "../i18n/Messages.tsx"

export interface Column<Row> {
  readonly id: string
  readonly header: string
  /** A width of a grid's column, such as `2fr` or `120px`. */
  readonly width: string
  readonly cell: (row: Row) => ReactNode
  /** The width on narrow screens, where it differs. */
  readonly narrowWidth?: string
  /** Left out on narrow screens. */
  readonly isWide?: boolean
  readonly isEnd?: boolean
}

export interface Selection {
  readonly selectedIds: ReadonlySet<number>
  readonly set: (selectedIds: ReadonlySet<number>) => void
}

interface DataTableProps<Row> {
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly idOf: (row: Row) => number
  readonly nameOf: (row: Row) => string
  /** The number of all rows, including those that are not loaded. */
  readonly total: number
  readonly loadMore?: () => void
  readonly selection?: Selection
}

const rowHeight = 45
/** The number of rows before the end of the loaded ones at which more are loaded. */
const loadAhead = 30

/** The height that the browser reports after it has drawn a row. Asking for it before would lay out the page once for each row. */
const heightOf = (_row: Element, entry: ResizeObserverEntry | undefined): number =>
  entry?.borderBoxSize[0]?.blockSize ?? rowHeight

const gridOf = <Row,>(columns: ReadonlyArray<Column<Row>>, isSelectable: boolean) => ({
  "--columns": [...(isSelectable ? ["20px"] : []), ...columns.map(({ width }) => width)].join(" "),
  "--columns-narrow": [
    ...(isSelectable ? ["20px"] : []),
    ...columns.filter(({ isWide }) => isWide !== true).map(({ narrowWidth, width }) => narrowWidth ?? width)
  ].join(" ")
})

/** A long list as a table. Only the rows on the screen are in the page. */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { columns, idOf, label, loadMore, nameOf, rows, selection, total } = props
  const { t } = useTexts()
  const body = useRef<HTMLDivElement>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => setOffset(body.current?.offsetTop ?? 0), [])
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: offset,
    measureElement: heightOf
  })
  const items = virtualizer.getVirtualItems()
  const lastIndex = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (rows.length < total && lastIndex >= rows.length - loadAhead) loadMore?.()
  }, [lastIndex, rows.length, total, loadMore])
  const toggle = (id: number) => {
    if (selection === undefined) return
    const selectedIds = new Set(selection.selectedIds)
    if (!selectedIds.delete(id)) selectedIds.add(id)
    selection.set(selectedIds)
  }
  const isAll = selection !== undefined && rows.length > 0 && rows.every((row) => selection.selectedIds.has(idOf(row)))
  const classOf = ({ isEnd }: Column<Row>) => (isEnd === true ? "table-end" : undefined)
  return (
    <div
      className="table"
      role="table"
      aria-label={label}
      aria-rowcount={total + 1}
      style={gridOf(columns, selection !== undefined)}
    >
      <div role="rowgroup">
        <div className="table-row table-head" role="row" aria-rowindex={1}>
          {selection === undefined ? null : (
            <span role="columnheader" className="check">
              <input
                type="checkbox"
                aria-label={t("common.selectAll")}
                checked={isAll}
                onChange={() => selection.set(isAll ? new Set() : new Set(rows.map(idOf)))}
              />
            </span>
          )}
          {columns.map((column) => (
            <span
              key={column.id}
              role="columnheader"
              className={classOf(column)}
              {...(column.isWide === true ? { "data-wide": "" } : {})}
            >
              {column.header}
            </span>
          ))}
        </div>
      </div>
      <div ref={body} className="table-body" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index]
          if (row === undefined) return null
          const id = idOf(row)
          return (
            <div
              key={id}
              ref={virtualizer.measureElement}
              data-index={item.index}
              role="row"
              aria-rowindex={item.index + 2}
              className="table-row table-line"
              data-selected={selection?.selectedIds.has(id) === true}
              style={{
                position: "absolute",
                insetInline: 0,
                transform: `translateY(${item.start - offset}px)`
              }}
            >
              {selection === undefined ? null : (
                <span role="cell" className="check">
                  <input
                    type="checkbox"
                    aria-label={t("common.select", { name: nameOf(row) })}
                    checked={selection.selectedIds.has(id)}
                    onChange={() => toggle(id)}
                  />
                </span>
              )}
              {columns.map((column) => (
                <span
                  key={column.id}
                  role="cell"
                  className={classOf(column)}
                  {...(column.isWide === true ? { "data-wide": "" } : {})}
                >
                  {column.cell(row)}
                </span>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}
