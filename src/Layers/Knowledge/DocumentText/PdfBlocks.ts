import { constants, inflateSync } from "node:zlib"
import PDFParser from "pdf2json"
import type { DocumentBlock } from "../../../Services/Knowledge/Passages.ts"
import { DocumentRefused } from "./DocumentMessages.ts"

/** The most pages and characters of one document. Longer ones must be split. */
export const maximumPages = 2000
const maximumCharacters = 8_000_000

/** A run of text with its position on the page, in points. */
interface Run {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly end: number
  readonly size: number
  readonly isBold: boolean
}

interface Line {
  readonly page: number
  readonly y: number
  readonly isInMargin: boolean
  readonly size: number
  readonly isBold: boolean
  /** The cells of a table row. A line of text has one cell. */
  readonly cells: ReadonlyArray<string>
}

const pointsPerUnit = 16

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

interface ParsedText {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly R: ReadonlyArray<{ readonly T: string; readonly TS: ReadonlyArray<number> }>
}

const runOf = ({ R, w, x, y }: ParsedText): Run => {
  const [first] = R
  const text = R.map(({ T }) => decoded(T)).join("")
  const left = x * pointsPerUnit
  return {
    text,
    x: left,
    y: y * pointsPerUnit,
    end: left + w,
    size: first?.TS[1] ?? 12,
    isBold: first?.TS[2] === 1
  }
}

const sameLine = 3

/**
 * Returns the lines of a page from top to bottom. Runs of a line are ordered from left to right, and wide gaps separate
 * cells.
 */
const linesOf = (page: number, height: number, runs: ReadonlyArray<Run>): ReadonlyArray<Line> => {
  const rows: Array<Array<Run>> = []
  for (const run of runs.toSorted((a, b) => a.y - b.y)) {
    const row = rows.at(-1)
    if (row !== undefined && Math.abs((row[0]?.y ?? 0) - run.y) < sameLine) row.push(run)
    else rows.push([run])
  }
  return rows.map((row) => {
    const cells: Array<string> = []
    let end: number | undefined
    for (const run of row.toSorted((a, b) => a.x - b.x)) {
      const gap = end === undefined ? 0 : run.x - end
      const last = cells.length - 1
      if (end === undefined || gap > 1.5 * run.size) cells.push(run.text)
      else cells[last] = `${cells[last] ?? ""}${gap > 0.1 * run.size ? " " : ""}${run.text}`
      end = Math.max(end ?? 0, run.end)
    }
    const y = row[0]?.y ?? 0
    return {
      page,
      y,
      isInMargin: y < margin * height || y > (1 - margin) * height,
      size: Math.max(...row.map(({ size }) => size)),
      isBold: row.every(({ isBold }) => isBold),
      cells: cells.map((cell) => cell.replace(/\s+/g, " ").trim()).filter((cell) => cell !== "")
    }
  })
}

const textOf = ({ cells }: Line): string => cells.join(" ")

/** The share of a page's height that its header and its footer may each take. */
const margin = 0.08

/** Removes headers, footers and page numbers: text in the margin that is at the same height on most pages. */
const withoutFrame = (lines: ReadonlyArray<Line>, pages: number): ReadonlyArray<Line> => {
  const keyOf = (line: Line): string => `${Math.round(line.y)}:${textOf(line).replace(/\d+/g, "#")}`
  const counts = new Map<string, Set<number>>()
  for (const line of lines) {
    const on = counts.get(keyOf(line)) ?? new Set()
    counts.set(keyOf(line), on.add(line.page))
  }
  const isFrame = (line: Line): boolean =>
    line.isInMargin && pages >= 3 && (counts.get(keyOf(line))?.size ?? 0) > pages / 2
  return lines.filter((line) => line.cells.length > 0 && !isFrame(line) && !/^\d{1,5}$/.test(textOf(line)))
}

/** Returns the size of most of the text. */
const bodySize = (lines: ReadonlyArray<Line>): number => {
  const characters = new Map<number, number>()
  for (const line of lines) characters.set(line.size, (characters.get(line.size) ?? 0) + textOf(line).length)
  return [...characters].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 12
}

const longestHeading = 120

/**
 * Returns the heading level of a line that is larger than the body text, or bold and alone. Larger text has a higher
 * level.
 */
const headingLevel = (line: Line, body: number): number | undefined => {
  const text = textOf(line)
  if (line.cells.length > 1 || text.length > longestHeading || /[.;,:]$/.test(text)) return undefined
  const ratio = line.size / body
  if (ratio >= 1.6) return 1
  if (ratio >= 1.3) return 2
  if (ratio >= 1.12) return 3
  return line.isBold && text.length <= 80 ? 4 : undefined
}

const minimumRows = 3

/** Returns how many lines, starting with this one, are rows of one table. */
const tableLength = (lines: ReadonlyArray<Line>, from: number): number => {
  const columns = lines[from]?.cells.length ?? 0
  if (columns < 2) return 0
  let to = from
  while (lines[to]?.cells.length === columns) to++
  return to - from >= minimumRows ? to - from : 0
}

const blocksOf = (lines: ReadonlyArray<Line>): ReadonlyArray<DocumentBlock> => {
  const body = bodySize(lines)
  const blocks: Array<DocumentBlock> = []
  let text = ""
  let last: Line | undefined
  const finish = (): void => {
    if (text !== "") blocks.push({ kind: "text", text })
    text = ""
  }
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]
    if (line === undefined) break
    const rows = tableLength(lines, index)
    const level = headingLevel(line, body)
    if (rows > 0) {
      finish()
      blocks.push({ kind: "table", rows: lines.slice(index, index + rows).map(({ cells }) => cells) })
      index += rows - 1
    } else if (level !== undefined) {
      finish()
      const before = blocks.at(-1)
      // Two successive lines of a heading are joined.
      if (
        before?.kind === "heading" &&
        before.level === level &&
        last !== undefined &&
        line.y - last.y < 2 * line.size
      ) {
        blocks[blocks.length - 1] = { ...before, text: `${before.text} ${textOf(line)}` }
      } else blocks.push({ kind: "heading", level, text: textOf(line) })
    } else {
      const isNext = last !== undefined && last.page === line.page && line.y - last.y <= 1.5 * line.size
      if (!isNext && last?.page === line.page) finish()
      // A hyphenated word continues on the next line.
      text = /\p{Ll}-$/u.test(text)
        ? text.slice(0, -1) + textOf(line)
        : `${text}${text === "" ? "" : " "}${textOf(line)}`
    }
    last = line
  }
  finish()
  return blocks
}

/**
 * The most bytes of all compressed parts together after unpacking, and how often a part may be compressed within
 * itself.
 */
const unpackedBytes = 200 * 1024 * 1024
const maximumLayers = 3
const streamBegins = /stream\r?\n/g

const pageObject = /\/Type\s{0,4}\/Page(?![A-Za-z])/g

/**
 * The number of pages that this part of the file declares. The parser would take minutes to find out that there are too
 * many.
 */
const pagesIn = (part: Buffer): number =>
  part.includes("/Page") ? (part.toString("latin1").match(pageObject)?.length ?? 0) : 0

/** The most letters that a document's font tables may describe by ranges. Unicode has fewer. */
const maximumLetters = 2_000_000
const tableBegins = /begin(?:bf|cid)range/
const entryOfTable = /<([^<>]*)>|\(|\d+|\[[^[\]]*\]/g

/**
 * Returns how many letters the tables in this part describe by ranges. The parser makes an entry for each letter, so
 * one range of eight digits would take it minutes. A code that is no hexadecimal number counts as too many, because no
 * program writes one.
 */
const lettersIn = (part: Buffer): number => {
  if (!part.includes("range")) return 0
  let letters = 0
  // A table ends at its end mark, or where the next table begins, so that no character is read twice.
  for (const rest of part.toString("latin1").split(tableBegins).slice(1)) {
    const [table = ""] = rest.split("end", 1)
    const entries = [...table.replace(/%[^\r\n]*/g, "").matchAll(entryOfTable)]
    for (let at = 0; at + 1 < entries.length; at += 3) {
      const codes = entries
        .slice(at, at + 2)
        .map(([entry, code]) => (code === undefined ? entry : code.replace(/[^\da-f]/gi, "")))
      if (codes.some((code) => code === "(")) return Number.POSITIVE_INFINITY
      const [low = 0, high = 0] = codes.map((code) => Number.parseInt(code, 16))
      if (high > low) letters += high - low
    }
  }
  return letters
}

/**
 * Unpacks each compressed part, only to measure it. The parser would accept any size, and a thread's memory limit does
 * not cover that memory. Parts that do not unpack here are left to the parser.
 */
const checkStreams = (bytes: Buffer): void => {
  let remainingBytes = unpackedBytes
  let pages = pagesIn(bytes)
  let letters = lettersIn(bytes)
  const text = bytes.toString("latin1")
  for (const match of text.matchAll(streamBegins)) {
    let part: Buffer = bytes.subarray(match.index + match[0].length)
    for (let layer = 0; layer < maximumLayers && (part[0] ?? 0) % 16 === 8; layer++) {
      try {
        part = inflateSync(part, { maxOutputLength: remainingBytes, finishFlush: constants.Z_SYNC_FLUSH })
      } catch (error) {
        if (error instanceof RangeError) throw new DocumentRefused("document_too_large")
        break
      }
      remainingBytes -= part.length
      pages += pagesIn(part)
      letters += lettersIn(part)
      if (remainingBytes <= 0) throw new DocumentRefused("document_too_large")
    }
  }
  if (pages > maximumPages || letters > maximumLetters) throw new DocumentRefused("document_too_large")
}

const isProtected = /password/i

const readPages = (bytes: ArrayBuffer): Promise<ReadonlyArray<DocumentBlock>> =>
  new Promise((resolve, reject) => {
    const parser = new PDFParser()
    const lines: Array<Line> = []
    let pages = 0
    let characters = 0
    parser.on("data", (page) => {
      if (page === null) return
      pages++
      const runs = page.Texts.map(runOf)
      characters += runs.reduce((sum, { text }) => sum + text.length, 0)
      if (pages > maximumPages || characters > maximumCharacters) {
        return reject(new DocumentRefused("document_too_large"))
      }
      for (const line of linesOf(pages, page.Height * pointsPerUnit, runs)) lines.push(line)
    })
    parser.on("pdfParser_dataError", (error) => {
      const { message } = error.parserError
      const reason = typeof message === "string" ? message : String(error.parserError)
      reject(new DocumentRefused(isProtected.test(reason) ? "document_encrypted" : "document_broken"))
    })
    parser.on("pdfParser_dataReady", () => {
      const blocks = blocksOf(withoutFrame(lines, pages))
      if (blocks.length === 0) reject(new DocumentRefused("document_without_text"))
      else resolve(blocks)
    })
    // A copy of exactly these bytes, because the parser reads a buffer from the beginning of its memory.
    parser.parseBuffer(Buffer.from(bytes), 0)
  })

/** The text of a PDF: headings by size, paragraphs, and tables where columns are apart. No script runs. */
export const pdfBlocks = (bytes: ArrayBuffer): Promise<ReadonlyArray<DocumentBlock>> => {
  checkStreams(Buffer.from(bytes))
  return readPages(bytes)
}
