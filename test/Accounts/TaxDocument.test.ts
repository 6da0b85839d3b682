import { generateCnpj, generateCpf } from "@brazilian-utils/brazilian-utils"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as fc from "fast-check"
import { cepOf, maskedTaxDocument, taxDocumentOf } from "../../src/Services/Accounts/TaxDocument.ts"

/** The check digits by the rule of the Receita Federal: characters count as their code less 48. */
const cnpjDigits = (base: string): string => {
  const digit = (text: string) => {
    const sum = [...text]
      .reverse()
      .reduce((total, character, index) => total + (character.charCodeAt(0) - 48) * (2 + (index % 8)), 0)
    const rest = sum % 11
    return rest < 2 ? 0 : 11 - rest
  }
  const first = digit(base)
  return `${first}${digit(`${base}${first}`)}`
}

const cpfDigits = (base: string): string => {
  const digit = (text: string) => {
    const sum = [...text].reduce((total, character, index) => total + Number(character) * (text.length + 1 - index), 0)
    const rest = (sum * 10) % 11
    return rest === 10 ? 0 : rest
  }
  const first = digit(base)
  return `${first}${digit(`${base}${first}`)}`
}

const digits = (length: number) =>
  fc.stringMatching(new RegExp(`^[0-9]{${length}}$`)).filter((text) => !/^(.)\1*$/.test(text))
const alphanumeric = fc.stringMatching(/^[0-9A-Z]{12}$/).filter((text) => !/^(.)\1*$/.test(text))
const isTaken = (text: string) => Either.isRight(taxDocumentOf(text))

describe("a tax document", () => {
  it("is a CPF with the right check digits, and no other", () => {
    fc.assert(
      fc.property(digits(9), fc.integer({ min: 1, max: 99 }), (base, error) => {
        const right = cpfDigits(base)
        assert.deepStrictEqual(taxDocumentOf(base + right), Either.right({ kind: "CPF", value: base + right }))
        const wrong = ((Number(right) + error) % 100).toString().padStart(2, "0")
        assert.isFalse(isTaken(base + wrong))
      })
    )
  })

  it("is a CNPJ, of digits or of letters too, with the right check digits, and no other", () => {
    fc.assert(
      fc.property(alphanumeric, fc.integer({ min: 1, max: 99 }), (base, error) => {
        const right = cnpjDigits(base)
        assert.deepStrictEqual(taxDocumentOf(base + right), Either.right({ kind: "CNPJ", value: base + right }))
        assert.isTrue(isTaken((base + right).toLowerCase()))
        const wrong = ((Number(right) + error) % 100).toString().padStart(2, "0")
        assert.isFalse(isTaken(base + wrong))
      })
    )
  })

  it("may come from elsewhere", () => {
    for (let count = 0; count < 50; count++) {
      assert.isTrue(isTaken(generateCpf()))
      assert.isTrue(isTaken(generateCnpj()))
    }
    assert.isTrue(isTaken("12ABC34501DE35"))
  })

  for (const text of [
    "",
    "529.982.247-25",
    "11111111111",
    "00000000000000",
    "AAAAAAAAAAAA00",
    "12ABC34501DEAB",
    "1".repeat(1000)
  ]) {
    it(`${text.slice(0, 20)} is refused`, () => {
      const answer = taxDocumentOf(text)
      assert.isTrue(Either.isLeft(answer))
      if (Either.isLeft(answer)) assert.notInclude(JSON.stringify(answer.left), text === "" ? "\u0000" : text)
    })
  }

  it("is shown masked", () => {
    assert.strictEqual(maskedTaxDocument({ kind: "CPF", value: "52998224725" }), "***.***.247-**")
    assert.strictEqual(maskedTaxDocument({ kind: "CNPJ", value: "12ABC34501DE35" }), "**.***.***/01DE-35")
  })

  it("has an address with a postal code of eight digits", () => {
    assert.deepStrictEqual(cepOf("01310100"), Either.right("01310100"))
    for (const text of ["01310-100", "0131010", "0131010a", ""]) assert.isTrue(Either.isLeft(cepOf(text)))
  })
})
