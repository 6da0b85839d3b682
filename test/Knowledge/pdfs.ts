import PDFDocument from "pdfkit"

type Options = ConstructorParameters<typeof PDFDocument>[0]

/** A PDF that `draw` makes. */
export const pdfOf = (draw: (document: PDFKit.PDFDocument) => void, options: Options = {}): Promise<Buffer> =>
  new Promise((resolve) => {
    const document = new PDFDocument(options)
    const parts: Array<Buffer> = []
    document.on("data", (part: Buffer) => parts.push(part))
    document.on("end", () => resolve(Buffer.concat(parts)))
    draw(document)
    document.end()
  })

/** A file with only these objects, as an attacker may write it. */
export const handWrittenPdf = (objects: ReadonlyArray<string>): Buffer => {
  const parts = ["%PDF-1.7\n"]
  const offsets: Array<number> = []
  let length = parts[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    const text = `${index + 1} 0 obj\n${object}\nendobj\n`
    offsets.push(length)
    parts.push(text)
    length += Buffer.byteLength(text, "latin1")
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`)
  parts.push(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join("")}`,
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`
  )
  return Buffer.from(parts.join(""), "latin1")
}
