import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { crc32, deflateRawSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import type { DocumentFormat } from "../../src/Layers/Knowledge/DocumentText/DocumentMessages.ts"
import { DocumentLimits, readDocument } from "../../src/Layers/Knowledge/DocumentText/DocumentText.ts"
import { endlessFont, hostileFonts } from "./hostileFonts.ts"
import { pdfOf } from "./pdfs.ts"

interface Part {
  readonly name: string
  readonly bytes: Buffer
  /** The size in the directory, if it differs from the real one. */
  readonly declaredSize?: number
  readonly flags?: number
}

/** Several parts, or several archives, have the same bytes. They are large, so each is packed once. */
const packedParts = new WeakMap<Buffer, { readonly packed: Buffer; readonly checksum: number }>()

const packedOf = (bytes: Buffer) => {
  const part = packedParts.get(bytes) ?? { packed: deflateRawSync(bytes, { level: 6 }), checksum: crc32(bytes) }
  packedParts.set(bytes, part)
  return part
}

/** A zip archive, as an attacker may build it. */
const zipOf = (parts: ReadonlyArray<Part>): Buffer => {
  const files: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let offset = 0
  for (const { bytes, declaredSize = bytes.length, flags = 0, name } of parts) {
    const { checksum, packed } = packedOf(bytes)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(20, 4)
    head.writeUInt16LE(flags, 6)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(checksum, 14)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(declaredSize, 22)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 4)
    entry.writeUInt16LE(20, 6)
    entry.writeUInt16LE(flags, 8)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(checksum, 16)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(declaredSize, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    files.push(head, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    offset += head.length + name.length + packed.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, list, end])
}

const resultOf = (format: DocumentFormat | "text", bytes: Buffer) =>
  Effect.map(
    Effect.either(readDocument(format, bytes)),
    Either.match({
      onLeft: (reason) => reason,
      onRight: (passages) => passages.map(({ body }) => body)
    })
  )

const word = (body: string) =>
  Buffer.from(`<?xml version="1.0"?><w:document><w:body><w:p><w:r><w:t>${body}</w:t></w:r></w:p></w:body></w:document>`)

const megabyte = 1024 * 1024

/** The largest growth of the process's memory while `read` runs, in megabytes. */
const growth = <A, E, R>(read: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = process.memoryUsage.rss()
    let most = before
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, 20)
    const answer = yield* Effect.ensuring(
      read,
      Effect.sync(() => clearInterval(timer))
    )
    return { answer, grown: (most - before) / megabyte }
  })

describe("hostile documents", () => {
  it.live(
    "a zip bomb is stopped at what may be unpacked, whatever size it says of itself",
    () =>
      Effect.gen(function* () {
        const bytes = Buffer.alloc(150 * megabyte, " ")
        for (const declaredSize of [bytes.length, 100]) {
          const bomb = zipOf([{ name: "word/document.xml", bytes, declaredSize }])
          assert.isBelow(bomb.length, megabyte)
          const { answer, grown } = yield* growth(resultOf("docx", bomb))
          assert.oneOf(String(answer), ["document_too_large", "document_broken"])
          assert.isBelow(grown, 500)
        }
      }),
    60_000
  )

  it.live("thousands of parts, or many that are large together, are too many", () =>
    Effect.gen(function* () {
      const small = Array.from({ length: 6000 }, (_, index) => ({ name: `x${index}`, bytes: Buffer.from("x") }))
      assert.strictEqual(
        yield* resultOf("docx", zipOf([{ name: "word/document.xml", bytes: word("Hi") }, ...small])),
        "document_too_large"
      )
      const slide = Buffer.alloc(40 * megabyte, " ")
      const slides = [1, 2, 3, 4].map((number) => ({ name: `ppt/slides/slide${number}.xml`, bytes: slide }))
      assert.strictEqual(yield* resultOf("pptx", zipOf(slides)), "document_too_large")
    })
  )

  it.live("entities are not expanded, from wherever they are defined", () =>
    Effect.gen(function* () {
      const levels = Array.from(
        { length: 10 },
        (_, level) => `<!ENTITY a${level + 1} "${`&a${level};`.repeat(10)}">`
      ).join("")
      const laughs = `<!DOCTYPE x [<!ENTITY a0 "ha">${levels}]>`
      const outside = '<!DOCTYPE x [<!ENTITY a10 SYSTEM "file:///etc/passwd">]>'
      for (const type of [laughs, outside]) {
        const xml = Buffer.from(
          `<?xml version="1.0"?>${type}<w:document><w:p><w:r><w:t>&a10;</w:t></w:r></w:p></w:document>`
        )
        assert.strictEqual(
          yield* resultOf("docx", zipOf([{ name: "word/document.xml", bytes: xml }])),
          "document_broken"
        )
        // After the first part of the text, where no document type is searched for, its entities are unknown too.
        const late = Buffer.from(
          `<w:document>${" ".repeat(10_000)}${type}<w:p><w:r><w:t>Text &a10;</w:t></w:r></w:p></w:document>`
        )
        const answer = yield* resultOf("docx", zipOf([{ name: "word/document.xml", bytes: late }]))
        assert.notInclude(String(answer), "root:")
        assert.notInclude(String(answer), "haha")
      }
    })
  )

  it.live("a formula is not text: what it last came to is", () =>
    Effect.gen(function* () {
      const sheet = Buffer.from(
        `<worksheet><sheetData>
          <row r="1"><c r="A1" t="str"><v>Plan</v></c><c r="B1" t="str"><v>Price</v></c></row>
          <row r="2"><c r="A2" t="str"><v>Gold</v></c><c r="B2"><f>HYPERLINK("https://evil.example","x")+WEBSERVICE("https://evil.example")</f><v>900</v></c></row>
          <row r="3"><c r="A3" t="str"><f>cmd|'/c calc'!A0</f><v>=cmd|'/c calc'!A0</v></c><c r="ZZZ3"><v>1</v></c></row>
        </sheetData></worksheet>`
      )
      const workbook = Buffer.from('<workbook><sheets><sheet name="Prices"/></sheets></workbook>')
      const answer = yield* resultOf(
        "xlsx",
        zipOf([
          { name: "xl/workbook.xml", bytes: workbook },
          { name: "xl/worksheets/sheet1.xml", bytes: sheet }
        ])
      )
      assert.include(String(answer), "Plan: Gold; Price: 900")
      assert.notInclude(String(answer), "evil.example")
    })
  )

  it.live("a table whose columns have long names, and a text in thousands of cells, stay bounded", () =>
    Effect.gen(function* () {
      const columns = Array.from({ length: 200 }, (_, index) => index)
      const row = (type: string, value?: string) =>
        `<row>${columns.map((index) => `<c t="${type}"><v>${value ?? index}</v></c>`).join("")}</row>`
      const sheetOf = (first: string, others: string) =>
        `<worksheet><sheetData>${first}${others}</sheetData></worksheet>`
      const workbook = (strings: string, sheet: string) =>
        zipOf([
          { name: "xl/sharedStrings.xml", bytes: Buffer.from(`<sst>${strings}</sst>`) },
          { name: "xl/worksheets/sheet1.xml", bytes: Buffer.from(sheet) }
        ])
      const rows = Array.from({ length: 1000 }, () => row("n", "7")).join("")
      const names = columns.map((index) => `<si><t>${`${index} `.repeat(30)}</t></si>`).join("")
      const wide = yield* growth(resultOf("xlsx", workbook(names, sheetOf(row("s"), rows))))
      assert.isBelow(wide.grown, 700)
      assert.isTrue(
        wide.answer === "document_too_large" || wide.answer.length === 20_001,
        String(wide.answer).slice(0, 100)
      )
      const long = `<si><t>${"a word and ".repeat(200_000)}</t></si>`
      const same = Array.from({ length: 20 }, () => row("s", "0")).join("")
      const limits = { ...(yield* DocumentLimits), timeout: "20 seconds" } as const
      const answer = yield* resultOf("xlsx", workbook(long, sheetOf("", same))).pipe(
        Effect.provideService(DocumentLimits, limits)
      )
      assert.isArray(answer, String(answer))
    })
  )

  it.live("what a page says before a table inside of a table, and its caption, is read too", () =>
    Effect.gen(function* () {
      const page =
        "<table><caption>Prices of 2026</caption><tr><td>Delivery is free.<table><tr><td>Gold</td><td>900</td></tr></table></td></tr></table>"
      const answer = String(yield* resultOf("html", Buffer.from(page)))
      for (const part of ["Prices of 2026", "Delivery is free.", "Gold", "900"]) assert.include(answer, part)
    })
  )

  it.live(
    "what a font holds is never run, and never keeps the reader for long",
    () =>
      Effect.gen(function* () {
        const directory = mkdtempSync(join(tmpdir(), "fonts-"))
        const file = join(directory, "written")
        const limits = { ...(yield* DocumentLimits), timeout: "20 seconds" } as const
        for (const [what, document] of hostileFonts(file)) {
          const { answer, grown } = yield* growth(
            resultOf("pdf", document).pipe(Effect.provideService(DocumentLimits, limits))
          )
          if (typeof answer === "string")
            assert.oneOf(answer, ["document_broken", "document_too_large", "document_without_text"], what)
          else assert.include(String(answer), "Returns within thirty days.", what)
          assert.isBelow(grown, 600, what)
          assert.isFalse(existsSync(file), what)
        }
        rmSync(directory, { recursive: true })
        const shortly = { ...limits, timeout: "3 seconds" } as const
        const endless = resultOf("pdf", endlessFont()).pipe(Effect.provideService(DocumentLimits, shortly))
        assert.strictEqual(yield* endless, "reading_timed_out")
      }),
    120_000
  )

  it.live("encrypted office documents are said to be so", () =>
    Effect.gen(function* () {
      const wrapped = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(4096)])
      assert.strictEqual(yield* resultOf("docx", wrapped), "document_encrypted")
      const flagged = zipOf([{ name: "word/document.xml", bytes: word("Secret"), flags: 1 }])
      assert.strictEqual(yield* resultOf("docx", flagged), "document_encrypted")
    })
  )

  it.live("reading a long text does not block the event loop", () =>
    Effect.gen(function* () {
      let turns = 0
      let isOver = false
      const turn = (): void => {
        turns++
        if (!isOver) setImmediate(turn)
      }
      setImmediate(turn)
      const line = "The pump runs at 220 volts and 60 hertz; see the table of voltages.\n"
      const answer = yield* resultOf("text", Buffer.from(line.repeat(30_000)))
      isOver = true
      assert.isAbove(answer.length, 1000)
      assert.isAbove(turns, 20)
    })
  )

  it.live("a page nested a hundred thousand deep, and tags that never end, are read or refused in bounded time", () =>
    Effect.gen(function* () {
      const deep = Buffer.from(`${"<div>".repeat(100_000)}Returns within thirty days.`)
      assert.deepStrictEqual(yield* resultOf("html", deep), ["Returns within thirty days."])
      const open = Buffer.from(`<table>${"<tr><td>".repeat(50_000)}`)
      assert.oneOf(typeof (yield* resultOf("html", open)), ["string", "object"])
    })
  )

  it.live(
    "of ten thousand pages no more are read than may be",
    () =>
      Effect.gen(function* () {
        const bytes = yield* Effect.promise(() =>
          pdfOf((document) => {
            for (let page = 0; page < 10_000; page++) document.addPage()
            document.text("The last page.")
          })
        )
        const { answer, grown } = yield* growth(resultOf("pdf", bytes))
        assert.strictEqual(answer, "document_too_large")
        assert.isBelow(grown, 900)
      }),
    120_000
  )
})
