import { assert, it } from "@effect/vitest"
import { filesOver, findingsIn, mayReplace } from "../../lint/plainWords.js"

const texts = (file: string, text: string) => findingsIn(file, text).map(({ kind, line, text }) => [kind, line, text])

it("finds flagged words in comments, not in code and texts", () => {
  assert.deepStrictEqual(
    texts(
      "a.ts",
      [
        'const url = "https://somebody.example" // whoever',
        "/** Made",
        " * anew. */",
        "export const tell = `nobody`"
      ].join("\n")
    ),
    [
      ["word", 1, "whoever"],
      ["word", 3, "anew"]
    ]
  )
})

it("finds names that are bare participles where they are declared", () => {
  assert.deepStrictEqual(
    texts(
      "a.ts",
      "const found = 1\nconst { known } = all\nexport const use = (asked: number) => found + asked + all.told"
    ),
    [
      ["name", 1, "found"],
      ["name", 2, "known"],
      ["name", 3, "asked"]
    ]
  )
})

it("reads the prose of a document without its code", () => {
  assert.deepStrictEqual(texts("a.md", "Run `tell`.\n\n```sh\nnobody\n```\n\nIt stands here."), [["word", 7, "stands"]])
})

it("lets the counts of a file only fall, and a moved file keep its count", () => {
  const baseline = { "a.ts": 2, "b.ts": 1 }
  assert.deepStrictEqual(filesOver(baseline, { "a.ts": 2, "b.ts": 2 }), ["b.ts"])
  assert.isFalse(mayReplace(baseline, { "a.ts": 1, "b.ts": 2 }))
  assert.isFalse(mayReplace(baseline, { "a.ts": 2, "b.ts": 1, "c.ts": 1 }))
  assert.isTrue(mayReplace(baseline, { "a.ts": 1, "c.ts": 1 }))
})
