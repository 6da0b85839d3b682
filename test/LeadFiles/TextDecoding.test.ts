import fc from "fast-check"
import iconv from "iconv-lite"
import { describe, expect, it } from "vitest"
import { makeTextDecoder } from "../../src/Layers/LeadFiles/LeadFileReader/TextDecoding.ts"

const decoded = (bytes: Buffer, pieceSize: number): string => {
  const { decoder, markLength } = makeTextDecoder(bytes)
  const parts: Array<Buffer> = []
  for (let at = markLength; at < bytes.length; at += pieceSize) {
    parts.push(decoder.write(Buffer.from(bytes.subarray(at, at + pieceSize))))
  }
  return Buffer.concat([...parts, decoder.end()]).toString("utf8")
}

const anyText = fc.string({ unit: "binary", maxLength: 200 }).map((text) => text.replace(/^\ufeff/, ""))
const pieceSizes = fc.integer({ min: 1, max: 20 })

describe("a text", () => {
  for (const encoding of ["utf8", "utf16le", "utf16be"]) {
    it(`in ${encoding} with a mark is the same, wherever it is cut`, () => {
      fc.assert(
        fc.property(anyText, pieceSizes, (text, pieceSize) => {
          expect(decoded(iconv.encode(text, encoding, { addBOM: true }), pieceSize)).toBe(text)
        })
      )
    })
  }

  it("in UTF-8 without a mark is the same, wherever it is cut", () => {
    fc.assert(
      fc.property(anyText, pieceSizes, fc.nat(70_000), (text, pieceSize, padding) => {
        const whole = `${"a".repeat(padding)}${text}`
        expect(decoded(Buffer.from(whole), padding > 1000 ? 4096 : pieceSize)).toBe(whole)
      })
    )
  })

  it("in Windows-1252 is the same, wherever it is cut", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."aeçãõéíóúÁÇñ¿€“”– \n"), maxLength: 200 })
    fc.assert(
      fc.property(letters, pieceSizes, (text, pieceSize) => {
        const whole = `coração ${text}`
        expect(decoded(iconv.encode(whole, "windows-1252"), pieceSize)).toBe(whole)
      })
    )
  })

  it("is decided at the end of 64 KiB, though that cuts a character in two", () => {
    for (let shift = 0; shift < 4; shift++) {
      // One accent is early, one is across the end of the evidence, and the pieces end there.
      const start = `é${"a".repeat(64 * 1024 - 2 - shift)}`
      const text = `${start}😀 fim`
      expect(decoded(Buffer.from(text), 64 * 1024)).toBe(text)
    }
  })

  it("in Windows-1252 keeps letters that were pasted in UTF-8", () => {
    const bytes = Buffer.concat([
      iconv.encode("José Peña, ação, MANHÃ\u00a0 \nConceição, MAÇÃ”\n", "windows-1252"),
      Buffer.from("São Luís\n"),
      iconv.encode("João, MANHÃ", "windows-1252")
    ])
    for (let pieceSize = 1; pieceSize < 12; pieceSize++) {
      expect(decoded(bytes, pieceSize)).toBe("José Peña, ação, MANHÃ\u00a0 \nConceição, MAÇÃ”\nSão Luís\nJoão, MANHÃ")
    }
  })

  it("in Windows-1252 keeps pairs that happen to be UTF-8", () => {
    const text = "coração JOSÉ\u00a0SILVA CAFÉ” "
    expect(decoded(iconv.encode(text, "windows-1252"), 7)).toBe(text)
  })

  it("of any bytes at all is the same, wherever it is cut", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), pieceSizes, (bytes, pieceSize) => {
        const all = Buffer.from([0x61, ...bytes])
        expect(decoded(all, pieceSize)).toBe(decoded(all, all.length))
      }),
      { numRuns: 300 }
    )
  })
})
