import { assert, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { Effect } from "effect"
import * as fc from "fast-check"
import {
  type LeadCsvRow,
  leadCsvColumns,
  leadCsvHeader,
  leadCsvLine,
  withFormulas,
  withoutFormulas
} from "../../src/Services/LeadFiles/LeadCsv.ts"
import { recogniseColumns, toLeadFileRow } from "../../src/Services/LeadFiles/LeadFileHeaders.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"

const empty: LeadCsvRow = {
  lead_id: LeadId.make(1),
  name: "Ana",
  email: null,
  phone: null,
  company: null,
  job_title: null,
  website: null,
  linkedin_url: null,
  city: null,
  state: null,
  country: null,
  cnae: null,
  industry: null,
  status: "Cold",
  pipeline_state: "in_pipeline",
  is_paused: false,
  final_outcome: null,
  campaign: null,
  goal: null,
  background: null,
  last_outbound_at: null,
  last_inbound_at: null,
  next_touch_at: null,
  created_at: "2026-01-01T00:00:00Z"
}

const read = (row: LeadCsvRow): { readonly [column: string]: string } => {
  const records: ReadonlyArray<{ readonly [column: string]: string }> = parse(leadCsvHeader + leadCsvLine(row), {
    bom: true,
    columns: true
  })
  return records[0] ?? {}
}

describe("a lead as a line of CSV", () => {
  it("has a cell for each column, after the mark of UTF-8", () => {
    assert.isTrue(leadCsvHeader.startsWith("\uFEFFlead_id,name,"))
    assert.deepStrictEqual(Object.keys(read(empty)), [...leadCsvColumns])
    assert.deepInclude(read(empty), { lead_id: "1", name: "Ana", email: "", is_paused: "false" })
  })

  it("keeps what would be a formula as text, for readers that split at semicolons and tabs too", () => {
    for (const [name, neutral] of [
      ...["=1+1", "+1+1", "-2", "@SUM(A1)", "\uff1d1+1", "\uff201", '=HYPERLINK("http://x","y")'].map(
        (text) => [text, `'${text}`] as const
      ),
      ["a;=1", "a;'=1"],
      ["a;\t =1", "a;\t' =1"],
      ["a\t@x;\uff0b1", "a\t'@x;'\uff0b1"],
      ["a\r\n-2", "a\r\n'-2"],
      ["\t=1", "'\t'=1"]
    ] as const) {
      assert.strictEqual(read({ ...empty, name })["name"], neutral)
    }
  })

  it("leaves a phone number as it is", () => {
    assert.strictEqual(read({ ...empty, phone: "+5511987654321" })["phone"], "+5511987654321")
    assert.strictEqual(read({ ...empty, phone: "+55=1" })["phone"], "'+55=1")
  })

  it("gives any text back, and never a cell that computes, wherever a reader splits", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a;,"\r\n=+-@\uff1d\t é'.split("")) }), (background) => {
        const cell = read({ ...empty, background })["background"] ?? ""
        assert.strictEqual(withFormulas(cell), background)
        for (const part of cell.split(/[;\t\r\n]/)) assert.notMatch(part.trim(), /^[=+\-@\uff1d]/)
      })
    )
  })

  it("is imported as it was", () => {
    for (const company of ["=1+1 Ltda", "a;=b", "\uff1dX", "+a"]) {
      const columns = Effect.runSync(recogniseColumns([{ fileRow: 1, cells: ["email", "company"] }]))
      const row = { fileRow: 2, cells: ["a@b.example", withoutFormulas(company)] }
      assert.strictEqual(toLeadFileRow(columns, row).company, company)
    }
  })
})
