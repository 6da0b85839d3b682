export type FileContent =
  | "zip"
  | "compound_document"
  | "pdf"
  | "picture"
  | "archive"
  | "html"
  | "xml"
  | "rich_text"
  | "binary"
  | "text"

const signatures: ReadonlyArray<readonly [FileContent, ReadonlyArray<number>]> = [
  ["zip", [0x50, 0x4b, 0x03, 0x04]],
  ["zip", [0x50, 0x4b, 0x05, 0x06]],
  ["compound_document", [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  ["pdf", [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ["picture", [0x89, 0x50, 0x4e, 0x47]],
  ["picture", [0xff, 0xd8, 0xff]],
  ["picture", [0x47, 0x49, 0x46, 0x38]],
  ["archive", [0x1f, 0x8b]],
  ["archive", [0x52, 0x61, 0x72, 0x21]],
  ["archive", [0x37, 0x7a, 0xbc, 0xaf]],
  ["rich_text", [0x7b, 0x5c, 0x72, 0x74, 0x66]]
]

const isUtf16 = (head: Buffer) => (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)

const isControl = (byte: number) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d

const looksBinary = (head: Buffer): boolean => {
  let controls = 0
  for (const byte of head) {
    if (byte === 0) return true
    if (isControl(byte)) controls++
  }
  return controls * 50 > head.length
}

/** Detects the kind of file by its first bytes and ignores its name. About a thousand bytes are enough. */
export const contentOf = (head: Buffer): FileContent => {
  for (const [content, signature] of signatures) {
    if (signature.every((byte, index) => head[index] === byte)) return content
  }
  if (isUtf16(head)) return "text"
  if (looksBinary(head)) return "binary"
  const start = head
    .subarray(0, 1024)
    .toString("latin1")
    .replace(/^\u00ef\u00bb\u00bf/, "")
    .trimStart()
    .toLowerCase()
  if (/^(?:<!doctype html|<html|<head|<body|<table|<meta)[\s>]/.test(start)) return "html"
  return start.startsWith("<?xml") ? "xml" : "text"
}
