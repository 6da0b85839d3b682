import { tidyText } from "../Text/PlainText.ts"

/** A part of a document's text. */
export type DocumentBlock =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  /** Rows of a table. The first one names the columns. */
  | { readonly kind: "table"; readonly rows: ReadonlyArray<ReadonlyArray<string>> }

/** A piece of text that is indexed, searched and quoted. */
export interface Passage {
  /** The headings above it, outermost first. */
  readonly heading: string
  readonly body: string
}

/** In characters: about as much as answers one question. */
export const passageLength = 900
const overlapLength = 150
export const longestHeading = 200
const longestCell = 500
const longestName = 100
/** The most passages of one document. Longer ones are refused. */
export const maximumPassages = 20_000

const oneLine = (text: string): string => tidyText(text).replace(/\s+/g, " ").trim()

/** A sentence or a line, with what separates it from the one before. */
interface Piece {
  readonly text: string
  readonly separator: " " | "\n" | "\n\n"
}

const lengthOf = ({ separator, text }: Piece): number => separator.length + text.length

const shortestWrappedLine = 50

/** Whether a line break is only where the line was full. */
const isWrapped = (line: string, next: string): boolean =>
  line.length >= shortestWrappedLine && /[^.!?:;|]$/.test(line) && /^\p{Ll}/u.test(next)

/** The lines of a text. A list and a price table of plain lines are understandable only line by line. */
const linesOf = (text: string): ReadonlyArray<Piece> => {
  const lines: Array<Piece> = []
  let separator: Piece["separator"] = " "
  for (const raw of tidyText(text).split("\n")) {
    const line = raw.replace(/\s+/g, " ").trim()
    const last = lines.at(-1)
    if (line === "") separator = "\n\n"
    else if (separator === "\n" && last !== undefined && isWrapped(last.text, line)) {
      lines.splice(-1, 1, { ...last, text: `${last.text} ${line}` })
    } else lines.push({ text: line, separator })
    if (line !== "") separator = "\n"
  }
  return lines
}

/** Sentences and lines, none longer than a passage. */
const piecesOf = (text: string): ReadonlyArray<Piece> =>
  linesOf(text).flatMap((line) =>
    line.text
      .split(/(?<=[.!?…;])\s+(?=\S)/)
      .flatMap(partsOf)
      .map((part, index): Piece => ({ text: part, separator: index === 0 ? line.separator : " " }))
  )

const partsOf = (piece: string): ReadonlyArray<string> => {
  if (piece.length <= passageLength) return [piece]
  const parts: Array<string> = []
  let rest = piece
  while (rest.length > passageLength) {
    const space = rest.lastIndexOf(" ", passageLength)
    // Half of a surrogate pair would be an invalid character.
    const end =
      space > passageLength / 2
        ? space
        : /[\ud800-\udbff]/.test(rest[passageLength - 1] ?? "")
          ? passageLength - 1
          : passageLength
    parts.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trim()
  }
  return [...parts, rest].filter((part) => part !== "")
}

/** A row as a sentence with the columns' names, so that it is understandable alone. */
const rowText = (header: ReadonlyArray<string>, row: ReadonlyArray<string>): string =>
  row
    .map((cell, index) => {
      // Thousands of cells may contain the same megabytes of text. Only as much as can be shown is read.
      const value = oneLine(cell.slice(0, 4 * longestCell)).slice(0, longestCell)
      const name = oneLine((header[index] ?? "").slice(0, 4 * longestName)).slice(0, longestName)
      return value === "" ? "" : name === "" || name === value ? value : `${name}: ${value}`
    })
    .filter((part) => part !== "")
    .join("; ")

/**
 * Splits a document at headings and sentences. Each passage repeats the end of the previous one. Tables are split by
 * rows, each with the names of its columns.
 */
export const passagesOf = (blocks: Iterable<DocumentBlock>): ReadonlyArray<Passage> => {
  const passages: Array<Passage> = []
  const headings: Array<{ readonly level: number; readonly text: string }> = []
  let pieces: Array<Piece> = []
  let length = 0
  const heading = (): string => headings.map(({ text }) => text).join(" > ")
  const finish = (keepsEnd: boolean): void => {
    if (pieces.length === 0) return
    const body = pieces.map(({ separator, text }, index) => (index === 0 ? text : `${separator}${text}`)).join("")
    passages.push({ heading: heading(), body })
    const overlap: Array<Piece> = []
    let size = 0
    for (const piece of keepsEnd ? pieces.toReversed() : []) {
      size += lengthOf(piece)
      if (size > overlapLength) break
      overlap.unshift(piece)
    }
    pieces = overlap
    length = overlap.reduce((sum, piece) => sum + lengthOf(piece), 0)
  }
  const add = (piece: Piece): void => {
    if (length > 0 && length + piece.text.length > passageLength) finish(true)
    // The repeated end of the previous passage is dropped if the next piece fills a passage.
    if (length + piece.text.length > passageLength) {
      pieces = []
      length = 0
    }
    pieces.push(piece)
    length += lengthOf(piece)
  }
  const cut = (): void => {
    finish(false)
    pieces = []
    length = 0
  }
  for (const block of blocks) {
    if (passages.length > maximumPassages) break
    if (block.kind === "heading") {
      cut()
      while ((headings.at(-1)?.level ?? 0) >= block.level) headings.pop()
      const text = oneLine(block.text).slice(0, longestHeading)
      if (text !== "") headings.push({ level: block.level, text })
    } else if (block.kind === "table") {
      cut()
      const [header = [], ...rows] = block.rows
      for (const row of rows.length === 0 ? [header] : rows) {
        // Each row repeats all column names, so long names make a small table a large text.
        if (passages.length > maximumPassages) break
        const text = rowText(rows.length === 0 ? [] : header, row)
        // A row ends with its line. Joined like sentences, the last cell of one row and the first of the next would read
        // as one.
        if (text.length > passageLength) for (const piece of piecesOf(text)) add(piece)
        else if (text !== "") add({ text, separator: "\n" })
      }
      cut()
    } else for (const piece of piecesOf(block.text)) add(piece)
  }
  cut()
  return passages
}
