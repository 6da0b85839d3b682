import { fold } from "../../../Text/PlainText.ts"
import type { Table } from "../DrawingModel.ts"
import { cut } from "../DrawingText.ts"
import { amountsIn, bareLabel, listIn, sentenceMarks, splitOutside } from "../DrawingWords.ts"

const compared = /\s(?:vs\.?|versus|contra|x)\s/iu
const subjects =
  /(?:compar\p{L}*|tabela|tabla|table)\s(?:compar\p{L}*\s)?(?:de |of |entre |between |com |con )?(.{1,60}?)\s(?:e|and|y|with|com|con|vs\.?|versus|x)\s(.{1,60}?)(?:\.|$)/iu

/** "Compare us and the agency: set-up 2 days vs 6 weeks": a row for each compared thing. */
const comparedTable = (ask: string, data: string): Table | undefined => {
  const heads = subjects.exec(ask)
  if (heads === null) return undefined
  const rows = splitOutside(data, /[;\n]|,(?!\d)|\.\s|\.$/gu)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const [left = "", right = "", ...more] = part.split(compared)
      const at = amountsIn(left)[0]?.from
      const words = left.trim().split(" ")
      // If the first value is not a number, the name is one word and the value is the rest.
      const [name, value] =
        at !== undefined
          ? [left.slice(0, at), left.slice(at)]
          : words.length === 2
            ? [words[0] ?? "", words[1] ?? ""]
            : ["", ""]
      return more.length > 0 ? ["", "", ""] : [bareLabel(name), value.trim(), bareLabel(right)]
    })
  if (rows.length < 2 || rows.some((row) => row.some((cell) => cell === ""))) return undefined
  return { kind: "table", columns: ["", bareLabel(heads[1] ?? ""), bareLabel(heads[2] ?? "")], rows }
}

const columnsSaid =
  /(?:^|[.,;:\n]\s*|\s)(?:(?:com |with |con )?(?:as |the |las |los |os )?(?:\d |\p{L}+ )?(?:colunas|columns|columnas|encabezados|headers|cabe[cç]alhos?))(?:\s(?:are|s[aã]o|son|de|for|called))?\s?:?\s([^.;\n:]{3,200})(?=[.;\n:]|$)/iu

interface Asked {
  readonly columns: ReadonlyArray<string>
  readonly data: string
}

/** The columns that a prompt names, and the rest of it. */
const columnsIn = (text: string): Asked => {
  const match = columnsSaid.exec(text)
  const columns = listIn(match?.[1] ?? "")
  return match === null || columns.length < 2
    ? { columns: [], data: text }
    : {
        columns,
        data: `${text.slice(0, match.index)}\n${text.slice(match.index + match[0].length).replace(/^[.;:\s]+/, "")}`
      }
}

const linesOf = (text: string, marks: RegExp): ReadonlyArray<string> =>
  splitOutside(text, marks)
    .map((row) =>
      row
        .replace(/^\s*(?:[-*•–]\s+|(?:e|and|y)\s)/u, "")
        .replace(/[.,]$/, "")
        .trim()
    )
    .filter((row) => row !== "")

const cellMarks: ReadonlyArray<RegExp> = [/\s?\|\s?|\t/gu, /\s[-–—]\s/gu, /,(?!\d)/gu, /\s\/\s/gu]

const cellsOf = (row: string, marks: RegExp): ReadonlyArray<string> => {
  const colon = row.search(/:\s/)
  const [name, rest] = colon > 0 && colon < 60 ? [row.slice(0, colon), row.slice(colon + 2)] : ["", row]
  return [...(name === "" ? [] : [name.trim()]), ...splitOutside(rest, marks).map((cell) => cell.trim())].filter(
    (cell) => cell !== ""
  )
}

/** "Vino tinto 12€ 40": a name and its numbers, without marks in between. */
const numberedCells = (row: string, width: number): ReadonlyArray<string> => {
  const amounts = amountsIn(row)
  const from = amounts.slice(-(width - 1))
  const [first] = from
  if (first === undefined || from.length !== width - 1) return []
  const starts = from.map((amount) => amount.from)
  return [row.slice(0, first.from), ...starts.map((start, at) => row.slice(start, starts[at + 1]))].map((cell) =>
    cell.trim().replace(/\s(?:e|and|y)$/iu, "")
  )
}

/** "Básico $499, 8 al mes": the name and the first number are in one part. */
const partedCells = (row: string, marks: RegExp): ReadonlyArray<string> => {
  const [first = "", ...others] = cellsOf(row, marks)
  const at = amountsIn(first)[0]?.from ?? 0
  const name = first.slice(0, at).trim()
  return name === "" || others.length === 0 ? [] : [name, first.slice(at).trim(), ...others]
}

const state =
  /\s(?:closed|fechad[oa]|cerrad[oa]|open|abert[oa]|abiert[oa]|sim|n[aã]o|s[ií]|yes|no|gr[aá]tis|free|none|nenhum[a]?|ningun[oa])(?!\p{L})/iu

/** "Mon-Fri 9 to 6": a name, and everything from the first number on. */
const pairedCells = (row: string): ReadonlyArray<string> => {
  const number = amountsIn(row)[0]?.from ?? row.search(/\d/)
  const word = row.search(state)
  const at = [number, word].filter((each) => each > 0).sort((one, other) => one - other)[0]
  if (at === undefined) return []
  const cells = [bareLabel(row.slice(0, at)), row.slice(at).trim()]
  const amounts = amountsIn(cells[1] ?? "")
  // A price followed by other numbers has several cells, and their ends are uncertain.
  if (amounts.length > 1 && amounts.some(({ unit }) => unit !== "")) return []
  return cells.includes("") || (cells[0] ?? "").includes(":") ? [] : cells
}

const isEven = (rows: ReadonlyArray<ReadonlyArray<string>>, width: number): boolean =>
  rows.length > 0 &&
  rows.length <= 30 &&
  width >= 2 &&
  width <= 8 &&
  rows.every((row) => row.length === width && !row.includes(""))

const tableFrom = (rows: ReadonlyArray<ReadonlyArray<string>>, columns: ReadonlyArray<string>): Table => ({
  kind: "table",
  columns: columns.length > 0 ? columns.map((column) => cut(column, 80)) : (rows[0]?.map(() => "") ?? []),
  rows: rows.map((row) => row.map((cell) => cut(cell, 80)))
})

/** Rows with as many cells as columns, in one of the notations that people use. */
const delimitedTable = (data: string, columns: ReadonlyArray<string>): Table | undefined => {
  const bySentence = linesOf(data, new RegExp(`${sentenceMarks.source}|;`, "gu"))
  const byComma = linesOf(data, /[;\n]|,(?!\d)|\.\s|\.$/gu)
  const width = columns.length
  const rowSets = [bySentence, byComma]
  const readings = [
    ...cellMarks.flatMap((marks) => rowSets.map((rows) => rows.map((row) => cellsOf(row, marks)))),
    ...cellMarks.map((marks) => bySentence.map((row) => partedCells(row, marks))),
    ...(width > 0 ? rowSets.map((rows) => rows.map((row) => numberedCells(row, width))) : []),
    ...(width === 0 || width === 2 ? rowSets.map((rows) => rows.map(pairedCells)) : [])
  ]
  const even = readings.filter((each) => each.length > 1 && isEven(each, width > 0 ? width : (each[0]?.length ?? 0)))
  // The notation with the most cells has interpreted all marks.
  const rows = even.reduce<(typeof even)[number] | undefined>(
    (best, each) => ((each[0]?.length ?? 0) > (best?.[0]?.length ?? 0) ? each : best),
    undefined
  )
  return rows === undefined ? undefined : tableFrom(rows, columns)
}

export const tableOf = (ask: string, data: string): Table | undefined => {
  const comparison = comparedTable(ask, data)
  if (comparison !== undefined) return comparison
  const inData = columnsIn(data)
  const columns = inData.columns.length > 0 ? inData.columns : columnsIn(ask).columns
  return fold(inData.data).includes(" vs ") ? undefined : delimitedTable(inData.data, columns)
}
