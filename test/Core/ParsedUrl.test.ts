import { readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { parsedUrl } from "../../src/Services/Core/Outside/ParsedUrl.ts"

const sources = path.resolve(import.meta.dirname, "../../src")

describe("whether a text is an address", () => {
  it("is told alike the first time and the hundred-thousandth", () => {
    // The runtime's own function errs from some tens of thousands of calls on.
    for (let time = 0; time < 100_000; time++) assert.isDefined(parsedUrl("https://padaria.são.com"))
    assert.isDefined(parsedUrl("/preços", "https://padaria.example"))
    for (const text of ["", "padaria", "https://", "http://a b.example", "//x"])
      assert.isUndefined(parsedUrl(text), text)
  })

  it("is asked of nothing else", () => {
    const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))
    const asking = files.filter((file) => /URL\.canParse\(/.test(readFileSync(path.join(sources, file), "utf8")))
    assert.deepStrictEqual(asking, [])
  })
})
