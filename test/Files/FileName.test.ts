import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { cleanFileName } from "../../src/Services/Files/FileName.ts"

const cleaned = (raw: string) => Option.getOrUndefined(cleanFileName(raw))

describe("cleanFileName", () => {
  const cases: ReadonlyArray<readonly [string, string, string | undefined]> = [
    ["a plain name stays", "contacts.csv", "contacts.csv"],
    ["accents and spaces stay", "Relatório março 2026.xlsx", "Relatório março 2026.xlsx"],
    ["composed and decomposed accents become the same", "cafe\u0301.txt", "caf\u00e9.txt"],
    ["folders go", "../../etc/passwd", "passwd"],
    ["folders of Windows go", "C:\\Users\\ana\\leads.csv", "leads.csv"],
    ["control characters and line breaks go", "a\r\nb\u0000\u0007.csv", "ab.csv"],
    ["direction overrides go", "invoice\u202egpj.exe", "invoicegpj.exe"],
    ["isolates, marks and zero widths go", "\u2066a\u2069\u200fb\u200bc\ufeff.csv", "abc.csv"],
    ["what Windows reserves becomes an underscore", 'a:b*c?"d<e>|.txt', "a_b_c__d_e__.txt"],
    ["dots and spaces at the ends go", " ..hidden.csv. ", "hidden.csv"],
    ["nothing but dots is no name", "..", undefined],
    ["nothing but a folder is no name", "folder/", undefined],
    ["nothing but invisible characters is no name", "\u200b\u202e \n", undefined]
  ]
  for (const [name, raw, expected] of cases) it(name, () => assert.strictEqual(cleaned(raw), expected))

  it("a long name is cut and keeps its extension", () => {
    assert.strictEqual(cleaned(`${"a".repeat(500)}.csv`), `${"a".repeat(196)}.csv`)
  })

  it("no character is cut in half", () => {
    const name = cleaned("😀".repeat(300)) ?? ""
    assert.lengthOf([...name], 200)
    assert.isTrue(name.isWellFormed())
  })
})
