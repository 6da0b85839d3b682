import { assert, describe, it } from "@effect/vitest"
import { articleGender, senderBesides } from "../../src/Services/Writing/BusinessName.ts"
import { compose } from "../../src/Services/Writing/Composer.ts"
import { brief } from "./TestBrief.ts"

describe("the name of a business", () => {
  it.each<[string, string, string | undefined]>([
    ["Marina da OdontoSoft", "OdontoSoft", "Marina"],
    ["Marina, OdontoSoft", "OdontoSoft", "Marina"],
    ["Marina Souza - OdontoSoft", "OdontoSoft", "Marina Souza"],
    ["Ann from Acme Corp", "Acme Corp", "Ann"],
    ["Acme", "acme", undefined],
    ["Marina Souza", "OdontoSoft", "Marina Souza"],
    ["", "OdontoSoft", undefined]
  ])("is not doubled by the sender %s of %s", (sender, business, name) => {
    assert.strictEqual(senderBesides(sender, business), name)
  })

  it("has its article", () => {
    assert.strictEqual(articleGender("Grupo Acme"), "masculine")
    assert.strictEqual(articleGender("Acme"), "feminine")
  })
})

describe("what is said first in a call", () => {
  const opening = (language: "pt-BR" | "en" | "es", dayPart: "morning" | "evening" | undefined) =>
    compose(
      brief({
        channel: "voice",
        language,
        dayPart,
        lead: { ...brief().lead, name: "Dr. Álvaro Lima" },
        sender: { name: "Marina da OdontoSoft" },
        business: { ...brief().business, name: "OdontoSoft" }
      })
    ).openingLine

  it("greets by the part of the day, with the article before a title, and asks one question", () => {
    assert.strictEqual(opening("pt-BR", "morning"), "Bom dia! Aqui é Marina, da OdontoSoft. Eu falo com o Dr. Álvaro?")
    assert.strictEqual(
      opening("en", "evening"),
      "Good evening, this is Marina, calling from OdontoSoft. Am I speaking with Dr. Álvaro?"
    )
    assert.strictEqual(opening("es", undefined), "¡Hola! Le habla Marina, de OdontoSoft. ¿Hablo con el Dr. Álvaro?")
  })
})
