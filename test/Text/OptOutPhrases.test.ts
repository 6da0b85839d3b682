import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { isOptOutPhrase } from "../../src/Services/Text/OptOutPhrases.ts"

const linesOf = (file: string): ReadonlyArray<readonly [label: string, text: string]> =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .split("\n")
    .flatMap((line) => {
      const [label, text] = line.split("\t")
      return label === undefined || text === undefined ? [] : [[label, text] as const]
    })

const textsOf = (lines: ReadonlyArray<readonly [label: string, text: string]>): string =>
  lines.map(([label, text]) => `${label}: ${text}`).join("\n")

const optOuts = linesOf("./fixtures/optOuts.tsv")
const nearMisses = linesOf("./fixtures/optOutNearMisses.tsv")
const mainLanguages = new Set(["pt", "en", "es"])

describe("isOptOutPhrase", () => {
  it("recognises opt-outs in 37 languages of Europe", () => {
    const languages = new Set(optOuts.map(([language]) => language))
    assert.strictEqual(languages.size, 37)
    for (const language of languages) {
      assert.isAtLeast(optOuts.filter(([label]) => label === language).length, 5, language)
    }
    assert.deepStrictEqual(textsOf(optOuts.filter(([, text]) => !isOptOutPhrase(text))), "")
  })

  it("recognises them in upper case and without accents", () => {
    const typed = optOuts.map(([language, text]) => [language, text.normalize("NFD").replace(/\p{M}/gu, "")] as const)
    assert.deepStrictEqual(textsOf(typed.filter(([, text]) => !isOptOutPhrase(text))), "")
    assert.deepStrictEqual(textsOf(optOuts.filter(([, text]) => !isOptOutPhrase(text.toUpperCase()))), "")
  })

  it("takes none of the near misses for an opt-out", () => {
    assert.isAtLeast(nearMisses.filter(([language]) => mainLanguages.has(language)).length, 200)
    assert.isAtLeast(nearMisses.filter(([language]) => !mainLanguages.has(language)).length, 60)
    assert.deepStrictEqual(textsOf(nearMisses.filter(([, text]) => isOptOutPhrase(text))), "")
  })

  it("takes none of the labelled sentences without an opt-out for one", () => {
    const sentences = ["pt", "en", "es"].flatMap((language) => linesOf(`../../training/sentences/${language}.tsv`))
    const others = sentences.filter(([acts]) => !/\b(?:stops|demands_data|threatens_law)\b/.test(acts))
    assert.isAbove(others.length, 15_000)
    assert.deepStrictEqual(textsOf(others.filter(([, text]) => isOptOutPhrase(text))), "")
  })

  it("takes no business reply in another language for one", () => {
    assert.deepStrictEqual(
      textsOf(linesOf("./fixtures/otherLanguages.tsv").filter(([, text]) => isOptOutPhrase(text))),
      ""
    )
  })

  it.each([
    "STOP",
    "Unsubscribe",
    "sair",
    "PARAR",
    "Cancelar.",
    "Baja, por favor",
    "DESCADASTRAR!!!",
    "remover",
    "Hi, stop please",
    "Não é o momento.\nSAIR",
    "SAIR\n\nEnviado do meu iPhone",
    "Stop\nSent from my iPhone",
    "Olá, tudo bem? Não temos clínica. Por favor me remova da lista de contatos, obrigado. Abs, Rui"
  ])("counts a command as the whole reply or its last line: %j", (text) => {
    assert.isTrue(isOptOutPhrase(text))
  })

  it.each([
    "",
    "\n\n",
    "SAIR\nmais cedo hoje não dá",
    "Stop\nwait for me, I'm calling you now",
    "Pode cancelar",
    "Os clientes respondem „denme de baja“?",
    `${"Gostei da proposta. ".repeat(300)}\nSAIR`
  ])("does not find one in %j", (text) => {
    assert.isFalse(isOptOutPhrase(text))
  })
})
