import { containers } from "./SheetJs.ts"
import { malformedWorkbook } from "./WorkbookMessages.ts"

/** Where the range of cells is in records about links: after the record's head, and after a repeated type. */
const rangeOffsets = new Map([
  [0x01b8, 4],
  [0x0800, 6]
])
const passwordRecord = 0x002f
/** More cells than all links of an honest sheet cover. The parser visits them in less than a second. */
const mostLinkedCells = 5_000_000

const recordsOf = (bytes: Buffer): Buffer | undefined => {
  try {
    const container = containers.read(bytes, { type: "buffer" })
    const stream = containers.find(container, "/Workbook") ?? containers.find(container, "/Book")
    return stream === null ? undefined : Buffer.from(stream.content)
  } catch {
    // The parser says what is wrong with the file.
    return undefined
  }
}

/**
 * Refuses an .xls file whose links cover very many cells. The parser visits each of them, and a link of 36 bytes can cover
 * four billion.
 */
export const refuseWideLinks = (bytes: Buffer): void => {
  const records = recordsOf(bytes)
  if (records === undefined) return
  let cells = 0
  for (let at = 0; at + 4 <= records.length; at += 4 + records.readUInt16LE(at + 2)) {
    const type = records.readUInt16LE(at)
    // What follows is encrypted, and the parser refuses it.
    if (type === passwordRecord) return
    const range = at + (rangeOffsets.get(type) ?? Number.POSITIVE_INFINITY)
    if (range + 8 > records.length) continue
    const rows = records.readUInt16LE(range + 2) - records.readUInt16LE(range) + 1
    const columns = records.readUInt16LE(range + 6) - records.readUInt16LE(range + 4) + 1
    cells += Math.max(0, rows) * Math.max(0, columns)
    if (cells > mostLinkedCells) throw malformedWorkbook()
  }
}
