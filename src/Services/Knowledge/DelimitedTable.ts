/**
 * What divides cells, and how many rows a table must have at least with its names of columns. Bars stand in no sentence, so
 * that two rows are enough.
 */
const delimiters = [
  { delimiter: "\t", leastRows: 3 },
  { delimiter: "|", leastRows: 2 },
  { delimiter: ";", leastRows: 3 },
  { delimiter: ",", leastRows: 3 }
] as const
const mostColumns = 30
const longestCell = 120

/** The cells of a line, with quoted ones as they are meant. Undefined if a quote is not closed. */
const cellsOf = (line: string, delimiter: string): ReadonlyArray<string> | undefined => {
  if (!line.includes('"')) return line.split(delimiter).map((cell) => cell.trim())
  const cells: Array<string> = []
  let cell = ""
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const sign = line.charAt(at)
    if (sign === '"' && isQuoted && line.charAt(at + 1) === '"') {
      cell += '"'
      at++
    } else if (sign === '"') isQuoted = !isQuoted
    else if (sign === delimiter && !isQuoted) {
      cells.push(cell.trim())
      cell = ""
    } else cell += sign
  }
  return isQuoted ? undefined : [...cells, cell.trim()]
}

/** Commas are in sentences too: a table has none with a blank behind it, and more than two columns. */
const isRow = (line: string, cells: ReadonlyArray<string>, delimiter: string): boolean => {
  if (cells.length > mostColumns || cells.some((cell) => cell.length > longestCell)) return false
  if (delimiter === "\t") return cells.length > 1
  if (delimiter === "|") return cells.length > 1 && !line.trim().startsWith(delimiter)
  return cells.length > 2 && !/[.!?]\s*$/.test(line) && !line.includes(`${delimiter} `)
}

/** The table of lines that begins at a line, as spreadsheets export and copy it; undefined if none begins there. */
export const delimitedTable = (
  lines: ReadonlyArray<string>,
  start: number
): ReadonlyArray<ReadonlyArray<string>> | undefined => {
  const first = lines[start] ?? ""
  for (const { delimiter, leastRows } of delimiters) {
    if (!first.includes(delimiter)) continue
    const rows: Array<ReadonlyArray<string>> = []
    for (let at = start; at < lines.length; at++) {
      const line = lines[at] ?? ""
      const cells = cellsOf(line, delimiter)
      if (cells === undefined || !isRow(line, cells, delimiter)) break
      if (rows[0] !== undefined && cells.length !== rows[0].length) break
      rows.push(cells)
    }
    if (rows.length >= leastRows) return rows
  }
  return undefined
}
