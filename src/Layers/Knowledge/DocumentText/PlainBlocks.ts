import type { DocumentBlock } from "../../../Services/Knowledge/Passages.ts"
import { textBlocks } from "../../../Services/Knowledge/TextBlocks.ts"

/** Text in UTF-8, or in UTF-16 if it begins with a byte order mark. */
export const plainBlocks = (bytes: Uint8Array): ReadonlyArray<DocumentBlock> => {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const encoding = isUtf16 ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8"
  return textBlocks(new TextDecoder(encoding).decode(bytes))
}
