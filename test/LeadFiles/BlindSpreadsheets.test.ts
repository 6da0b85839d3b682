import * as fs from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { importServices, importSpreadsheet } from "./importSpreadsheet.ts"

/**
 * Three spreadsheets of a hundred rows, written without sight of the code that reads them. Each row has a label that says
 * whether a careful person would keep it, and with which contacts. The English and Spanish ones mix countries.
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

/** The rows with a usable contact that are not imported, and how many of the others have the labelled contacts. */
const files = [
  // The phone is only in the remarks.
  { name: "pt", country: "BR", refused: [72], exact: 76 },
  // The phone is only in the remarks. Spanish numbers without a country are left out in a Mexican account.
  { name: "es", country: "MX", refused: [71], exact: 45 },
  // British numbers in an American account, without an address. The phone is only in the remarks.
  { name: "en", country: "US", refused: [5, 38, 70], exact: 44 }
] as const

/** The cells of each record that has a number in the column `row_id`, by this number. */
const recordsById = (text: string): ReadonlyMap<number, string> => {
  const records = text.split(/\r?\n(?=\d+[;,])/).slice(1)
  return new Map(records.map((record) => [Number.parseInt(record, 10), record]))
}

const lookAlikes = (text: string) => text.replace(/[Oo]/g, "0").replace(/[Il]/g, "1").replace(/\D/g, "")
const withPlainMarks = (text: string) =>
  text
    .toLowerCase()
    .replace(/\s*\((?:at|arroba)\)\s*|\sarroba\s/g, "@")
    .replace(/\s*\((?:dot|ponto|punto)\)\s*/g, ".")
    .replace(/\s*@\s*/g, "@")

layer(importServices, { excludeTestServices: true })("a spreadsheet that was written blind", (it) => {
  for (const { country, exact, name, refused } of files) {
    it.effect(`keeps its usable rows: ${name}`, () =>
      Effect.gen(function* () {
        const file = new URL(`${name}.csv`, folder)
        const lines = fs.readFileSync(new URL(`${name}.labels.jsonl`, folder), "utf8").split("\n")
        const labels = yield* Effect.forEach(
          lines.filter((line) => line.trim() !== ""),
          (line) => Schema.decode(Label)(line)
        )
        const records = recordsById(fs.readFileSync(file, "utf8"))
        const { leadById, rows } = yield* importSpreadsheet(file, country)
        const leads = [...leadById.values()]
        const leadOf = ({ email, phone }: typeof Label.Type) =>
          leads.find(
            (lead) => (email !== null && lead.email === email.toLowerCase()) || (phone !== null && lead.phone === phone)
          )
        const usable = labels.filter((label) => label.usable === "yes")
        assert.isAbove(usable.length, 70)
        const missing = usable.filter((label) => leadOf(label) === undefined).map(({ row_id }) => row_id)
        assert.deepStrictEqual(missing, [...refused])
        const right = usable.filter((label) => {
          const lead = leadOf(label)
          return lead?.email === (label.email?.toLowerCase() ?? null) && lead?.phone === label.phone
        })
        assert.isAtLeast(right.length, exact)
        // No lead has a contact that the file does not hold.
        const text = [...records.values()].join("\n")
        const digits = [...records.values()].map((record) => lookAlikes(record)).join(" ")
        for (const { email, phone } of leads) {
          if (email !== null) assert.include(withPlainMarks(text), email)
          if (phone !== null) assert.include(digits, phone.slice(-8))
        }
        assert.isAbove(rows.filter(({ outcome }) => outcome === "duplicate").length, 1)
      })
    )
  }
})
