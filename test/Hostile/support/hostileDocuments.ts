import { deflateSync } from "node:zlib"
import { handWrittenPdf } from "../../Knowledge/pdfs.ts"
import { bombEntry, entryOf, zipOf } from "../../LeadFiles/workbooks.ts"

const mebibyte = 1024 * 1024

const word = (body: string): Buffer =>
  zipOf([entryOf("word/document.xml", `<w:document><w:body>${body}</w:body></w:document>`)])

const cell = '<c r="A1" t="str"><v>The pump runs at 220 volts.</v></c>'

const pdfWith = (stream: Buffer): Buffer =>
  handWrittenPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n${stream.toString("latin1")}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
  ])

/** Files that take a reader long, or much memory, unless it is careful: what an account may upload and have indexed. */
export const hostileDocuments: ReadonlyArray<readonly [fileName: string, what: string, make: () => Buffer]> = [
  ["lines.txt", "many lines", () => Buffer.from("The pump runs at 220 volts; ask for the table.\n".repeat(220_000))],
  ["one.txt", "one long line", () => Buffer.from("word ".repeat(2 * mebibyte))],
  ["headings.md", "headings without end", () => Buffer.from(`${"# ".repeat(50_000)}\n`.repeat(100))],
  ["tables.md", "tables without end", () => Buffer.from("| a | b | c |\n".repeat(700_000))],
  ["nul.txt", "NUL", () => Buffer.alloc(10 * mebibyte)],
  [
    "wide.txt",
    "UTF-16",
    () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("palavra ação ".repeat(350_000), "utf16le")])
  ],
  ["deep.html", "tags in tags", () => Buffer.from("<div><table><tr><td>".repeat(500_000))],
  ["script.html", "tags that never end", () => Buffer.from(`<script>${"<!--".repeat(2 * mebibyte)}`)],
  ["entities.html", "entities", () => Buffer.from("&amp;&#x41;&nbsp;&bogus".repeat(400_000))],
  ["bomb.docx", "a packed gigabyte", () => zipOf([bombEntry("word/document.xml", 1024)])],
  ["liar.docx", "a packed gigabyte that says it is short", () => zipOf([bombEntry("word/document.xml", 1024, 100)])],
  [
    "long.docx",
    "as much text as may be",
    () => word("<w:p><w:r><w:t>The pump runs at 220 volts.</w:t></w:r></w:p>".repeat(900_000))
  ],
  ["deep.docx", "tables in tables", () => word("<w:tbl><w:tr><w:tc>".repeat(1_000_000))],
  [
    "slides.pptx",
    "five thousand slides",
    () =>
      zipOf(
        Array.from({ length: 4999 }, (_, at) =>
          entryOf(`ppt/slides/slide${at + 1}.xml`, "<p:sld><a:p><a:r><a:t>Slide</a:t></a:r></a:p></p:sld>")
        )
      )
  ],
  [
    "cells.xlsx",
    "a million cells",
    () =>
      zipOf([
        entryOf("xl/workbook.xml", '<workbook><sheets><sheet name="S"/></sheets></workbook>'),
        entryOf(
          "xl/worksheets/sheet1.xml",
          `<worksheet><sheetData>${`<row>${cell.repeat(100)}</row>`.repeat(10_000)}</sheetData></worksheet>`
        )
      ])
  ],
  ["bomb.pdf", "a packed stream of spaces", () => pdfWith(deflateSync(Buffer.alloc(300 * mebibyte, " ")))],
  [
    "text.pdf",
    "a page of a million texts",
    () => pdfWith(deflateSync(Buffer.from(`BT /F1 9 Tf ${"(pump) Tj 1 0 Td ".repeat(1_000_000)} ET`)))
  ],
  [
    "loop.pdf",
    "pages that hold each other",
    () =>
      handWrittenPdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2000000000 >>"])
  ],
  [
    "broken.pdf",
    "a head and nothing else",
    () => Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(9 * mebibyte, "1 0 obj <<")])
  ]
]
