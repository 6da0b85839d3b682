import { Parser } from "htmlparser2"
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl"
import type { DocumentBlock } from "../../../Services/Knowledge/Passages.ts"
import { DocumentRefused } from "./DocumentMessages.ts"

/** The most bytes of all parts that are read, after unpacking, and the most entries. */
export const unpackedBytes = 100 * 1024 * 1024
export const maximumEntries = 5000

const needed: { readonly [format in "docx" | "pptx" | "xlsx"]: RegExp } = {
  docx: /^word\/document\.xml$/,
  pptx: /^ppt\/slides\/slide\d+\.xml$/,
  xlsx: /^xl\/(?:workbook\.xml|sharedStrings\.xml|worksheets\/sheet\d+\.xml)$/
}

const unpack = async (zip: ZipFile, entry: Entry, room: number): Promise<string> => {
  const parts: Array<Buffer> = []
  let size = 0
  const stream: AsyncIterable<unknown> = await zip.openReadStreamPromise(entry)
  for await (const bytes of stream) {
    if (!Buffer.isBuffer(bytes)) throw new DocumentRefused("document_broken")
    size += bytes.length
    if (size > room) throw new DocumentRefused("document_too_large")
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString("utf8")
}

/**
 * The parts of an Office document that contain text. Each is measured while it inflates, whatever size it declares.
 */
const partsOf = async (bytes: Buffer, neededParts: RegExp): Promise<ReadonlyMap<string, string>> => {
  const zip = await fromBufferPromise(bytes)
  if (zip.entryCount > maximumEntries) throw new DocumentRefused("document_too_large")
  const parts = new Map<string, string>()
  let room = unpackedBytes
  for await (const entry of zip.eachEntry()) {
    if (!neededParts.test(entry.fileName)) continue
    if (entry.isEncrypted()) throw new DocumentRefused("document_encrypted")
    const text = await unpack(zip, entry, room)
    room -= text.length
    // A document type could define entities. Office programs never write one.
    if (/<!DOCTYPE|<!ENTITY/i.test(text.slice(0, 4096))) throw new DocumentRefused("document_broken")
    parts.set(entry.fileName, text)
  }
  return parts
}

interface Events {
  readonly open?: (name: string, attributes: { readonly [name: string]: string }) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

const walk = (xml: string, { close, open, text }: Events): void => {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open?.(name, attributes),
      ontext: (part) => text?.(part),
      onclosetag: (name) => close?.(name)
    },
    { xmlMode: true, decodeEntities: true }
  )
  parser.write(xml)
  parser.end()
}

/**
 * Paragraphs, headings by style, and tables of WordprocessingML. DrawingML has the same elements under other names.
 */
const paragraphs = (xml: string, prefix: "w" | "a"): ReadonlyArray<DocumentBlock> => {
  const blocks: Array<DocumentBlock> = []
  let text = ""
  let isText = false
  let level: number | undefined
  let isTitle = false
  let depth = 0
  let rows: Array<Array<string>> = []
  walk(xml, {
    open: (name, attributes) => {
      if (name === `${prefix}:tbl` && depth++ === 0) rows = []
      else if (name === `${prefix}:tr` && depth === 1) rows.push([])
      else if (name === `${prefix}:tc` && depth === 1) text = ""
      else if (name === `${prefix}:t`) isText = true
      else if (name === `${prefix}:tab` || name === `${prefix}:br`) text += " "
      else if (name === "w:pStyle") {
        const style = /^(?:Heading|Ttulo|T[ií]tulo)\s*(\d)|^(Title|Titre)$/i.exec(attributes["w:val"] ?? "")
        level = style === null ? level : Number(style[1] ?? 1)
      } else if (name === "p:ph") isTitle = /title/i.test(attributes["type"] ?? "")
      else if (name === "p:sp") isTitle = false
    },
    text: (part) => {
      if (isText) text += part
    },
    close: (name) => {
      if (name === `${prefix}:t`) isText = false
      else if (name === `${prefix}:p`) {
        if (depth > 0) text += "\n"
        else {
          const heading = isTitle ? 1 : level
          if (text.trim() !== "")
            blocks.push(heading === undefined ? { kind: "text", text } : { kind: "heading", level: heading, text })
          text = ""
        }
        level = undefined
      } else if (name === `${prefix}:tc` && depth === 1) {
        rows.at(-1)?.push(text)
        text = ""
      } else if (name === `${prefix}:tbl` && --depth === 0) {
        blocks.push({ kind: "table", rows })
        rows = []
      }
    }
  })
  return blocks
}

const maximumColumns = 200

const columnOf = (reference: string): number => {
  let column = 0
  for (const letter of reference.replace(/\d+$/, "").toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

const sharedStrings = (xml: string): ReadonlyArray<string> => {
  const strings: Array<string> = []
  let text = ""
  let isText = false
  walk(xml, {
    open: (name) => {
      if (name === "si") text = ""
      if (name === "t") isText = true
    },
    text: (part) => {
      if (isText) text += part
    },
    close: (name) => {
      if (name === "t") isText = false
      if (name === "si") strings.push(text)
    }
  })
  return strings
}

/** The cells of a sheet with their last computed values. Formulas are neither evaluated nor shown. */
const sheetRows = (xml: string, strings: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<Array<string>> = []
  let type = ""
  let column = 0
  let value = ""
  let isValue = false
  walk(xml, {
    open: (name, attributes) => {
      if (name === "row") rows.push([])
      else if (name === "c") {
        type = attributes["t"] ?? ""
        column = attributes["r"] === undefined ? (rows.at(-1)?.length ?? 0) : columnOf(attributes["r"])
        value = ""
      } else if (name === "v" || name === "t") isValue = true
    },
    text: (part) => {
      if (isValue) value += part
    },
    close: (name) => {
      if (name === "v" || name === "t") isValue = false
      const row = rows.at(-1)
      if (name !== "c" || row === undefined || column < 0 || column >= maximumColumns) return
      while (row.length < column) row.push("")
      row[column] = type === "s" ? (strings[Number(value)] ?? "") : type === "e" ? "" : value
    }
  })
  return rows.filter((row) => row.some((cell) => cell.trim() !== ""))
}

const numberIn = (name: string): number => Number(/(\d+)\.xml$/.exec(name)?.[1] ?? 0)

/** The text of a Word document, a presentation or a workbook. */
export const officeBlocks = async (
  bytes: Buffer,
  format: "docx" | "pptx" | "xlsx"
): Promise<ReadonlyArray<DocumentBlock>> => {
  // An encrypted document is inside a container of the old format.
  if (bytes.subarray(0, 4).toString("hex") === "d0cf11e0") throw new DocumentRefused("document_encrypted")
  const parts = await partsOf(bytes, needed[format])
  if (format === "docx") {
    const document = parts.get("word/document.xml")
    if (document === undefined) throw new DocumentRefused("document_broken")
    return paragraphs(document, "w")
  }
  const numbered = [...parts].filter(([name]) => numberIn(name) > 0).toSorted(([a], [b]) => numberIn(a) - numberIn(b))
  if (numbered.length === 0) throw new DocumentRefused("document_broken")
  if (format === "pptx") return numbered.flatMap(([, slide]) => paragraphs(slide, "a"))
  const strings = sharedStrings(parts.get("xl/sharedStrings.xml") ?? "")
  const sheetNames: Array<string> = []
  walk(parts.get("xl/workbook.xml") ?? "", {
    open: (name, attributes) => {
      if (name === "sheet") sheetNames.push(attributes["name"] ?? "")
    }
  })
  return numbered.flatMap(([, sheet], index): ReadonlyArray<DocumentBlock> => {
    const rows = sheetRows(sheet, strings)
    return rows.length === 0
      ? []
      : [
          { kind: "heading", level: 1, text: sheetNames[index] ?? "" },
          { kind: "table", rows }
        ]
  })
}
