import { Parser } from "htmlparser2"
import type { DocumentBlock } from "../../../Services/Knowledge/Passages.ts"

const skippedElements = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "svg",
  "head",
  "iframe",
  "object",
  "select"
])
const blockElements = new Set([
  "p",
  "div",
  "li",
  "ul",
  "ol",
  "br",
  "section",
  "article",
  "header",
  "footer",
  "blockquote",
  "dd",
  "dt",
  "pre",
  "hr"
])

/**
 * The text of a page: headings, paragraphs and tables. No script runs, and elements that their tags hide are skipped.
 */
export const htmlBlocks = (html: string): ReadonlyArray<DocumentBlock> => {
  const blocks: Array<DocumentBlock> = []
  let text = ""
  let hidden = 0
  let heading: number | undefined
  let rows: Array<Array<string>> | undefined
  const flush = (): void => {
    if (text.trim() !== "") {
      blocks.push(heading === undefined ? { kind: "text", text } : { kind: "heading", level: heading, text })
    }
    text = ""
  }
  const parser = new Parser({
    onopentag: (name) => {
      if (skippedElements.has(name)) hidden += 1
      else if (/^h[1-6]$/.test(name)) {
        if (rows !== undefined) return
        flush()
        heading = Number(name[1])
      } else if (name === "table" && rows === undefined) {
        flush()
        rows = []
      } else if (name === "tr") rows?.push([])
      else if (name === "td" || name === "th") {
        // A caption, or text in a cell before a nested table.
        if (rows !== undefined) flush()
      } else if (blockElements.has(name)) text += "\n"
    },
    ontext: (part) => {
      if (hidden === 0) text += part
    },
    onclosetag: (name) => {
      if (skippedElements.has(name)) hidden = Math.max(0, hidden - 1)
      else if (/^h[1-6]$/.test(name) && rows === undefined) {
        flush()
        heading = undefined
      } else if (name === "td" || name === "th") {
        rows?.at(-1)?.push(text)
        if (rows !== undefined) text = ""
      } else if (name === "table" && rows !== undefined) {
        if (rows.length > 0) blocks.push({ kind: "table", rows })
        rows = undefined
        text = ""
      } else if (blockElements.has(name)) text += "\n"
    }
  })
  parser.write(html)
  parser.end()
  flush()
  return blocks
}
