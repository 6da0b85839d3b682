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
const longestHeading = 200
const longestCell = 500
const longestName = 100
/** The most passages of one document. Longer ones are refused. */
export const maximumPassages = 20_000

const oneLine = (text: string): string => tidyText(text).replace(/\s+/g, " ").trim()

/** Sentences and lines, none longer than a passage. */
const piecesOf = (text: string): ReadonlyArray<string> =>
  tidyText(text)
    .split(/(?<=[.!?…;])\s+(?=\S)|\n+/)
    .map((piece) => piece.replace(/\s+/g, " ").trim())
    .filter((piece) => piece !== "")
    .flatMap((piece) => {
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
    })

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
  let pieces: Array<string> = []
  let length = 0
  let between = " "
  const heading = (): string => headings.map(({ text }) => text).join(" > ")
  const finish = (keepsEnd: boolean): void => {
    if (pieces.length === 0) return
    passages.push({ heading: heading(), body: pieces.join(between) })
    const overlap: Array<string> = []
    let size = 0
    for (const piece of keepsEnd ? pieces.toReversed() : []) {
      size += piece.length
      if (size > overlapLength) break
      overlap.unshift(piece)
    }
    pieces = overlap
    length = overlap.reduce((sum, piece) => sum + piece.length + 1, 0)
  }
  const add = (piece: string): void => {
    if (length > 0 && length + piece.length > passageLength) finish(true)
    // The repeated end of the previous passage is dropped if the next piece fills a passage.
    if (length + piece.length > passageLength) {
      pieces = []
      length = 0
    }
    pieces.push(piece)
    length += piece.length + 1
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
      // A row ends with its line. Joined like sentences, the last cell of one row and the first of the next would read
      // as one.
      between = "\n"
      const [header = [], ...rows] = block.rows
      for (const row of rows.length === 0 ? [header] : rows) {
        // Each row repeats all column names, so long names make a small table a large text.
        if (passages.length > maximumPassages) break
        const text = rowText(rows.length === 0 ? [] : header, row)
        for (const piece of text.length > passageLength ? piecesOf(text) : [text]) if (piece !== "") add(piece)
      }
      cut()
      between = " "
    } else for (const piece of piecesOf(block.text)) add(piece)
  }
  cut()
  return passages
}

const headingStart = /^(#{1,6})\s+/

/** Parses a Markdown heading. A single regular expression would take minutes on a long line. */
const headingOf = (line: string): { readonly level: number; readonly text: string } | undefined => {
  const [start = "", signs = ""] = headingStart.exec(line) ?? []
  let end = line.trimEnd().length
  while (end > start.length && line.charAt(end - 1) === "#") end--
  const text = line.slice(start.length, end).trimEnd()
  return signs === "" || text === "" ? undefined : { level: signs.length, text }
}
const isTableLine = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line)
const cellsOf = (line: string): ReadonlyArray<string> =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim())

/** Plain text and Markdown: headings by their marks, tables by their bars. */
export const textBlocks = (text: string): ReadonlyArray<DocumentBlock> => {
  const blocks: Array<DocumentBlock> = []
  let lines: Array<string> = []
  let rows: Array<ReadonlyArray<string>> = []
  const finish = (): void => {
    if (lines.length > 0) blocks.push({ kind: "text", text: lines.join("\n") })
    if (rows.length > 0) blocks.push({ kind: "table", rows })
    lines = []
    rows = []
  }
  for (const line of tidyText(text).split("\n")) {
    const heading = headingOf(line)
    if (heading !== undefined) {
      finish()
      blocks.push({ kind: "heading", ...heading })
    } else if (isTableLine(line)) {
      if (lines.length > 0) finish()
      if (!/^[\s|:-]+$/.test(line)) rows.push(cellsOf(line))
    } else {
      if (rows.length > 0) finish()
      lines.push(line)
    }
  }
  finish()
  return blocks
}
