import { Parser } from "htmlparser2"
import { parseInstant } from "../../Services/Core/Timestamp.ts"
import { type DocumentBlock, type Passage, passagesOf } from "../../Services/Knowledge/Passages.ts"
import { clip, tidyText } from "../../Services/Text/PlainText.ts"

/** The text of a page, without the parts that repeat on every page of its site. */
export interface PageText {
  readonly title: string
  /** The date as `YYYY-MM-DD`. */
  readonly date: string | null
  readonly passages: ReadonlyArray<Passage>
}

const skippedElements = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "svg",
  "iframe",
  "object",
  "select",
  "button",
  "nav",
  "footer",
  "aside",
  "form",
  "dialog"
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
  "main",
  "blockquote",
  "dd",
  "dt",
  "pre",
  "hr",
  "figcaption"
])
const tableElements = new Set(["table", "tr", "td", "th"])
const isCell = (name: string): boolean => name === "td" || name === "th"
const isHeading = (name: string): boolean => /^h[1-6]$/.test(name)
const voidElements = new Set(["br", "hr", "meta", "img", "input", "link", "source"])
const dateNames = new Set([
  "article:published_time",
  "article:modified_time",
  "date",
  "dc.date",
  "dcterms.date",
  "pubdate",
  "publish-date",
  "datepublished"
])

const longestTitle = 200
const longestBlock = 20_000
const maximumPassages = 300
const longestData = 50_000
/** A paragraph with a larger share of linked text is a menu. */
const maximumLinkedShare = 0.6

const dayOf = (text: string): string | undefined => {
  const day = text.trim().slice(0, 10)
  return parseInstant(day)?.precision === "day" ? day : undefined
}

const oneLine = (text: string): string => tidyText(text).replace(/\s+/g, " ").trim()

/** The text of HTML. Takes time linear in its length. */
export const pageTextOf = (html: string): PageText => {
  const blocks: Array<DocumentBlock> = []
  let title = ""
  let shared = ""
  let date: string | undefined
  let data = ""
  let text = ""
  let linked = 0
  let links = 0
  let skippedElement: string | undefined
  let depth = 0
  let heading: number | undefined
  let rows: Array<Array<string>> | undefined
  let place: "title" | "data" | undefined

  const flush = (): void => {
    const content = oneLine(text)
    if (content !== "" && linked <= maximumLinkedShare * content.length) {
      blocks.push(
        heading === undefined
          ? { kind: "text", text: clip(content, longestBlock) }
          : { kind: "heading", level: heading, text: content }
      )
    }
    text = ""
    linked = 0
  }

  const readMetadata = (name: string, attributes: { readonly [name: string]: string }): void => {
    if (name === "title" && title === "") place = "title"
    if (name === "meta") {
      const key = (attributes["property"] ?? attributes["name"] ?? attributes["itemprop"] ?? "").toLowerCase()
      if (dateNames.has(key)) date ??= dayOf(attributes["content"] ?? "")
      if (key === "og:title") shared = attributes["content"] ?? ""
    }
    if (name === "time") date ??= dayOf(attributes["datetime"] ?? "")
    if (name === "script" && attributes["type"] === "application/ld+json") place = "data"
  }

  const openTableElement = (name: string): void => {
    if (name === "table" && rows === undefined) {
      flush()
      rows = []
    } else if (name === "tr") rows?.push([])
    else if (isCell(name) && rows !== undefined) text = ""
  }

  const openElement = (name: string): void => {
    if (skippedElements.has(name)) {
      flush()
      skippedElement = name
      depth = 1
    } else if (isHeading(name)) {
      if (rows !== undefined) return
      flush()
      heading = Number(name[1])
    } else if (tableElements.has(name)) openTableElement(name)
    else if (name === "a") links += 1
    else if (blockElements.has(name) && rows === undefined && heading === undefined) flush()
    else if (blockElements.has(name)) text += " "
  }

  const parser = new Parser({
    onopentag: (name, attributes) => {
      readMetadata(name, attributes)
      // An unclosed element hides the rest of the page. Within it only elements of the same kind are counted.
      if (skippedElement === undefined) openElement(name)
      else if (name === skippedElement) depth += 1
    },
    ontext: (part) => {
      if (place === "title") title += part
      else if (place === "data" && data.length < longestData) data += part
      if (skippedElement !== undefined || place === "title") return
      text += part
      if (links > 0) linked += part.length
    },
    onclosetag: (name) => {
      if (name === "title" || name === "script") place = undefined
      if (skippedElement !== undefined) {
        if (name === skippedElement) depth -= 1
        if (depth === 0) skippedElement = undefined
        return
      }
      if (voidElements.has(name)) return
      if (isHeading(name) && rows === undefined) {
        flush()
        heading = undefined
      } else if (isCell(name) && rows !== undefined) {
        rows.at(-1)?.push(oneLine(text))
        text = ""
      } else if (name === "table" && rows !== undefined) {
        if (rows.some((row) => row.length > 0))
          blocks.push({ kind: "table", rows: rows.filter((row) => row.length > 0) })
        rows = undefined
        text = ""
      } else if (name === "a") links = Math.max(0, links - 1)
      else if (blockElements.has(name) && rows === undefined && heading === undefined) flush()
    }
  })
  parser.write(html)
  parser.end()
  flush()
  const published = /"datePublished"\s*:\s*"([^"]{10,40})"/.exec(data)?.[1]
  return {
    title: clip(oneLine(title) || oneLine(shared), longestTitle),
    date: date ?? (published === undefined ? undefined : dayOf(published)) ?? null,
    passages: passagesOf(blocks).slice(0, maximumPassages)
  }
}
