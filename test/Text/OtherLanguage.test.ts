import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { otherLanguageOf } from "../../src/Services/Text/OtherLanguage.ts"

const linesOf = (file: string): ReadonlyArray<readonly [label: string, text: string]> =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .split("\n")
    .flatMap((line) => {
      const [label, text] = line.split("\t")
      return label === undefined || text === undefined ? [] : [[label, text] as const]
    })

const share = (part: number, whole: number): number => part / whole

describe("otherLanguageOf", () => {
  it("takes at most one in a thousand sentences of the three languages for another language", () => {
    const sentences = ["pt", "en", "es"].flatMap((language) => linesOf(`../../training/sentences/${language}.tsv`))
    const wrong = sentences.filter(([, text]) => otherLanguageOf(text) !== undefined)
    assert.isAbove(sentences.length, 15_000)
    assert.isAtMost(share(wrong.length, sentences.length), 0.001, wrong.map(([, text]) => text).join("\n"))
  })

  it("recognises business replies of six words or more in 25 languages", () => {
    const replies = linesOf("./fixtures/otherLanguages.tsv")
    assert.strictEqual(new Set(replies.map(([language]) => language)).size, 25)
    const long = replies.filter(([, text]) => (text.match(/[\p{L}\p{N}]+/gu) ?? []).length >= 6)
    const missed = long.filter(([, text]) => otherLanguageOf(text) === undefined)
    assert.isAtMost(share(missed.length, long.length), 0.05, missed.map(([, text]) => text).join("\n"))
    const named = long.filter(([language, text]) => otherLanguageOf(text) === language)
    assert.isAtLeast(share(named.length, long.length), 0.93)
  })

  it.each(linesOf("./fixtures/clearOrUnclear.tsv"))("finds %s in %j", (language, text) => {
    assert.strictEqual(otherLanguageOf(text) ?? "none", language)
  })

  it("says nothing of an empty text", () => {
    assert.isUndefined(otherLanguageOf(""))
  })

  it("takes a text of several languages for none of them", () => {
    assert.isUndefined(
      otherLanguageOf(
        "Oi Rafael, tudo bem? Pode me mandar a proposta por e-mail até sexta?\nMit freundlichen Grüßen, Heike Brandt"
      )
    )
  })
})
