import diagnostics from "node:diagnostics_channel"
import { Worker } from "node:worker_threads"
import { expect, it } from "@effect/vitest"
import { Chunk, Duration, Effect, Either, Fiber, Stream } from "effect"
import { describe } from "vitest"
import { defaultLimits } from "../../src/Layers/LeadFiles/LeadFileReader/Limits.ts"
import { make } from "../../src/Layers/LeadFiles/LeadFileReader.ts"
import { fileOf, readAll, refusalOf } from "./reading.ts"
import {
  bombEntry,
  compoundDocumentOf,
  entryOf,
  manySheets,
  recordsOf,
  type Sheet,
  sheetEntry,
  withFormula,
  workbookOf,
  workbookParts,
  zipOf
} from "./workbooks.ts"

const header = ["Nome", "E-mail", "Telefone", "Empresa", "Notas"]
const sheet: Sheet = [
  header,
  ["João Conceição", "joao@empresa.com.br", 5511999998888, "Pão & Cia <1>", true],
  [null, null, null, null, null],
  ["Íñigo", "inigo@empresa.es", "+34 600 000 000", "€uro “S.A.”", { t: "n", v: 45292, z: "dd/mm/yyyy" }],
  ["Zoë", null, 912345678901234, "", { t: "n", v: 45292.75, z: "yyyy-mm-dd hh:mm" }]
]
const leads = [
  {
    ...{ row_number: 1, file_row: 2, name: "João Conceição", email: "joao@empresa.com.br", phone: "5511999998888" },
    ...{ company: "Pão & Cia <1>", notes: "TRUE" }
  },
  {
    ...{ row_number: 3, file_row: 4, name: "Íñigo", email: "inigo@empresa.es", phone: "+34 600 000 000" },
    ...{ company: "€uro “S.A.”", notes: "2024-01-01" }
  },
  {
    ...{ row_number: 4, file_row: 5, name: "Zoë", email: "", phone: "912345678901234" },
    ...{ company: "", notes: "2024-01-01 18:00:00" }
  }
]

/** The worker threads that are started while an effect runs. */
const workersOf = <A, E, R>(effect: Effect.Effect<A, E, R>, onStart: (worker: Worker) => void = () => {}) => {
  const workers: Array<Worker> = []
  const onWorker = (message: unknown) => {
    if (typeof message === "object" && message !== null && "worker" in message && message.worker instanceof Worker) {
      workers.push(message.worker)
      onStart(message.worker)
    }
  }
  return Effect.sync(() => diagnostics.subscribe("worker_threads", onWorker)).pipe(
    Effect.zipRight(effect),
    Effect.ensuring(Effect.sync(() => diagnostics.unsubscribe("worker_threads", onWorker))),
    Effect.map((result) => ({ result, workers }))
  )
}

const hasEnded = (worker: Worker) => worker.threadId === -1

describe("a workbook", () => {
  for (const [bookType, extension] of [
    ["xlsx", "xlsx"],
    ["xls", "xls"],
    ["biff5", "XLS"]
  ] as const) {
    it.live(`of type ${bookType} gives its rows, numbers with all their digits and dates as dates`, () =>
      Effect.gen(function* () {
        const rows = yield* readAll(fileOf(`leads.${extension}`, workbookOf({ Leads: sheet }, bookType)))
        expect(rows).toEqual(leads)
      })
    )

    it.live(`of type ${bookType} is read from its first visible sheet that has data`, () =>
      Effect.gen(function* () {
        const other: Sheet = [["E-mail"], ["other@empresa.com"]]
        const sheets = { Hidden: other, Empty: [], Blank: [[" "]], Leads: sheet, Other: other }
        const rows = yield* readAll(fileOf(`leads.${extension}`, workbookOf(sheets, bookType, ["Hidden"])))
        expect(rows).toEqual(leads)
      })
    )

    it.live(`of type ${bookType} with a formula is refused, and the cell is named`, () =>
      Effect.gen(function* () {
        const filler = Array.from({ length: 3000 }, (_, index) => ["Ana", `a${index}@b.co`])
        const formula = bookType === "xlsx" ? { t: "n" as const, f: "1+1", v: 2 } : 2.5
        const plain = workbookOf({ Leads: [header, ...filler, ["Bia", "b@b.co", formula]] }, bookType)
        const bytes = bookType === "xlsx" ? plain : compoundDocumentOf({ Workbook: withFormula(recordsOf(plain)) })
        const refusal = yield* refusalOf(fileOf(`leads.${extension}`, bytes))
        expect(refusal).toMatchObject({ rowsBefore: 0, error: { reason: "formula_cell", cell: "C3002" } })
      })
    )

    it.live(`of type ${bookType} without leads is refused`, () =>
      Effect.gen(function* () {
        const reasonOf = (rows: Sheet) =>
          Effect.map(refusalOf(fileOf(`leads.${extension}`, workbookOf({ Leads: rows }, bookType))), ({ error }) =>
            "reason" in error ? error.reason : error
          )
        expect(yield* reasonOf([])).toBe("empty_file")
        expect(yield* reasonOf([header])).toBe("no_data_rows")
        expect(yield* reasonOf([["foo"], ["bar"]])).toBe("no_recognised_columns")
        expect(yield* reasonOf([["Nome"], ["Ana"]])).toBe("no_contact_column")
      })
    )
  }

  it.live("may use any letter case and prefix in its XML, and rows and cells without numbers", () =>
    Effect.gen(function* () {
      const xml =
        '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData>' +
        '<x:row><x:c t="inlineStr"><x:is><x:t>E-mail</x:t></x:is></x:c></x:row>' +
        '<x:row><x:c t="str"><x:v>a@b.co</x:v></x:c></x:row></x:sheetData></x:worksheet>'
      const bytes = zipOf([...workbookParts, entryOf("xl/worksheets/sheet1.xml", xml)])
      expect(yield* readAll(fileOf("leads.xlsx", bytes))).toMatchObject([{ email: "a@b.co", file_row: 2 }])
    })
  )

  it.live("with an array formula, a shared one or one without a value is refused", () =>
    Effect.gen(function* () {
      const formulas = [
        '<f t="array" ref="B2:B3">A2:A3</f><v>1</v>',
        "<f>A2</f>",
        '<f t="shared" ref="B2" si="0">A2</f>'
      ]
      for (const formula of formulas) {
        const rows = `<row r="1"><c r="A1" t="str"><v>E-mail</v></c></row><row r="2"><c r="B2">${formula}</c></row>`
        const { error } = yield* refusalOf(fileOf("leads.xlsx", zipOf([...workbookParts, sheetEntry(rows)])))
        expect(error).toMatchObject({ reason: "formula_cell", cell: "B2" })
      }
    })
  )
})

describe("a workbook that is not what it seems", () => {
  const cell =
    '<row r="1"><c r="A1" t="str"><v>E-mail</v></c></row><row r="2"><c r="A2" t="str"><v>a@b.co</v></c></row>'
  const good = [...workbookParts, sheetEntry(cell)]
  const xlsx = workbookOf({ Leads: sheet })
  const xls = workbookOf({ Leads: sheet }, "xls")
  const records = recordsOf(xls)
  const filePass = Buffer.from([0x2f, 0, 6, 0, 0, 0, 0, 0, 0, 0])
  const csv = Buffer.from("E-mail,Nome\na@b.co,Ana\n")
  const lyingDirectory = Buffer.from(zipOf(good))
  lyingDirectory.writeUInt32LE(0x7fffffff, lyingDirectory.length - 6)

  it.live("is read when nothing is wrong with it", () =>
    Effect.gen(function* () {
      expect(yield* readAll(fileOf("leads.xlsx", zipOf(good)))).toMatchObject([{ email: "a@b.co" }])
    })
  )

  for (const [what, reason, fileName, bytes] of [
    [
      "a 1 GB bomb",
      "too_large_when_unpacked",
      "a.xlsx",
      zipOf([...workbookParts, bombEntry("xl/worksheets/sheet1.xml", 1024)])
    ],
    [
      "a 1 GB bomb beside the sheet",
      "too_large_when_unpacked",
      "a.xlsx",
      zipOf([...good, bombEntry("xl/media/image1.png", 1024)])
    ],
    [
      "many small bombs",
      "too_large_when_unpacked",
      "a.xlsx",
      zipOf([...good, ...Array.from({ length: 15 }, (_, i) => bombEntry(`xl/media/${i}`, 15))])
    ],
    [
      "a bomb by its ratio",
      "too_large_when_unpacked",
      "a.xlsx",
      zipOf([...good, bombEntry("xl/media/image1.png", 40)])
    ],
    [
      "a 1 GB bomb that declares 1 KB",
      "malformed_file",
      "a.xlsx",
      zipOf([...workbookParts, bombEntry("xl/worksheets/sheet1.xml", 1024, 1024)])
    ],
    [
      "a zip of too many entries",
      "too_large_when_unpacked",
      "a.xlsx",
      zipOf([...good, ...Array.from({ length: 1000 }, (_, i) => entryOf(`xl/media/${i}`, ""))])
    ],
    [
      "a hundred thousand sheets that are one part",
      "too_large_when_unpacked",
      "a.xlsx",
      zipOf([...good.filter(({ name }) => name !== "xl/workbook.xml"), entryOf("xl/workbook.xml", manySheets(100_000))])
    ],
    ["two parts of one name", "malformed_file", "a.xlsx", zipOf([...good, sheetEntry("")])],
    ["a part outside of the archive", "malformed_file", "a.xlsx", zipOf([...good, entryOf("../evil.xml", "")])],
    ["a directory that is elsewhere", "malformed_file", "a.xlsx", lyingDirectory],
    ["half an .xlsx file", "malformed_file", "a.xlsx", xlsx.subarray(0, xlsx.length / 2)],
    ["half an .xls file", "malformed_file", "a.xls", xls.subarray(0, 1000)],
    [
      "a row beyond the last",
      "malformed_file",
      "a.xlsx",
      zipOf([...workbookParts, sheetEntry('<row r="4294967290"><c r="A4294967290"><v>1</v></c></row>')])
    ],
    [
      "a shared string that is not there",
      "malformed_file",
      "a.xlsx",
      zipOf([...workbookParts, sheetEntry('<row r="1"><c r="A1" t="s"><v>9</v></c></row>')])
    ],
    [
      "an encrypted .xlsx file",
      "malformed_file",
      "a.xlsx",
      compoundDocumentOf({ EncryptedPackage: Buffer.alloc(100_000, 7), EncryptionInfo: Buffer.alloc(500) })
    ],
    [
      "an encrypted .xls file",
      "malformed_file",
      "a.xls",
      compoundDocumentOf({ Workbook: Buffer.concat([records.subarray(0, 20), filePass, records.subarray(20)]) })
    ],
    ["an .xlsx file called .xls", "content_does_not_match_extension", "a.xls", xlsx],
    ["an .xls file called .xlsx", "content_does_not_match_extension", "a.xlsx", xls],
    ["an .xlsx file called .csv", "content_does_not_match_extension", "a.csv", xlsx],
    ["a CSV file called .xls", "content_does_not_match_extension", "a.xls", csv],
    ["a CSV file called .xlsx", "content_does_not_match_extension", "a.xlsx", csv],
    [
      "a web page called .xls",
      "content_does_not_match_extension",
      "a.xls",
      Buffer.from("<html><table><tr><td>a@b.co</td></tr></table></html>")
    ],
    ["another zip called .xlsx", "content_does_not_match_extension", "a.xlsx", zipOf([entryOf("leads.csv", csv)])],
    ["an .xlsb file called .xlsx", "content_does_not_match_extension", "a.xlsx", workbookOf({ Leads: sheet }, "xlsb")],
    [
      "another document called .xls",
      "content_does_not_match_extension",
      "a.xls",
      compoundDocumentOf({ WordDocument: Buffer.alloc(5000) })
    ]
  ] as const) {
    it.live(`is refused: ${what}`, () =>
      Effect.gen(function* () {
        const refusal = yield* refusalOf(fileOf(fileName, bytes))
        expect(refusal).toMatchObject({ rowsBefore: 0, error: { _tag: "LeadFileError", reason } })
      })
    )
  }

  it.live("has no entities of its own: neither a million of one nor a file of this machine becomes text", () =>
    Effect.gen(function* () {
      const levels = Array.from({ length: 10 }, (_, level) => `<!ENTITY a${level + 1} "${`&a${level};`.repeat(10)}">`)
      const types = [
        `<!DOCTYPE x [<!ENTITY a0 "ha">${levels.join("")}]>`,
        '<!DOCTYPE x [<!ENTITY a10 SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE x SYSTEM "http://127.0.0.1:1/evil.dtd">'
      ]
      const rows =
        '<row r="1"><c r="A1" t="str"><v>E-mail</v></c><c r="B1" t="str"><v>Nome</v></c></row>' +
        '<row r="2"><c r="A2" t="str"><v>a@b.co</v></c><c r="B2" t="s"><v>0</v></c></row>'
      for (const type of types) {
        const strings = `<?xml version="1.0"?>${type}<sst><si><t>Ana &a10;</t></si></sst>`
        const workbook = zipOf([...workbookParts, entryOf("xl/sharedStrings.xml", strings), sheetEntry(rows)])
        const read = yield* Effect.either(readAll(fileOf("leads.xlsx", workbook)))
        if (Either.isLeft(read)) continue
        expect(read.right).toMatchObject([{ email: "a@b.co" }])
        const text = JSON.stringify(read.right)
        expect(text).not.toContain("haha")
        expect(text).not.toContain("root:")
      }
    })
  )

  it.live("is refused for its size, its rows and the memory it needs", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 20_000 }, (_, index) => [`Ana ${index}`, `ana${index}@empresa.com`])
      const file = fileOf("leads.xlsx", workbookOf({ Leads: [["Nome", "E-mail"], ...many] }))
      expect((yield* refusalOf(file, { workbookBytes: 10_000 })).error).toMatchObject({ reason: "file_too_large" })
      expect(yield* refusalOf(file, { rows: 100 })).toMatchObject({ rowsBefore: 0, error: { reason: "too_many_rows" } })
      const reason = "too_large_when_unpacked"
      expect((yield* refusalOf(file, { unpackedBytes: 100_000 })).error).toMatchObject({ reason })
      expect((yield* refusalOf(file, { workerHeapMegabytes: 16 })).error).toMatchObject({ reason })
    })
  )

  it.live("is refused when its worker takes too long, and the worker is ended", () =>
    Effect.gen(function* () {
      const reading = refusalOf(fileOf("leads.xlsx", xlsx), { batchTimeout: Duration.millis(1) })
      const { result, workers } = yield* workersOf(reading)
      expect(result.error).toMatchObject({ reason: "reading_timed_out" })
      expect(workers.map(hasEnded)).toEqual([true])
    })
  )
})

describe("the worker", () => {
  const rows = 5000
  const many = Array.from({ length: rows }, (_, index) => [`Ana ${index}`, `ana${index}@empresa.com`])
  const bytes = workbookOf({ Leads: [["Nome", "E-mail"], ...many] })

  it.live("gives batches as they are asked for, and ends with the stream", () =>
    Effect.gen(function* () {
      const reader = yield* make(defaultLimits)
      let batches = 0
      const { result, workers } = yield* workersOf(
        reader.read(fileOf("leads.xlsx", bytes)).pipe(Stream.take(1500), Stream.runCollect),
        (worker) => worker.on("message", () => batches++)
      )
      expect(Chunk.size(result)).toBe(1500)
      expect(batches).toBe(2)
      expect(workers.map(hasEnded)).toEqual([true])
    })
  )

  it.live("ends when its reader is interrupted, and leaves its place to the next", () =>
    Effect.gen(function* () {
      const reader = yield* make({ ...defaultLimits, workbooksAtOnce: 1 })
      const reading = reader.read(fileOf("leads.xlsx", bytes)).pipe(Stream.zipRight(Stream.never), Stream.runDrain)
      const { result, workers } = yield* workersOf(
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(reading)
          const waiting = yield* Effect.fork(reading)
          yield* Effect.yieldNow()
          yield* Fiber.interrupt(waiting)
          yield* Fiber.interrupt(fiber)
          return yield* Stream.runCount(reader.read(fileOf("leads.xlsx", bytes)))
        })
      )
      expect(result).toBe(rows)
      expect(workers.map(hasEnded)).not.toContain(false)
    })
  )
})
