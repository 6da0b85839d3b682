import { assert, describe, it } from "@effect/vitest"
import { dayOf, nameCase } from "../../src/Services/Companies/CnpjRows.ts"

const two = (value: number): string => String(value).padStart(2, "0")

describe("rows of the open data", () => {
  it("have the days that the calendar has", () => {
    for (const year of [1900, 1999, 2000, 2023, 2024, 2026]) {
      for (let month = 0; month <= 13; month++) {
        for (let day = 0; day <= 32; day++) {
          const text = `${year}-${two(month)}-${two(day)}`
          const date = new Date(`${text}T00:00:00Z`)
          const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
          assert.strictEqual(dayOf(text.replaceAll("-", "")), isReal ? text : null, text)
        }
      }
    }
    for (const none of ["", "0", "00000000", "18991231", "21000101", "2024013", "202401311"]) assert.isNull(dayOf(none))
  })

  it("have names with single spaces, whatever is between the words", () => {
    for (const name of [
      "CLINICA SAO JOSE LTDA",
      " CLINICA  SAO JOSE LTDA",
      "CLINICA\tSAO\u00a0JOSE LTDA ",
      "CLINICA SAO JOSE LTDA "
    ])
      assert.strictEqual(nameCase(name), "Clinica Sao Jose Ltda")
  })
})
