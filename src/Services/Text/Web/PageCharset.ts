import iconv from "iconv-lite"

const charsetIn = (text: string): string | undefined => /charset\s*=\s*["']?([\w:.-]{2,40})/i.exec(text)?.[1]

const markedCharset = (bytes: Buffer): string | undefined => {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8"
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined
}

/** Detects a page's encoding: by its byte-order mark, its header or its meta tag, otherwise UTF-8. */
const charsetOf = (buffer: Buffer, contentType: string): string => {
  const charset =
    markedCharset(buffer) ?? charsetIn(contentType) ?? charsetIn(buffer.subarray(0, 2048).toString("latin1")) ?? "utf-8"
  return iconv.encodingExists(charset) && !/^utf-?7/i.test(charset) ? charset : "utf-8"
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const decodePage = (bytes: Uint8Array, contentType: string): string => {
  const buffer = bufferOf(bytes)
  return iconv.decode(buffer, charsetOf(buffer, contentType))
}

/** The number of bytes that are decoded without yielding. */
const sliceBytes = 128 * 1024

/** Decodes the text in slices, so that other work can run while a large page is decoded. */
export function* decodedSlices(bytes: Uint8Array, contentType: string): Generator<string> {
  const buffer = bufferOf(bytes)
  const decoder = iconv.getDecoder(charsetOf(buffer, contentType))
  for (let at = 0; at < buffer.length; at += sliceBytes) yield decoder.write(buffer.subarray(at, at + sliceBytes))
  yield decoder.end() ?? ""
}
