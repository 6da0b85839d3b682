import * as fs from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { importServices, importSpreadsheet } from "./importSpreadsheet.ts"

/**
 * Spreadsheets of a hundred rows, written without sight of the code that reads them. Each row has a label that says
 * whether a careful person would keep it, and with which contacts. The first English and Spanish ones mix countries.
 */
const Label = Schema.parseJson(
  Schema.Struct({
    row_id: Schema.Int,
    usable: Schema.Literal("yes", "no", "duplicate"),
    email: Schema.NullOr(Schema.String),
    phone: Schema.NullOr(Schema.String)
  })
)

const folder = new URL("./blindSpreadsheets/", import.meta.url)

/** The country of the account, and how many of its usable rows have both labelled contacts. */
const files = [
  { name: "pt", country: "BR", exact: 77 },
  { name: "es", country: "MX", exact: 77 },
  { name: "en", country: "US", exact: 78 },
  { name: "second-pt", country: "BR", exact: 74 },
  { name: "second-es", country: "MX", exact: 74 },
  { name: "second-en", country: "GB", exact: 74 }
] as const

const lookAlikes = (text: string) => text.replace(/[Oo]/g, "0").replace(/[Il]/g, "1").replace(/\D/g, "")
const withPlainMarks = (text: string) =>
  text
    .toLowerCase()
    .replace(/\s*[([](?:at|arroba)[)\]]\s*|\sarroba\s/g, "@")
    .replace(/\s*\((?:dot|ponto|punto)\)\s*/g, ".")
    .replace(/\s*@\s*/g, "@")

layer(importServices, { excludeTestServices: true })("a spreadsheet that was written blind", (it) => {
  for (const { country, exact, name } of files) {
    it.effect(`keeps its usable rows: ${name}`, () =>
      Effect.gen(function* () {
        const file = new URL(`${name}.csv`, folder)
        const lines = fs.readFileSync(new URL(`${name}.labels.jsonl`, folder), "utf8").split("\n")
        const labels = yield* Effect.forEach(
          lines.filter((line) => line.trim() !== ""),
          (line) => Schema.decode(Label)(line)
        )
        const text = fs.readFileSync(file, "utf8")
        const { leadById, rows } = yield* importSpreadsheet(file, country)
        const leads = [...leadById.values()]
        // Two people of a company may share its phone, so that the address counts where there is one.
        const leadOf = ({ email, phone }: typeof Label.Type) =>
          leads.find((lead) => (email === null ? lead.phone === phone : lead.email === email.toLowerCase()))
        const usable = labels.filter((label) => label.usable === "yes")
        assert.isAbove(usable.length, 70)
        const missing = usable.filter((label) => leadOf(label) === undefined).map(({ row_id }) => row_id)
        assert.deepStrictEqual(missing, [])
        const right = usable.filter((label) => {
          const lead = leadOf(label)
          return lead?.email === (label.email?.toLowerCase() ?? null) && lead?.phone === label.phone
        })
        assert.isAtLeast(right.length, exact)
        // No lead has a contact that the file does not hold.
        const digits = text.split("\n").map(lookAlikes).join(" ")
        const labelled = new Set(labels.map(({ phone }) => phone))
        for (const { email, phone } of leads) {
          if (email !== null) assert.include(withPlainMarks(text), email)
          // Keypad letters are digits that the text does not show.
          if (phone !== null && !labelled.has(phone)) assert.include(digits, phone.slice(-8))
        }
        assert.isAbove(rows.filter(({ outcome }) => outcome === "duplicate").length, 1)
      })
    )
  }
})
