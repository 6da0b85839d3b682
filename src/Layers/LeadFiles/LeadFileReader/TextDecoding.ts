import { isAscii, isUtf8 } from "node:buffer"
import { StringDecoder } from "node:string_decoder"
import iconv from "iconv-lite"

/** Converts the bytes of a text file, piece by piece, to UTF-8 without a byte order mark. */
export interface PieceDecoder {
  readonly write: (bytes: Buffer) => Buffer
  readonly end: () => Buffer
}

const nothing = Buffer.alloc(0)

/**
 * The number of bytes, starting at the first non-ASCII byte, that decide the encoding of a file without a byte order
 * mark.
 */
const evidenceBytes = 64 * 1024

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** Length of the UTF-8 sequence at `at`: 1 to 4, or 0 if the bytes are not valid UTF-8 (RFC 3629). */
const sequenceLength = (bytes: Buffer, at: number): number => {
  const [first, second] = [bytes[at] ?? 0, bytes[at + 1] ?? 0]
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4 || !isContinuation(second)) return 0
  if (first < 0xe0) return 2
  if (!isContinuation(bytes[at + 2])) return 0
  // Overlong forms, surrogates, and code points above U+10FFFF.
  if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) return 0
  if (first < 0xf0) return 3
  if ((first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f)) return 0
  return isContinuation(bytes[at + 3]) ? 4 : 0
}

/** Returns how many of the last bytes may begin a sequence that continues in the next piece. */
const unfinishedBytes = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isContinuation(byte)) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}

const looksLikeUtf8 = (bytes: Buffer): boolean => {
  if (isUtf8(bytes)) return true
  let sequences = 0
  let strays = 0
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at)
    if (length === 0) strays++
    else if (length > 1) sequences++
    at += length === 0 ? 1 : length
  }
  return sequences > strays
}

const windows1252ToUtf8 = (bytes: Buffer): Buffer => Buffer.from(iconv.decode(bytes, "windows-1252"))

/** Keeps UTF-8, and reads each invalid byte as Windows-1252. Files with pasted text mix both. */
const repaired = (bytes: Buffer): Buffer => {
  if (isUtf8(bytes)) return bytes
  const parts: Array<Buffer> = []
  let good = 0
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at)
    if (length > 0) {
      at += length
      continue
    }
    parts.push(bytes.subarray(good, at), windows1252ToUtf8(bytes.subarray(at, at + 1)))
    at++
    good = at
  }
  parts.push(bytes.subarray(good))
  return Buffer.concat(parts)
}

const utf8Decoder = (): PieceDecoder => {
  let carried = nothing
  return {
    write: (bytes) => {
      const all = carried.length === 0 ? bytes : Buffer.concat([carried, bytes])
      const end = all.length - unfinishedBytes(all)
      carried = Buffer.from(all.subarray(end))
      return repaired(all.subarray(0, end))
    },
    end: () => repaired(carried)
  }
}

const firstOfPair = 0xc3
/**
 * Second bytes that make a letter with `Ã` in UTF-8. In Windows-1252 they are signs that do not follow `Ã`: `Ã£` and
 * `Ã‡`.
 */
const isSecondOfPair = (byte: number): boolean =>
  (byte >= 0xa1 && byte <= 0xbf && byte !== 0xbb) || [0x81, 0x87, 0x89, 0x8a, 0x8d].includes(byte)

/** Keeps letters in UTF-8 that were pasted into a file in Windows-1252. */
const withPastedLetters = (bytes: Buffer): Buffer => {
  const parts: Array<Buffer> = []
  let done = 0
  for (let at = bytes.indexOf(firstOfPair); at >= 0; at = bytes.indexOf(firstOfPair, at + 1)) {
    if (!isSecondOfPair(bytes[at + 1] ?? 0)) continue
    parts.push(windows1252ToUtf8(bytes.subarray(done, at)), bytes.subarray(at, at + 2))
    done = at + 2
  }
  return done === 0 ? windows1252ToUtf8(bytes) : Buffer.concat([...parts, windows1252ToUtf8(bytes.subarray(done))])
}

const windows1252Decoder = (): PieceDecoder => {
  let carried = nothing
  return {
    write: (bytes) => {
      const all = carried.length === 0 ? bytes : Buffer.concat([carried, bytes])
      const end = all.at(-1) === firstOfPair ? all.length - 1 : all.length
      carried = Buffer.from(all.subarray(end))
      return withPastedLetters(all.subarray(0, end))
    },
    end: () => windows1252ToUtf8(carried)
  }
}

const utf16Decoder = (bigEndian: boolean): PieceDecoder => {
  const decoder = new StringDecoder("utf16le")
  let carried = nothing
  return {
    write: (bytes) => {
      const all = Buffer.concat([carried, bytes])
      const end = all.length - (all.length % 2)
      carried = Buffer.from(all.subarray(end))
      const units = all.subarray(0, end)
      return Buffer.from(decoder.write(bigEndian ? units.swap16() : units))
    },
    end: () => Buffer.from(decoder.end())
  }
}

/**
 * Decodes a file without a byte order mark as UTF-8 or Windows-1252. ASCII is the same in both and passes through. From
 * the first other byte on, up to 64 KiB are buffered, and the encoding that fits more of them is used. One pass is
 * enough, and one wrong byte in a UTF-8 file does not damage all accents.
 */
const undecidedDecoder = (): PieceDecoder => {
  let decided: PieceDecoder | undefined
  let evidence: Array<Buffer> = []
  let evidenceLength = 0
  const decide = (): Buffer => {
    const bytes = Buffer.concat(evidence)
    evidence = []
    const whole = bytes.subarray(0, bytes.length - unfinishedBytes(bytes))
    decided = looksLikeUtf8(whole) ? utf8Decoder() : windows1252Decoder()
    return decided.write(bytes)
  }
  return {
    write: (bytes) => {
      if (decided !== undefined) return decided.write(bytes)
      if (evidenceLength === 0 && isAscii(bytes)) return bytes
      evidence.push(bytes)
      evidenceLength += bytes.length
      return evidenceLength >= evidenceBytes ? decide() : nothing
    },
    end: () => {
      const rest = evidenceLength > 0 && decided === undefined ? decide() : nothing
      return decided === undefined ? rest : Buffer.concat([rest, decided.end()])
    }
  }
}

/** Chooses the decoder by the byte order mark at the start of `head`. Without a mark it is UTF-8 or Windows-1252. */
export const makeTextDecoder = (head: Buffer): { readonly decoder: PieceDecoder; readonly markLength: number } => {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { decoder: utf8Decoder(), markLength: 3 }
  if (head[0] === 0xff && head[1] === 0xfe) return { decoder: utf16Decoder(false), markLength: 2 }
  if (head[0] === 0xfe && head[1] === 0xff) return { decoder: utf16Decoder(true), markLength: 2 }
  return { decoder: undecidedDecoder(), markLength: 0 }
}
