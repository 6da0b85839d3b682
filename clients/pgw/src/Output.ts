import { PgwError } from "./ExitCodes.ts"

export const formats = ["table", "json", "jsonl", "csv"] as const
export type Format = (typeof formats)[number]

export type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value)

/** People read tables, programs read JSON. */
export const formatFor = (requested: Format | undefined): Format =>
  requested ?? (process.stdout.isTTY ? "table" : "json")

const cellOf = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value)

// A terminal would obey control characters in a lead's name.
// biome-ignore lint/suspicious/noControlCharactersInRegex: They are what is removed.
const controls = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g

const plainCell = (value: unknown): string => cellOf(value).replace(controls, " ")

const columnsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => [...new Set(rows.flatMap(Object.keys))]

const widestCell = 40

const cut = (text: string, width: number): string => {
  const characters = Array.from(text)
  return characters.length > width ? `${characters.slice(0, width - 1).join("")}…` : text
}

/** Columns that fit the terminal. The ones that do not are left out, with a note. */
const table = (rows: ReadonlyArray<Row>): string => {
  const room = process.stdout.columns ?? 120
  const columns = columnsOf(rows).map((name) => {
    const cells = rows.map((row) => cut(plainCell(row[name]), widestCell))
    return { name, cells, width: Math.max(name.length, ...cells.map((cell) => Array.from(cell).length)) }
  })
  const fitting: Array<(typeof columns)[number]> = []
  let used = 0
  for (const column of columns) {
    if (fitting.length > 0 && used + column.width > room) break
    fitting.push(column)
    used += column.width + 2
  }
  const line = (cellAt: (column: (typeof columns)[number]) => string): string =>
    fitting
      .map((column) => cellAt(column) + " ".repeat(column.width - Array.from(cellAt(column)).length))
      .join("  ")
      .trimEnd()
  const hidden = columns.length - fitting.length
  return [
    line(({ name }) => name.toUpperCase()),
    ...rows.map((_, index) => line(({ cells }) => cells[index] ?? "")),
    ...(hidden === 0 ? [] : [`(${hidden} more columns: use -o json or -o csv)`])
  ].join("\n")
}

const csvCell = (value: unknown): string => {
  const text = cellOf(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const csv = (rows: ReadonlyArray<Row>): string => {
  const columns = columnsOf(rows)
  return [
    columns.map(csvCell).join(","),
    ...rows.map((row) => columns.map((name) => csvCell(row[name])).join(","))
  ].join("\r\n")
}

const record = (row: Row): string => {
  const width = Math.max(0, ...Object.keys(row).map((name) => name.length))
  return Object.entries(row)
    .map(([name, value]) => `${name.padEnd(width)}  ${plainCell(value)}`)
    .join("\n")
}

const json = (value: unknown): string => JSON.stringify(value, undefined, process.stdout.isTTY ? 2 : undefined)

/** Rows in a format. */
export const renderRows = (rows: ReadonlyArray<unknown>, format: Format): string => {
  const objects = rows.map((row) => (isRow(row) ? row : { value: row }))
  switch (format) {
    case "json":
      return json(rows)
    case "jsonl":
      return rows.map((row) => JSON.stringify(row)).join("\n")
    case "csv":
      return objects.length === 0 ? "" : csv(objects)
    case "table":
      return objects.length === 0 ? "(none)" : table(objects)
  }
}

/** A tool's answer in a format. Of a list, tables have the rows, and JSON has all. */
export const renderAnswer = (answer: unknown, rowsKey: string | undefined, format: Format): string => {
  const rows: unknown = isRow(answer) && rowsKey !== undefined ? answer[rowsKey] : undefined
  if (Array.isArray(rows) && format !== "json") return renderRows(rows, format)
  if (format === "json" || format === "jsonl") return format === "json" ? json(answer) : JSON.stringify(answer)
  if (!isRow(answer)) return cellOf(answer)
  return format === "csv" ? csv([answer]) : record(answer)
}

/** Data goes to standard output. A reader that has enough, such as `head`, ends the program quietly. */
export const print = (text: string): Promise<void> =>
  text === ""
    ? Promise.resolve()
    : new Promise((resolve, reject) => {
        process.stdout.write(`${text}\n`, (error) => {
          if (error === null || error === undefined) resolve()
          else reject(new PgwError(error.message, "", 1))
        })
      })

/** Notes for a person go to standard error. */
export const note = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

const barWidth = 24

/** A bar that is redrawn in a terminal. Elsewhere there is a line for each state. */
export const progressBar = (label: string) => {
  let isOpen = false
  return {
    show: (percent: number, state: string): void => {
      const filled = Math.round((Math.min(100, Math.max(0, percent)) / 100) * barWidth)
      const text = `${label} [${"#".repeat(filled)}${"-".repeat(barWidth - filled)}] ${String(percent).padStart(3)} % ${state}`
      if (process.stderr.isTTY) {
        process.stderr.write(`\r\u001b[K${text}`)
        isOpen = true
      } else note(`${label} ${percent} % ${state}`)
    },
    end: (): void => {
      if (isOpen) process.stderr.write("\n")
      isOpen = false
    }
  }
}
