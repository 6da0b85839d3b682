import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { normaliseWebsite } from "../../src/Services/Text/Web/WebAddress.ts"

describe("normaliseWebsite", () => {
  const accepted = [
    ["https://company.com", "https://company.com"],
    [" company.com ", "https://company.com"],
    ["HTTP://Company.com/", "http://company.com"],
    ["company.com.br/sobre?x=1", "https://company.com.br/sobre?x=1"],
    ["https://padaria.são.com", "https://padaria.xn--so-sia.com"],
    ["company.com:8443", "https://company.com:8443"]
  ] as const
  for (const [given, stored] of accepted) {
    it(`${given} is ${stored}`, () => {
      assert.deepStrictEqual(normaliseWebsite(given), Either.right(stored))
    })
  }

  for (const given of [
    "company",
    "javascript:alert(1)",
    "ftp://company.com",
    "https://user:secret@company.com",
    "https://127.0.0.1",
    "https://[::1]/",
    "two words.com",
    "https://",
    `company.com/${"x".repeat(500)}`
  ]) {
    it(`${given.slice(0, 40)} is refused`, () => {
      assert.isTrue(Either.isLeft(normaliseWebsite(given)))
    })
  }
})
