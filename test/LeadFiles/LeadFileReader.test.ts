import { expect, it } from "@effect/vitest"
import { Chunk, Effect, Exit, Fiber, Ref, Stream } from "effect"
import fc from "fast-check"
import iconv from "iconv-lite"
import { describe } from "vitest"
import { layer } from "../../src/Layers/LeadFiles/LeadFileReader.ts"
import { withFormulas } from "../../src/Services/LeadFiles/LeadCsv.ts"
import { LeadFileReader } from "../../src/Services/LeadFiles/LeadFile.ts"
import { fileOf, readAll, refusalOf } from "./reading.ts"

const people = [
  ["Nome", "E-mail", "Telefone", "Empresa"],
  ["João Conceição", "joao@empresa.com.br", "+55 11 99999-8888", "Pão & Cia – “Açúcar”"],
  ["Íñigo Peña", "inigo@empresa.es", "", "Compañía €uro"]
]

const leads = people.slice(1).map(([name, email, phone, company], index) => ({
  ...{ row_number: index + 1, file_row: index + 2 },
  ...{ name, email, phone, company }
}))

const textOf = (delimiter: string) => people.map((cells) => cells.join(delimiter)).join("\r\n")

describe("delimited text", () => {
  for (const delimiter of [",", ";", "\t", "|"]) {
    it.effect(`is split at ${JSON.stringify(delimiter)}`, () =>
      Effect.gen(function* () {
        expect(yield* readAll(fileOf("leads.csv", textOf(delimiter)))).toEqual(leads)
        expect(yield* readAll(fileOf("leads.TXT", textOf(delimiter)))).toEqual(leads)
      })
    )
  }

  const withMark = (encoding: string) => iconv.encode(textOf(";"), encoding, { addBOM: true })
  for (const [encoding, bytes] of [
    ["UTF-8 with a mark", withMark("utf8")],
    ["UTF-16LE with a mark", withMark("utf16le")],
    ["UTF-16BE with a mark", withMark("utf16be")],
    ["Windows-1252", iconv.encode(textOf(";"), "win1252")]
  ] as const) {
    it.effect(`is decoded as ${encoding}, wherever its pieces end`, () =>
      Effect.gen(function* () {
        for (const pieceSize of [1, 2, 3, 7, 64, 100_000]) {
          expect(yield* readAll(fileOf("leads.csv", bytes, pieceSize))).toEqual(leads)
        }
      })
    )
  }

  for (const encoding of ["utf8", "win1252"]) {
    it.effect(`in ${encoding} is decoded when its first accent comes late`, () =>
      Effect.gen(function* () {
        const plain = "Maria,maria@empresa.com,Empresa\n".repeat(20_000)
        const text = `Nome,E-mail,Empresa\n${plain}João,joao@empresa.com,Pão de Açúcar\n${plain}`
        const rows = yield* readAll(fileOf("leads.csv", iconv.encode(text, encoding)))
        expect(rows).toHaveLength(40_001)
        expect(rows[20_000]).toMatchObject({ name: "João", company: "Pão de Açúcar", row_number: 20_001 })
      })
    )
  }

  it.effect("in UTF-8 keeps its accents in spite of a stray byte", () =>
    Effect.gen(function* () {
      const bytes = Buffer.concat([
        Buffer.from("Nome,E-mail\nJoão,a@b.co\nÂngela,b@b.co\nJos"),
        Buffer.from([0xe9]),
        Buffer.from(",c@b.co\n")
      ])
      const rows = yield* readAll(fileOf("leads.csv", bytes))
      expect(rows.map((row) => row.name)).toEqual(["João", "Ângela", "José"])
    })
  )

  it.effect("may end in the first byte of a character", () =>
    Effect.gen(function* () {
      const rows = yield* readAll(fileOf("leads.csv", iconv.encode("E-mail,Nome\na@b.co,José", "win1252")))
      expect(rows.map((row) => row.name)).toEqual(["José"])
    })
  )

  it.effect("has line breaks, delimiters and quotes inside of quotes", () =>
    Effect.gen(function* () {
      const text = 'Nome;E-mail;Notas\n"Silva; João";a@b.co;"linha 1\r\nlinha ""2"""\n "Ana"; b@b.co ; 15" de tela\n'
      expect(yield* readAll(fileOf("leads.csv", text))).toMatchObject([
        { name: "Silva; João", email: "a@b.co", notes: 'linha 1\r\nlinha "2"', file_row: 2 },
        { name: "Ana", email: "b@b.co", notes: '15" de tela', file_row: 3 }
      ])
    })
  )

  it.effect("may have short, long and blank rows, and any line ends", () =>
    Effect.gen(function* () {
      const text = "Relatório\r\nE-mail,Nome,Empresa\r\na@b.co\n\nb@b.co,B,Co,x,y\r,,\rc@b.co,C"
      expect(yield* readAll(fileOf("leads.csv", text))).toMatchObject([
        { email: "a@b.co", name: "", row_number: 1, file_row: 3 },
        { email: "b@b.co", name: "B", company: "Co", row_number: 3, file_row: 5 },
        { email: "c@b.co", name: "C", row_number: 5, file_row: 7 }
      ])
    })
  )

  it.effect("may name its delimiter in a separate first line", () =>
    Effect.gen(function* () {
      const rows = yield* readAll(fileOf("leads.csv", "sep=;\r\nE-mail;Nome\r\na@b.co;Silva, Ana\r\n"))
      expect(rows).toMatchObject([{ email: "a@b.co", name: "Silva, Ana", file_row: 2 }])
    })
  )

  it.effect("may be a list of addresses and numbers", () =>
    Effect.gen(function* () {
      const rows = yield* readAll(fileOf("lista.txt", "a@b.co\n11 99999-8888\n\nb@b.co"))
      expect(rows).toMatchObject([
        { email: "a@b.co", phone: "", row_number: 1 },
        { email: "", phone: "11 99999-8888", row_number: 2 },
        { email: "b@b.co", phone: "", row_number: 4 }
      ])
    })
  )

  /** The export's formula mark is removed by an import, even if the text had it before. */
  const isUnmarked = (text: string): boolean => [text, text.trim()].every((one) => withFormulas(one) === one)

  it.effect("gives back what was quoted", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.string({ unit: "grapheme" }).filter(isUnmarked), fc.string().filter(isUnmarked)), {
            minLength: 1,
            maxLength: 20
          }),
          fc.constantFrom(",", ";", "\t", "|"),
          fc.integer({ min: 1, max: 50 }),
          async (values, delimiter, pieceSize) => {
            const quote = (value: string) => `"${value.replaceAll('"', '""')}"`
            const lines = values.map(([name, notes]) => ["a@b.co", quote(name), quote(notes)].join(delimiter))
            const text = [["E-mail", "Nome", "Notas"].join(delimiter), ...lines].join("\n")
            const rows = await Effect.runPromise(readAll(fileOf("leads.csv", text, pieceSize)))
            expect(rows.map((row) => [row.name, row.notes ?? ""])).toEqual(
              values.map(([name, notes]) => [name.trim(), notes.trim()])
            )
          }
        )
      )
    )
  )
})

describe("a file as a stream", () => {
  const row = (index: number) => `Maria ${index},maria${index}@empresa.com.br,11999998888,Empresa ${index}\n`

  it.effect("is never read far ahead of the rows that are taken, however long it is", () =>
    Effect.gen(function* () {
      const rows = 200_000
      let pulled = 0
      let readCount = 0
      let furthestAhead = 0
      let largestChunk = 0
      const bytes = Stream.range(0, rows / 100 - 1).pipe(
        Stream.rechunk(1),
        Stream.map((block) => {
          const lines = Array.from({ length: 100 }, (_, index) => row(block * 100 + index)).join("")
          const piece = Buffer.from(block === 0 ? `Nome,E-mail,Telefone,Empresa\n${lines}` : lines)
          pulled += piece.length
          furthestAhead = Math.max(furthestAhead, pulled - readCount)
          return piece
        })
      )
      const reader = yield* LeadFileReader
      let count = 0
      yield* reader.read({ fileName: "leads.csv", sizeBytes: 0, bytes }).pipe(
        Stream.runForEachChunk((chunk) =>
          Effect.sync(() => {
            largestChunk = Math.max(largestChunk, chunk.length)
            count += chunk.length
            for (const lead of chunk) readCount += row(lead.row_number - 1).length
          })
        )
      )
      expect(count).toBe(rows)
      expect(pulled).toBeGreaterThan(10_000_000)
      expect(furthestAhead).toBeLessThan(150_000)
      expect(largestChunk).toBeLessThan(2000)
    }).pipe(Effect.provide(layer))
  )

  it.effect("is read to where the rows are taken, and closed then", () =>
    Effect.gen(function* () {
      const pulled = yield* Ref.make(0)
      const closed = yield* Ref.make(false)
      const bytes = Stream.repeatEffect(Ref.updateAndGet(pulled, (count) => count + 1)).pipe(
        Stream.map((index) => Buffer.from(index === 1 ? "E-mail\n" : row(index).repeat(100))),
        Stream.ensuring(Ref.set(closed, true))
      )
      const reader = yield* LeadFileReader
      const rows = yield* reader
        .read({ fileName: "leads.csv", sizeBytes: 0, bytes })
        .pipe(Stream.take(1000), Stream.runCollect)
      expect(Chunk.size(rows)).toBe(1000)
      expect(yield* Ref.get(pulled)).toBeLessThan(100)
      expect(yield* Ref.get(closed)).toBe(true)
    }).pipe(Effect.provide(layer))
  )

  it.effect("is closed when its reader is interrupted", () =>
    Effect.gen(function* () {
      const closed = yield* Ref.make(false)
      const bytes = Stream.make(Buffer.from("E-mail\na@b.co\n")).pipe(
        Stream.concat(Stream.never),
        Stream.ensuring(Ref.set(closed, true))
      )
      const fiber = yield* Effect.fork(readAll({ fileName: "leads.csv", sizeBytes: 0, bytes }))
      yield* Effect.yieldNow()
      expect(Exit.isInterrupted(yield* Fiber.interrupt(fiber))).toBe(true)
      expect(yield* Ref.get(closed)).toBe(true)
    })
  )

  it.effect("fails as its bytes fail", () =>
    Effect.gen(function* () {
      const bytes = Stream.make(Buffer.from("E-mail\na@b.co\n")).pipe(Stream.concat(Stream.fail("disk" as const)))
      const { error } = yield* refusalOf({ fileName: "leads.csv", sizeBytes: 0, bytes })
      expect(error).toBe("disk")
    })
  )

  const endless = (start: string, piece: string) => {
    const pulled = { bytes: 0 }
    const bytes = Stream.concat(Stream.make(Buffer.from(start)), Stream.repeatValue(Buffer.from(piece))).pipe(
      Stream.rechunk(1),
      Stream.tap((part) => Effect.sync(() => (pulled.bytes += part.length)))
    )
    return { pulled, file: { fileName: "leads.csv", sizeBytes: 0, bytes } }
  }

  for (const [what, start, piece] of [
    ["a quote that is never closed", 'Nome,E-mail\nAna,a@b.co\n"Bia,', "b@b.co\nx,y\n".repeat(1000)],
    ["a row of delimiters without end", "Nome,E-mail\nAna,a@b.co\n", ",".repeat(10_000)],
    ["a field without end", "Nome,E-mail\nAna,a@b.co\n", "a".repeat(10_000)]
  ] as const) {
    it.effect(`is given up at ${what}`, () =>
      Effect.gen(function* () {
        const { file, pulled } = endless(start, piece)
        const { error } = yield* refusalOf(file)
        expect(error).toMatchObject({ _tag: "LeadFileError", reason: "malformed_file", file_row: 3 })
        expect(pulled.bytes).toBeLessThan(500_000)
      })
    )
  }

  it.effect("with a quote open at its end is malformed, and says where", () =>
    Effect.gen(function* () {
      const { error } = yield* refusalOf(fileOf("leads.csv", 'E-mail,Nome\na@b.co,Ana\nb@b.co,"Bia\nc@b.co,Caio\n'))
      expect(error).toMatchObject({ reason: "malformed_file", file_row: 3 })
    })
  )

  it.effect("with binary data further on is malformed", () =>
    Effect.gen(function* () {
      const content = Buffer.concat([Buffer.from(`E-mail\n${"a@b.co\n".repeat(20_000)}`), Buffer.from([0, 1, 2])])
      const { error } = yield* refusalOf(fileOf("leads.csv", content))
      expect(error).toMatchObject({ reason: "malformed_file" })
    })
  )
})

describe("a file that is refused before its first row", () => {
  const csv = "E-mail,Nome\na@b.co,Ana\n"
  const bytes = (...values: ReadonlyArray<number>) => Buffer.from([...values, ...Buffer.from(csv)])
  for (const [reason, fileName, content] of [
    ["unsupported_file_type", "leads.pdf", csv],
    ["unsupported_file_type", "leads", csv],
    ["unsupported_file_type", "leads.constructor", csv],
    ["empty_file", "leads.csv", ""],
    ["empty_file", "leads.csv", "\ufeff"],
    ["empty_file", "leads.csv", " \r\n;;\r\n\r\n"],
    ["empty_file", "leads.xlsx", ""],
    ["no_data_rows", "leads.csv", "Nome;E-mail;Telefone\r\n"],
    ["no_data_rows", "leads.txt", "Nome;E-mail\r\n;\r\n  ;\r\n"],
    ["no_recognised_columns", "leads.csv", "foo,bar\n1,2\n"],
    ["no_contact_column", "leads.csv", "Nome,Empresa\nAna,Co\n"],
    ["content_does_not_match_extension", "leads.csv", bytes(0x50, 0x4b, 3, 4)],
    ["content_does_not_match_extension", "leads.csv", bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)],
    ["content_does_not_match_extension", "leads.csv", "%PDF-1.7\n..."],
    ["content_does_not_match_extension", "leads.csv", bytes(0x89, 0x50, 0x4e, 0x47)],
    ["content_does_not_match_extension", "leads.csv", bytes(0x1f, 0x8b)],
    ["content_does_not_match_extension", "leads.csv", bytes(0x7f, 0x45, 0x4c, 0x46, 0, 0)],
    ["content_does_not_match_extension", "leads.csv", "<!DOCTYPE html><html><table></table></html>"],
    ["content_does_not_match_extension", "leads.txt", "{\\rtf1\\ansi a@b.co}"]
  ] as const) {
    it.effect(`${reason}: ${fileName} ${JSON.stringify(content.slice(0, 12).toString())}`, () =>
      Effect.gen(function* () {
        const refusal = yield* refusalOf(fileOf(fileName, content))
        expect(refusal).toMatchObject({ rowsBefore: 0, error: { _tag: "LeadFileError", reason } })
        expect(refusal.error.message).not.toBe("")
        expect(refusal.error.detail).not.toBe("")
      })
    )
  }

  it.effect("file_too_large, by what it says and by what it gives", () =>
    Effect.gen(function* () {
      const limits = { textBytes: 10_000 }
      const long = `E-mail\n${"a@b.co\n".repeat(5000)}`
      const saysSo = yield* refusalOf(fileOf("leads.csv", long), limits)
      expect(saysSo).toMatchObject({ rowsBefore: 0, error: { reason: "file_too_large" } })
      const gives = yield* refusalOf({ ...fileOf("leads.csv", long), sizeBytes: 0 }, limits)
      expect(gives.error).toMatchObject({ reason: "file_too_large" })
    })
  )

  it.effect("too_many_rows", () =>
    Effect.gen(function* () {
      const { error } = yield* refusalOf(fileOf("leads.csv", `E-mail\n${"a@b.co\n".repeat(11)}`), { rows: 10 })
      expect(error).toMatchObject({ reason: "too_many_rows" })
      expect(yield* readAll(fileOf("leads.csv", `E-mail\n${"a@b.co\n".repeat(10)}`), { rows: 10 })).toHaveLength(10)
    })
  )
})
