import { assert, describe, it } from "@effect/vitest"
import { csvOf } from "../../console/src/parts/Csv.ts"
import { bucketSum, bucketsOf, type Day, totalOf } from "../../console/src/screens/Reports/Figures.ts"
import { parseReportSearch } from "../../console/src/screens/Reports/ReportSearch.ts"
import { dayInWords, rowsOfFile, valueInWords } from "../../console/src/screens/Reports/Sheet.ts"

const dayMillis = 86_400_000

/** Days from the first of October on. Each day has as many new leads as its place in the list. */
const daysOf = (count: number): ReadonlyArray<Day> =>
  Array.from({ length: count }, (_, index) => ({
    date: new Date(Date.parse("2026-10-01T00:00:00Z") + index * dayMillis).toISOString().slice(0, 10),
    leads_generated: index,
    emails_sent: 3,
    replies_received: 1,
    confirmed: 0,
    interested: 0,
    chatapp_sent: 2,
    chatapp_replies_received: 0
  }))

const leadsOf = ({ leads_generated }: Day) => leads_generated

describe("reports", () => {
  it("have their period and campaign in the address", () => {
    assert.deepStrictEqual(parseReportSearch({ days: "90", campaign: 7 }), { days: 90, campaign: "7" })
    assert.deepStrictEqual(parseReportSearch({ days: 30 }), {})
    assert.deepStrictEqual(parseReportSearch({ days: 31, campaign: "all" }), {})
  })

  it("compare a period with as many days before it", () => {
    const total = totalOf(daysOf(14), 7, "leads")
    assert.deepStrictEqual([total.count, total.before], [70, 21])
    assert.deepStrictEqual(total.values, [7, 8, 9, 10, 11, 12, 13])
    assert.strictEqual(totalOf(daysOf(14), 7, "sent").count, 35)
    assert.strictEqual(totalOf(daysOf(7), 7, "replies").before, 0)
  })

  it("show weeks where days are too many, and lose no day", () => {
    assert.strictEqual(bucketsOf(daysOf(31)).length, 31)
    const weeks = bucketsOf(daysOf(90))
    assert.deepStrictEqual([weeks.length, weeks[0]?.days.length, weeks.at(-1)?.days.length], [13, 6, 7])
    assert.strictEqual(
      weeks.reduce((sum, week) => sum + bucketSum(week, leadsOf), 0),
      (89 * 90) / 2
    )
    assert.strictEqual(weeks[1]?.start, "2026-10-07")
    assert.deepStrictEqual(bucketsOf([]), [])
  })

  it("print numbers as their kind wants", () => {
    const texts = { locale: "pt-BR" } as const
    assert.strictEqual(valueInWords(7.5, "rate", texts), "7,5%")
    assert.strictEqual(valueInWords(12_000, "count", texts), "12.000")
    assert.match(valueInWords(1_200, "money", texts), /R\$\s1\.200/)
    assert.strictEqual(valueInWords(null, "rate", texts), "—")
    assert.strictEqual(dayInWords("2026-11-28", { locale: "en" }), "Nov 28")
  })
})

describe("saved files", () => {
  it("have the head and all rows", () => {
    const sheet = { columns: [{ text: "Sector" }, { text: "Leads" }], rows: [["Health, care", 3]] }
    assert.strictEqual(csvOf(rowsOfFile(sheet)), 'Sector,Leads\r\n"Health, care",3\r\n')
    assert.strictEqual(csvOf([['say "hi"', null]]), '"say ""hi""",\r\n')
  })

  it("hold no cell that a spreadsheet would run", () => {
    assert.strictEqual(csvOf([["=1+1", "@sum", "-3", -3]]), "'=1+1,'@sum,'-3,-3\r\n")
    assert.strictEqual(csvOf([['=HYPERLINK("x")']]), '"\'=HYPERLINK(""x"")"\r\n')
  })
})
