import { assert, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { describe } from "vitest"
import { fileOf, readAll } from "../../LeadFiles/reading.ts"
import {
  compoundDocumentOf,
  entryOf,
  recordsOf,
  sheetXml,
  workbookOf,
  workbookParts,
  zipOf
} from "../../LeadFiles/workbooks.ts"

const row = (number: number, ...texts: ReadonlyArray<string>) =>
  `<row r="${number}">${texts.map((text, at) => `<c r="${"AB"[at]}${number}" t="str"><v>${text}</v></c>`).join("")}</row>`

const honest = `${row(1, "E-mail", "Nome")}${row(2, "a@b.co", "Ana")}`
const everything = "A1:XFD1048576"

interface Additions {
  readonly before?: string
  readonly behind?: string
  readonly parts?: Readonly<Record<string, string>>
}

/** The parts of a workbook whose sheet has these rows, and more before and behind them. */
const workbook = (rows: string, { before = "", behind = "", parts = {} }: Additions = {}) =>
  zipOf([
    ...workbookParts,
    ...Object.entries(parts).map(([name, xml]) => entryOf(name, xml)),
    entryOf(
      "xl/worksheets/sheet1.xml",
      sheetXml(rows).replace("<sheetData>", `${before}<sheetData>`).replace("</worksheet>", `${behind}</worksheet>`)
    )
  ])

/** The same sheet in another encoding, which the parser reads too. */
const utf16 = (behind: string, isSwapped: boolean) => {
  const xml = sheetXml(honest).replace("</worksheet>", `${behind}</worksheet>`)
  const bytes = Buffer.from(`\ufeff${xml}`, "utf16le")
  return zipOf([...workbookParts, entryOf("xl/worksheets/sheet1.xml", isSwapped ? bytes.swap16() : bytes)])
}

/** What makes a sheet seem huge, or makes its reader visit many cells, and how reading it ends. */
const bombs: ReadonlyArray<readonly [what: string, outcome: string, make: () => Buffer]> = [
  [
    "says that it has all rows and columns",
    "one row",
    () => workbook(honest, { before: `<dimension ref="${everything}"/>` })
  ],
  [
    "says that it has more than all",
    "one row",
    () => workbook(honest, { before: '<dimension ref="A1:ZZZZZZ4294967295"/>' })
  ],
  [
    "has a width for four billion columns",
    "one row",
    () => workbook(honest, { before: '<cols><col min="1" max="4294967295" width="9"/></cols>' })
  ],
  [
    "merges all cells a hundred thousand times",
    "one row",
    () => workbook(honest, { behind: `<mergeCells>${`<mergeCell ref="${everything}"/>`.repeat(100_000)}</mergeCells>` })
  ],
  [
    "has a link over all cells",
    "one row",
    () => workbook(honest, { behind: `<hyperlinks><hyperlink ref="${everything}" location="x"/></hyperlinks>` })
  ],
  [
    "has a link over more than all cells, with a prefix",
    "one row",
    () =>
      workbook(honest, {
        behind: '<x:hyperlinks><x:hyperlink ref="A1:ZZZZ4294967295" location="x"></x:hyperlink></x:hyperlinks>'
      })
  ],
  [
    "has a link over all cells in UTF-16",
    "malformed_file",
    () => utf16(`<hyperlinks><hyperlink ref="${everything}" location="x"/></hyperlinks>`, false)
  ],
  [
    "has a link over all cells in UTF-16 of the other byte order",
    "malformed_file",
    () => utf16(`<hyperlinks><hyperlink ref="${everything}" location="x"/></hyperlinks>`, true)
  ],
  [
    "has a shared formula for all cells",
    "formula_cell",
    () => workbook(`${honest}<row r="3"><c r="A3"><f t="shared" ref="${everything}" si="0">A1</f></c></row>`)
  ],
  [
    "has an array formula for all cells",
    "formula_cell",
    () => workbook(`${honest}<row r="3"><c r="A3"><f t="array" ref="${everything}">A1</f></c></row>`)
  ],
  [
    "has a formula nested a million deep",
    "formula_cell",
    () => workbook(`${honest}<row r="3"><c r="A3"><f>${"(".repeat(1_000_000)}1</f></c></row>`)
  ],
  [
    "says that it has four billion shared strings",
    "one row",
    () =>
      workbook(honest, {
        parts: { "xl/sharedStrings.xml": '<sst count="4294967295" uniqueCount="4294967295"><si><t>x</t></si></sst>' }
      })
  ],
  [
    "has a million pieces in a shared string",
    "one row",
    () =>
      workbook(honest, {
        parts: { "xl/sharedStrings.xml": `<sst><si>${"<r><t>x</t></r>".repeat(1_000_000)}</si></sst>` }
      })
  ],
  [
    "has half a million styles",
    "one row",
    () =>
      workbook(honest, {
        parts: {
          "xl/styles.xml": `<styleSheet><cellXfs count="4294967295">${'<xf numFmtId="164"/>'.repeat(500_000)}</cellXfs></styleSheet>`
        }
      })
  ],
  [
    "has a format of a million signs",
    "one row",
    () =>
      workbook(`${honest}<row r="3"><c r="C3" s="0"><v>1</v></c></row>`, {
        parts: {
          "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${'[h]"'.repeat(250_000)}"/></numFmts><cellXfs><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`
        }
      })
  ],
  [
    "has cells in the last column of each row",
    "one row",
    () =>
      workbook(
        `${honest}${Array.from({ length: 20_000 }, (_, at) => `<row r="${at + 3}"><c r="XFD${at + 3}"><v>1</v></c></row>`).join("")}`
      )
  ]
]

/** An .xls workbook with a link over these rows and columns, which names no target. */
const linkedXls = (lastRow: number, lastColumn: number): Buffer => {
  const records = recordsOf(workbookOf({ Leads: [["E-mail"], ["a@b.co"]] }, "xls"))
  const link = Buffer.alloc(36)
  link.writeUInt16LE(0x01b8, 0)
  link.writeUInt16LE(32, 2)
  link.writeUInt16LE(lastRow, 6)
  link.writeUInt16LE(lastColumn, 10)
  link.writeUInt32LE(2, 28)
  const end = records.lastIndexOf(Buffer.from([0x0a, 0, 0, 0]))
  return compoundDocumentOf({ Workbook: Buffer.concat([records.subarray(0, end), link, records.subarray(end)]) })
}

describe("an .xls workbook", () => {
  it.live("whose links cover billions of cells is refused, and one with a link over its cells is read", () =>
    Effect.gen(function* () {
      const read = (bytes: Buffer) => Effect.either(readAll(fileOf("leads.xls", bytes)))
      const honestLink = yield* read(linkedXls(1, 0))
      assert.isTrue(Either.isRight(honestLink) && honestLink.right.length === 1, String(honestLink))
      const wide = yield* read(linkedXls(0xffff, 0xffff))
      assert.isTrue(Either.isLeft(wide) && wide.left.reason === "malformed_file", String(wide))
    })
  )
})

describe("a workbook", () => {
  for (const [what, outcome, make] of bombs) {
    it.live(`that ${what} ends ${outcome === "one row" ? "with its one row" : "with a reason"}`, () =>
      Effect.gen(function* () {
        const answer = yield* Effect.either(readAll(fileOf("leads.xlsx", make())))
        if (Either.isLeft(answer)) return assert.strictEqual(answer.left.reason, outcome)
        assert.strictEqual(outcome, "one row")
        assert.deepStrictEqual(
          answer.right.map(({ email }) => email).filter((email) => email !== ""),
          ["a@b.co"]
        )
      })
    )
  }
})
