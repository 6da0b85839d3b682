/**
 * Separators of cells, and the fewest rows of a table including its column names. Bars do not occur in sentences, so
 * two rows are enough for them.
 */
const delimiters = [
  { delimiter: "\t", leastRows: 3 },
  { delimiter: "|", leastRows: 2 },
  { delimiter: ";", leastRows: 3 },
  { delimiter: ",", leastRows: 3 }
] as const
const mostColumns = 30
const longestCell = 120

/** The cells of a line, including quoted ones. Undefined if a quotation mark is not closed. */
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

/** Sentences contain commas too, so a comma table must have no blank after them, and more than two columns. */
const isRow = (line: string, cells: ReadonlyArray<string>, delimiter: string): boolean => {
  if (cells.length > mostColumns || cells.some((cell) => cell.length > longestCell)) return false
  if (delimiter === "\t") return cells.length > 1
  if (delimiter === "|") return cells.length > 1 && !line.trim().startsWith(delimiter)
  return cells.length > 2 && !/[.!?]\s*$/.test(line) && !line.includes(`${delimiter} `)
}

/** The table that begins at a line, in the formats in which spreadsheets export and copy; undefined if none does. */
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
