import { constants, deflateRawSync } from "node:zlib"
import { type CellObject, utils, write } from "@e965/xlsx"
import iconv from "iconv-lite"
import { containers } from "../../src/Layers/LeadFiles/LeadFileReader/SheetJs.ts"

export type Sheet = ReadonlyArray<ReadonlyArray<string | number | boolean | null | CellObject>>

/** The library writes `_` for each accent in an Excel 95 file, but Excel writes Windows-1252. */
const withAccents = (bytes: Buffer, texts: ReadonlyArray<string>): Buffer => {
  for (const text of texts) {
    const ascii = Buffer.from(text.replace(/[^ -~]/g, "_"))
    for (let at = bytes.indexOf(ascii); at >= 0; at = bytes.indexOf(ascii, at + 1)) {
      iconv.encode(text, "windows-1252").copy(bytes, at)
    }
  }
  return bytes
}

/** A workbook with these sheets, by name. `hidden` names sheets that are not shown. */
export const workbookOf = (
  sheets: Readonly<Record<string, Sheet>>,
  bookType: "xlsx" | "xls" | "biff5" | "xlsb" = "xlsx",
  hidden: ReadonlyArray<string> = []
): Buffer => {
  const workbook = utils.book_new()
  for (const [name, rows] of Object.entries(sheets)) {
    utils.book_append_sheet(workbook, utils.aoa_to_sheet(rows.map((row) => [...row])), name)
  }
  workbook.Workbook = {
    Sheets: Object.keys(sheets).map((name) => ({ name, Hidden: hidden.includes(name) ? 1 : 0 }))
  }
  const bytes: unknown = write(workbook, { type: "buffer", bookType, bookSST: bookType === "xlsx" })
  if (!Buffer.isBuffer(bytes)) throw new TypeError("not a buffer")
  const texts = Object.values(sheets)
    .flat(2)
    .filter((cell) => typeof cell === "string" && /[^ -~]/.test(cell))
  return bookType === "biff5" ? withAccents(bytes, texts.map(String)) : bytes
}

/** The records of a sheet with its first number turned into the formula `1+1`, which the library cannot write. */
export const withFormula = (records: Buffer): Buffer => {
  const number = Buffer.from([0x03, 0x02, 14, 0])
  const at = records.indexOf(number)
  const place = records.subarray(at + 4, at + 10)
  const value = records.subarray(at + 10, at + 18)
  const tokens = Buffer.from([7, 0, 0x1e, 1, 0, 0x1e, 1, 0, 0x03])
  const formula = Buffer.concat([Buffer.from([0x06, 0, 29, 0]), place, value, Buffer.alloc(6), tokens])
  return Buffer.concat([records.subarray(0, at), formula, records.subarray(at + 18)])
}

/** The bytes of a compound document with these streams. */
export const compoundDocumentOf = (streams: Readonly<Record<string, Buffer>>): Buffer => {
  const container = containers.utils.cfb_new()
  for (const [name, content] of Object.entries(streams)) containers.utils.cfb_add(container, name, content)
  return containers.write(container, { type: "buffer" })
}

/** The stream that holds the records of an .xls workbook, of Excel 97 or 95. */
export const recordsOf = (xls: Buffer): Buffer => {
  const container = containers.read(xls, { type: "buffer" })
  const records = containers.find(container, "/Workbook") ?? containers.find(container, "/Book")
  if (records === null) throw new TypeError("no records")
  return Buffer.from(records.content)
}

interface ZipEntry {
  readonly name: string
  readonly packed: Buffer
  /** The unpacked size that the entry declares. */
  readonly size: number
}

export const entryOf = (name: string, content: string | Buffer): ZipEntry => {
  const bytes = Buffer.from(content)
  return { name, packed: deflateRawSync(bytes), size: bytes.length }
}

/** An entry of many mebibytes of zeros: one mebibyte, packed once and repeated. */
export const bombEntry = (name: string, mebibytes: number, size = mebibytes * 1024 * 1024): ZipEntry => {
  const block = deflateRawSync(Buffer.alloc(1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH })
  const end = Buffer.from([0x03, 0x00])
  return { name, packed: Buffer.concat([...Array.from({ length: mebibytes }, () => block), end]), size }
}

/** A zip archive with arbitrary, possibly wrong sizes. It has no checksums. */
export const zipOf = (entries: ReadonlyArray<ZipEntry>): Buffer => {
  const files: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let offset = 0
  for (const { name, packed, size } of entries) {
    const nameBytes = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(nameBytes.length, 22)
    const inDirectory = Buffer.alloc(14)
    inDirectory.writeUInt32LE(offset, 10)
    files.push(Buffer.from([0x50, 0x4b, 3, 4]), common, nameBytes, packed)
    directory.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), common, inDirectory, nameBytes)
    offset += 30 + nameBytes.length + packed.length
  }
  const directoryBytes = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  Buffer.from([0x50, 0x4b, 5, 6]).copy(end)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directoryBytes.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, directoryBytes, end])
}

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packageRelations = "http://schemas.openxmlformats.org/package/2006/relationships"

/** The XML of a list of sheets that all refer to the same part. */
export const manySheets = (count: number): string =>
  `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${Array.from({ length: count }, (_, n) => `<sheet name="S${n}" sheetId="${n + 1}" r:id="rId1"/>`).join("")}</sheets></workbook>`

/** The parts of a workbook around one sheet, `xl/worksheets/sheet1.xml`. */
export const workbookParts: ReadonlyArray<ZipEntry> = [
  entryOf(
    "[Content_Types].xml",
    `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`
  ),
  entryOf(
    "xl/workbook.xml",
    `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Leads" sheetId="1" r:id="rId1"/></sheets></workbook>`
  ),
  entryOf(
    "xl/_rels/workbook.xml.rels",
    `<?xml version="1.0"?><Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`
  )
]

export const sheetXml = (rows: string) =>
  `<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`

export const sheetEntry = (rows: string) => entryOf("xl/worksheets/sheet1.xml", sheetXml(rows))
