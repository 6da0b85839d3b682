import { assert, describe, it } from "@effect/vitest"
import { bareQuestion } from "../../src/Services/Outcomes/BareQuestion.ts"

describe("a question as it is stored and quoted", () => {
  it.each([
    ["Oi Ana, tudo bem? Vocês parcelam?", "Vocês parcelam?"],
    ["Olá João, vocês parcelam?", "Vocês parcelam?"],
    ["2) vocês atendem crianças?", "Vocês atendem crianças?"],
    ["- do you deliver on Sundays?", "Do you deliver on Sundays?"],
    ["Hi there,\nDo you deliver on Sundays?\n\nBest regards,\nGreg Miller\nOps", "Do you deliver on Sundays?"],
    ["Boa tarde. Vocês emitem nota fiscal? Obrigado, Carla", "Vocês emitem nota fiscal?"],
    ["Temos três lojas. Vocês atendem todas?", "Temos três lojas. Vocês atendem todas?"],
    ["¡Hola! ¿Aceptan tarjeta? Saludos, Inés", "¿Aceptan tarjeta?"],
    [
      "bom dia é o nome do jornal que vocês atendem em Recife?",
      "Bom dia é o nome do jornal que vocês atendem em Recife?"
    ],
    ["Oi", "Oi"]
  ])("%s", (text, bare) => {
    assert.strictEqual(bareQuestion(text), bare)
    assert.strictEqual(bareQuestion(bare), bare)
  })
})
