import { tidyText } from "../Text/PlainText.ts"
import { delimitedTable } from "./DelimitedTable.ts"
import { type DocumentBlock, longestHeading } from "./Passages.ts"

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

/** Below all headings of Markdown. */
const capitalsLevel = 7

/** A line in capitals alone, such as "DELIVERY (from March)". */
const isCapitals = (line: string): boolean => {
  const outside = line
    .slice(0, longestHeading)
    .replace(/\([^()]{0,100}\)/g, "")
    .trim()
  return (
    line.length <= longestHeading &&
    /\p{Lu}{3}/u.test(outside) &&
    !/\p{Ll}/u.test(outside) &&
    !/[.!?;]$|\d/.test(outside)
  )
}

/** Plain text and Markdown: headings by their marks or capitals, tables by their bars. */
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
  const all = tidyText(text).split("\n")
  let tableEnd = 0
  for (const [index, line] of all.entries()) {
    if (index < tableEnd) continue
    const table = delimitedTable(all, index)
    if (table !== undefined) {
      finish()
      blocks.push({ kind: "table", rows: table })
      tableEnd = index + table.length
      continue
    }
    const heading = headingOf(line)
    const next = all[index + 1]?.trim() || (all[index + 2] ?? "")
    if (heading !== undefined) {
      finish()
      blocks.push({ kind: "heading", ...heading })
    } else if (isCapitals(line) && next.trim() !== "" && !isCapitals(next)) {
      finish()
      blocks.push({ kind: "heading", level: capitalsLevel, text: line.trim() })
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
