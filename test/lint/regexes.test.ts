import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { judge } from "../../lint/judgeRegex.js"
import { attacksOn } from "../../lint/regexAttacks.js"
import { readList, regexesOf } from "../../lint/regexes.js"

const root = path.resolve(import.meta.dirname, "../..")

it("every regular expression of the sources takes little time, whatever it is given", {
  timeout: 600_000
}, async () => {
  const { attacked, judged, linear } = readList(root)
  const listed = new Set([...linear, ...attacked, ...Object.keys(judged)])
  const bad: Array<string> = []
  // Expressions newer than the list; `npm run regexes` adds them.
  for (const [text, files] of regexesOf(root)) {
    if (listed.has(text)) continue
    const verdict = await judge(text, 2000)
    if (verdict !== "linear" && verdict !== "attacked") bad.push(`${verdict}: ${text} in ${[...files].join(", ")}`)
  }
  assert.deepStrictEqual(bad, [], "Rewrite these, or say in lint/regexes.json why they are harmless.")
})

it("one that takes time by the square, or more, of what it is given is found", { timeout: 60_000 }, async () => {
  for (const text of ["/(a+)+$/", "/^(.*,)+x$/"]) {
    const verdict = await judge(text, 5000)
    assert.notInclude(["linear", "attacked"], verdict, text)
  }
  assert.strictEqual(await judge("/^[a-z]+$/", 5000), "linear")
  const texts = [...attacksOn("(a+)+$", 1000)]
  assert.isAbove(texts.length, 100)
  assert.isTrue(texts.every(({ length }) => length >= 1000))
})
