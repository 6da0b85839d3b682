import { Parser } from "htmlparser2"

/** Characters of HTML that are read. */
const maximumHtml = 1_000_000
const slice = 8192
/** No mail program nests as deeply. The parser searches all open elements at every unmatched end tag. */
const maximumDepth = 1000

const skipped = new Set([
  "script",
  "style",
  "head",
  "title",
  "template",
  "noscript",
  "object",
  "svg",
  "math",
  "select",
  "textarea"
])
const voids = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "source",
  "track",
  "wbr"
])
const blocks = new Set([
  "address",
  "article",
  "aside",
  "blockquote",
  "center",
  "dd",
  "div",
  "dl",
  "dt",
  "fieldset",
  "figure",
  "footer",
  "form",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "header",
  "li",
  "main",
  "nav",
  "ol",
  "p",
  "pre",
  "section",
  "table",
  "tbody",
  "tr",
  "ul"
])
const spaced = new Set(["p", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "pre"])

// Text that is invisible to a reader is left out.
const hidden =
  /(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?:px|pt|em|%)?\s*(?:;|!|$)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$))/i

const isHidden = (attributes: { readonly [name: string]: string }): boolean =>
  attributes.hidden !== undefined || hidden.test(attributes.style ?? "")

interface OpenElement {
  readonly name: string
  readonly isSkipped: boolean
  readonly isQuote: boolean
  readonly href: string | undefined
  /** The index of the piece of the line at which a link's text begins. */
  readonly from: number
}

/** Longer link texts are not compared with the link's address. */
const longestAddress = 2000

/** Joins the pieces from `from` on. The text is cut off once it is too long to be an address. */
const shownSince = (pieces: ReadonlyArray<string>, from: number): string => {
  let text = ""
  for (let at = from; at < pieces.length && text.length <= longestAddress; at++) text += pieces[at]
  return text.trim()
}

/**
 * Converts an HTML message to plain text, as a mail program would show it. Blocks become lines, quotations get a `>`,
 * and a link keeps its address if its text is different. It is one pass, so neither nesting nor size makes it slow.
 */
export const textOfHtml = (html: string): string => {
  const lines: Array<string> = []
  const open: Array<OpenElement> = []
  // Collected in pieces, because joining the text at every tag would take quadratic time.
  let pieces: Array<string> = []
  let isLineBlank = true
  let isLastBlank = true
  let isAfterSpace = true
  let quotes = 0
  let skips = 0
  let preformatted = 0

  const mark = (): string => (quotes === 0 ? "" : `${">".repeat(Math.min(quotes, 5))} `)
  const push = (text: string): void => {
    lines.push(text)
    isLastBlank = /^[> ]*$/.test(text)
  }
  const add = (text: string): void => {
    if (text === "") return
    pieces.push(text)
    isLineBlank &&= text.trim() === ""
  }
  const endLine = (): void => {
    if (!isLineBlank) push(`${mark()}${pieces.join("").trim()}`)
    pieces = []
    isLineBlank = true
    isAfterSpace = true
  }
  const emptyLine = (): void => {
    endLine()
    if (!isLastBlank) push(mark().trimEnd())
  }
  const write = (text: string): void => {
    if (preformatted > 0) {
      const [first = "", ...rest] = text.split(/\r?\n/)
      add(first)
      for (const next of rest) {
        endLine()
        add(next)
      }
      return
    }
    const single = text.replace(/[ \t\r\n\f]+/g, " ")
    const rest = isAfterSpace ? single.replace(/^ /, "") : single
    if (rest === "") return
    add(rest)
    isAfterSpace = rest.endsWith(" ")
  }
  const close = (element: OpenElement): void => {
    if (element.isSkipped) skips--
    if (skips > 0) return
    if (element.href !== undefined && !element.isSkipped) {
      const linkText = shownSince(pieces, element.from)
      if (linkText !== "" && !element.href.includes(linkText)) add(` <${element.href}>`)
    }
    if (element.name === "pre") preformatted--
    if (spaced.has(element.name)) emptyLine()
    else if (blocks.has(element.name)) endLine()
    if (element.isQuote) {
      endLine()
      quotes--
    }
    if (element.name === "td" || element.name === "th") write(" ")
  }

  const writeVoid = (name: string): void => {
    if (skips > 0) return
    if (name === "br") {
      if (isLineBlank) emptyLine()
      else endLine()
    }
    if (name === "hr") {
      endLine()
      push(`${mark()}________________________________`)
    }
  }

  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (voids.has(name)) return writeVoid(name)
        const isSkipped = skipped.has(name) || isHidden(attributes)
        if (isSkipped) skips++
        const isVisible = skips === 0
        if (isVisible && spaced.has(name)) emptyLine()
        else if (isVisible && blocks.has(name)) endLine()
        const isQuote = isVisible && name === "blockquote"
        if (isQuote) quotes++
        if (isVisible && name === "pre") preformatted++
        if (isVisible && name === "li") add("- ")
        const href =
          isVisible && name === "a" && /^https?:\/\/[^\s<>]{1,2000}$/i.test(attributes.href ?? "")
            ? attributes.href
            : undefined
        open.push({ name, isSkipped, isQuote, href, from: pieces.length })
      },
      ontext: (text) => {
        if (skips === 0) write(text)
      },
      onclosetag: (name) => {
        // The parser closes unclosed elements, so this end tag belongs to the innermost one.
        if (open.at(-1)?.name !== name) return
        const element = open.pop()
        if (element !== undefined) close(element)
      }
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true }
  )
  const end = Math.min(html.length, maximumHtml)
  for (let from = 0; from < end && open.length < maximumDepth; from += slice) {
    parser.write(html.slice(from, Math.min(from + slice, end)))
  }
  parser.end()
  endLine()
  while (lines.length > 0 && /^[> ]*$/.test(lines.at(-1) ?? "")) lines.pop()
  return lines.join("\n").trim()
}
