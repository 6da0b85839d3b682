const unknown = "application/octet-stream"
const text = "text/plain"

const ascii = (from: number, characters: string) => (head: Buffer) =>
  head.subarray(from, from + characters.length).toString("latin1") === characters

const hex = (digits: string) => {
  const signature = Buffer.from(digits, "hex")
  return (head: Buffer) => head.subarray(0, signature.length).equals(signature)
}

/** Matches ISO base media files (MP4 and related formats) of these brands. */
const brand = (names: RegExp) => (head: Buffer) =>
  ascii(4, "ftyp")(head) && names.test(head.subarray(8, 12).toString("latin1"))

/** Formats that their first bytes identify. The first match counts. */
const signatures: ReadonlyArray<readonly [string, (head: Buffer) => boolean]> = [
  ["application/pdf", ascii(0, "%PDF-")],
  ["image/png", hex("89504e470d0a1a0a")],
  ["image/jpeg", hex("ffd8ff")],
  ["image/gif", ascii(0, "GIF8")],
  ["image/webp", (head) => ascii(0, "RIFF")(head) && ascii(8, "WEBP")(head)],
  ["audio/wav", (head) => ascii(0, "RIFF")(head) && ascii(8, "WAVE")(head)],
  ["image/avif", brand(/^avi[fs]$/)],
  ["image/heic", brand(/^(?:hei[cx]|mif1)$/)],
  ["video/quicktime", brand(/^qt {2}$/)],
  ["audio/mp4", brand(/^M4[AB] $/)],
  ["video/mp4", ascii(4, "ftyp")],
  ["video/webm", hex("1a45dfa3")],
  ["audio/ogg", ascii(0, "OggS")],
  ["audio/mpeg", (head) => ascii(0, "ID3")(head) || hex("fffb")(head)],
  ["application/gzip", hex("1f8b")]
]

const isZip = hex("504b0304")
/** The container of the Office formats before 2007. */
const isCompoundDocument = hex("d0cf11e0a1b11ae1")

const zipped: { readonly [extension: string]: string } = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odt: "application/vnd.oasis.opendocument.text"
}

const compound: { readonly [extension: string]: string } = {
  xls: "application/vnd.ms-excel",
  doc: "application/msword",
  ppt: "application/vnd.ms-powerpoint"
}

const textual: { readonly [extension: string]: string } = {
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  md: "text/markdown",
  json: "application/json",
  xml: "application/xml"
}

const isUtf16 = (head: Buffer): boolean => hex("fffe")(head) || hex("feff")(head)

// Bytes that do not occur in text, according to the WHATWG MIME Sniffing Standard.
const isBinary = (head: Buffer): boolean =>
  head.some((byte) => byte < 0x09 || byte === 0x0b || (byte > 0x0d && byte < 0x1b) || (byte > 0x1b && byte < 0x20))

/** Text that a browser would run. It is detected by its content, because a file name can hide it. */
const activeText = (head: Buffer): string | undefined => {
  const start = head
    .subarray(0, 2048)
    .toString(isUtf16(head) ? "utf16le" : "utf8")
    .replace(/^\ufeff/, "")
    .replace(/^(?:\s+|<\?[^>]*>|<!--[\s\S]*?-->|<!doctype svg[^>]*>)+/i, "")
  if (/^<svg[\s>]/i.test(start)) return "image/svg+xml"
  return /^<(?:!doctype\s+html|html|head|body|script|iframe|title|style|meta|div|table|p|a|h1|br)\b/i.test(start)
    ? "text/html"
    : undefined
}

/** The extension of a file name in lower case, without the dot. Empty if there is none. */
export const extensionOf = (fileName: string): string =>
  /[^.]\.([A-Za-z0-9]{1,10})$/.exec(fileName)?.[1]?.toLowerCase() ?? ""

/**
 * Detects the type by the first bytes (a few thousand are best). The file name's extension only decides among formats
 * that look alike: kinds of plain text, of zip, and of the old Office container.
 */
export const sniffMediaType = (bytes: Uint8Array, fileName: string): string => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 8192))
  const extension = extensionOf(fileName)
  if (isZip(head)) return zipped[extension] ?? "application/zip"
  if (isCompoundDocument(head)) return compound[extension] ?? unknown
  const found = signatures.find(([, matches]) => matches(head))
  if (found !== undefined) return found[0]
  if (!isUtf16(head) && isBinary(head)) return unknown
  return activeText(head) ?? textual[extension] ?? (extension === "html" || extension === "htm" ? "text/html" : text)
}
