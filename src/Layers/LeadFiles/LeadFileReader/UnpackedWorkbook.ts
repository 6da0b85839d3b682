import { type Entry, fromBufferPromise, type ZipFile } from "yauzl"
import { containers } from "./SheetJs.ts"
import { malformedWorkbook, passwordProtected, type WorkbookJob, WorkbookRefused } from "./WorkbookMessages.ts"

/**
 * Below this size the ratio of a zip entry is no evidence: a small, very regular part compresses as well as a bomb.
 */
const ratioCheckedFrom = 16 * 1024 * 1024

const tooLarge = () =>
  new WorkbookRefused({
    reason: "too_large_when_unpacked",
    message: "The workbook is too large once it is unpacked.",
    detail: "Keep only the columns to import, or save it as CSV, which has no such limit."
  })

const notAWorkbook = () =>
  new WorkbookRefused({
    reason: "content_does_not_match_extension",
    message: "The file's name ends in .xlsx, but its content is not an .xlsx workbook.",
    detail: "Save it as .xlsx or CSV from a spreadsheet program."
  })

const contentTypes = "[Content_Types].xml"
const isSpreadsheet = /spreadsheetml\.(?:sheet|template)\.main\+xml|sheet\.macroEnabled\.main\+xml/

/**
 * The parts that hold cells, and the parts that refer to them. Other parts, such as macros and charts, are never read.
 */
const isNeeded = (name: string) =>
  /^[\w[\]./ -]+\.(?:xml|rels)$/i.test(name) &&
  !/(?:^|\/)(?:META-INF|Index|docProps|customXml|media|theme|drawings|charts|chartsheets|comments\w*|threadedComments|externalLinks|printerSettings|tables|queryTables|pivot\w*|ctrlProps|activeX|calcChain\.xml|objectdata\.xml|worksheets\/_rels)(?:\/|$)/i.test(
    name
  )

const utf16Marks = new Set([0xfeff, 0xfffe])
/** Found in both byte orders, since it ends before the second byte of its last letter. */
const linkInUtf16 = Buffer.from("hyperlink", "utf16le").subarray(0, -1)

/**
 * A part without links. The parser visits each cell that a link covers, and a link of 1 kB can cover 17 billion. Links
 * are found as the parser finds them, and become spaces of the same length. No text of a cell looks like one, because
 * `<` is escaped in it. The parser also reads UTF-16, which spreadsheet programs do not write: there, links are refused.
 */
const withoutLinks = (part: Buffer): Buffer => {
  const isUtf16 = part.length > 1 && utf16Marks.has(part.readUInt16LE(0))
  if (isUtf16 && part.includes(linkInUtf16)) throw malformedWorkbook()
  if (!part.includes("hyperlink ")) return part
  const text = part.toString("latin1").replace(/<(?:\w+:)?hyperlink [^<>]*>/g, (link) => " ".repeat(link.length))
  return Buffer.from(text, "latin1")
}

const unpackEntry = async (zip: ZipFile, entry: Entry, room: number, ratio: number): Promise<ReadonlyArray<Buffer>> => {
  const parts: Array<Buffer> = []
  const keep = isNeeded(entry.fileName)
  let size = 0
  const stream: AsyncIterable<unknown> = await zip.openReadStreamPromise(entry)
  for await (const bytes of stream) {
    if (!Buffer.isBuffer(bytes)) throw malformedWorkbook()
    size += bytes.length
    if (size > room || (size > ratioCheckedFrom && size > entry.compressedSize * ratio)) throw tooLarge()
    if (keep) parts.push(bytes)
  }
  return parts
}

/**
 * Unpacks the needed parts of an .xlsx file and packs them again without compression. Every entry is measured while it
 * inflates, because its declared size may be wrong, and memory stays within the limit. The parser only gets this
 * result, so it cannot read the archive differently from this check.
 */
export const unpackedWorkbook = async (bytes: Buffer, limits: WorkbookJob["limits"]): Promise<Buffer> => {
  const zip = await fromBufferPromise(bytes)
  if (zip.entryCount > limits.zipEntries) throw tooLarge()
  const seenNames = new Set<string>()
  const container = containers.utils.cfb_new()
  let room = limits.unpackedBytes
  let spreadsheet = false
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName
    if (entry.isEncrypted()) throw passwordProtected()
    if (seenNames.has(name.toLowerCase())) throw malformedWorkbook()
    seenNames.add(name.toLowerCase())
    if (entry.uncompressedSize > room) throw tooLarge()
    const parts = await unpackEntry(zip, entry, room, limits.zipRatio)
    const content = withoutLinks(Buffer.concat(parts))
    room -= Math.max(entry.uncompressedSize, content.length)
    if (name === contentTypes) spreadsheet = isSpreadsheet.test(content.toString("latin1"))
    if (isNeeded(name)) containers.utils.cfb_add(container, name, content, { unsafe: true })
  }
  if (!spreadsheet) throw notAWorkbook()
  return containers.write(container, { fileType: "zip", type: "buffer", compression: false })
}
