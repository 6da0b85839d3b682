import { handWrittenPdf } from "./pdfs.ts"

/** A list of a compact font (CFF): the count, the size of an offset, the offsets, and the parts. */
const listOf = (parts: ReadonlyArray<Buffer>): Buffer => {
  const offsets = [1]
  for (const part of parts) offsets.push((offsets.at(-1) ?? 1) + part.length)
  return parts.length === 0 ? Buffer.alloc(2) : Buffer.concat([Buffer.from([0, parts.length, 1, ...offsets]), ...parts])
}

const numberOf = (value: number): Buffer => {
  const bytes = Buffer.from([29, 0, 0, 0, 0])
  bytes.writeInt32BE(value, 1)
  return bytes
}

/** A compact font whose only letter, `A`, is a corner. */
const smallFont = (): Buffer => {
  const name = Buffer.concat([Buffer.from([1, 0, 4, 1]), listOf([Buffer.from("Small")])])
  const corner = Buffer.from([139, 139, 21, 239, 6, 239, 7, 14])
  const letters = listOf([Buffer.from([14]), corner])
  const lettersOfNames = Buffer.from([0, 0, 34])
  const headOf = (names: number, shapes: number, rest: number): Buffer =>
    listOf([
      Buffer.concat([
        ...[numberOf(names), Buffer.from([15]), numberOf(shapes), Buffer.from([17])],
        ...[numberOf(0), numberOf(rest), Buffer.from([18])]
      ])
    ])
  const start = name.length + headOf(0, 0, 0).length + 4
  const shapes = start + lettersOfNames.length
  return Buffer.concat([
    ...[name, headOf(start, shapes, shapes + letters.length), listOf([]), listOf([])],
    ...[lettersOfNames, letters]
  ])
}

const streamOf = (content: Buffer, entries = ""): string =>
  `<< /Length ${content.length} ${entries} >>\nstream\n${content.toString("latin1")}\nendstream`

/** A page whose text is drawn with a font that has these entries and this file of shapes. */
const pageWith = (font: string, shapes: Buffer, table = "", mode = 0): Buffer =>
  handWrittenPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R
      /Resources << /Font << /F1 5 0 R /F2 9 0 R >> >> >>`,
    streamOf(
      Buffer.from(`BT /F2 12 Tf 72 600 Td (Returns within thirty days.) Tj /F1 24 Tf ${mode} Tr 0 60 Td (AAA) Tj ET`)
    ),
    `<< /Type /Font /Subtype /Type1 /BaseFont /Small /FirstChar 65 /LastChar 65 /Widths [600]
      /FontDescriptor 6 0 R /Encoding /WinAnsiEncoding ${font} >>`,
    `<< /Type /FontDescriptor /FontName /Small /Flags 4 /FontBBox [0 0 600 600] /ItalicAngle 0 /Ascent 600
      /Descent 0 /StemV 80 /FontFile3 7 0 R >>`,
    streamOf(shapes, "/Subtype /Type1C"),
    streamOf(Buffer.from(table)),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
  ])

const mapOf = (ranges: string): string =>
  `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FFFFFFFF> endcodespacerange ${ranges} endcmap`

/** A font of nothing but offsets: the reader goes round in it until its time is over. */
export const endlessFont = (): Buffer => pageWith("", Buffer.alloc(1_000_000, 0xff))

/**
 * Documents whose fonts attack the reader. The first has code where a font's matrix is, which older readers put into a
 * function that they made of the shapes of the letters (CVE-2024-4367); it would write `file`.
 */
export const hostileFonts = (file: string): ReadonlyArray<readonly [what: string, document: Buffer]> => {
  const code = `0\\);process.getBuiltinModule\\('fs'\\).writeFileSync\\('${file}','x'\\);\\(1`
  const matrix = `/FontMatrix [0.001 0 0 0.001 0 (${code})]`
  return [
    ...[0, 4, 7].map(
      (mode) => [`code in a font's matrix, mode ${mode}`, pageWith(matrix, smallFont(), "", mode)] as const
    ),
    [
      "a table of letters with four thousand million of them",
      pageWith("/ToUnicode 8 0 R", smallFont(), mapOf("1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange"))
    ],
    [
      "the same in a comment's disguise",
      pageWith(
        "/ToUnicode 8 0 R",
        smallFont(),
        mapOf("1 beginbfrange <00000000> %<0>\n<FF FFzzFFFF> <0041> endbfrange")
      )
    ],
    [
      "the same with codes as texts",
      pageWith(
        "/ToUnicode 8 0 R",
        smallFont(),
        mapOf("1 beginbfrange (\\0\\0) (\\377\\377\\377\\377) <0041> endbfrange")
      )
    ],
    [
      "a table of letters that uses itself",
      pageWith("/ToUnicode 8 0 R", smallFont(), `/CMapName /Small def /Small usecmap ${mapOf("")}`)
    ],
    ["a font cut off in its middle", pageWith("", smallFont().subarray(0, 40))],
    ["widths without end", pageWith(`/Widths [${"600 ".repeat(300_000)}]`, smallFont())]
  ]
}
