import { assert, describe, it } from "@effect/vitest"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { readByRules } from "../../src/Services/Replies/ReplyRules.ts"
import type { Language } from "../../src/Services/Text/Language.ts"

/** A Tuesday; the meeting stands on Thursday, 5 March, 15:00. */
const read = (text: string, language: Language) =>
  readByRules({
    text,
    receivedAt: Timestamp.make("2026-03-03T14:00:00Z"),
    timeZone: "America/Sao_Paulo",
    country: "BR",
    leadLanguage: language,
    ownContacts: [],
    standingMeeting: { date: "2026-03-05", time: "15:00" }
  })

const table: ReadonlyArray<readonly [text: string, language: Language, change: string | null, time?: string]> = [
  ["Preciso cancelar nossa reunião de quinta, surgiu um imprevisto.", "pt-BR", "cancel"],
  ["Não vou conseguir participar amanhã, desculpe.", "pt-BR", "cancel"],
  ["Não vou conseguir participar na quinta. Podemos remarcar para sexta às 10h?", "pt-BR", "move", "2026-03-06 10:00"],
  ["Podemos passar de quinta às 15h para sexta às 10h?", "pt-BR", "move", "2026-03-06 10:00"],
  ["Pode ser sexta às 10h em vez de quinta às 15h?", "pt-BR", "move", "2026-03-06 10:00"],
  ["Podemos remarcar?", "pt-BR", "move"],
  ["Pode ser dia 05/03 às 15h?", "pt-BR", null],
  ["Oi Helena, tudo bem? Confirmado para quinta às 15h.", "pt-BR", null],
  ["Combinado, até quinta!", "pt-BR", null],
  ["O horário está ótimo, não precisa remarcar.", "pt-BR", null],
  ["Não vou poder pagar agora", "pt-BR", null],
  ["Posso levar minha sócia?", "pt-BR", null],
  ["Sorry, something came up and I can't make it on Thursday.", "en", "cancel"],
  ["I need to cancel our meeting.", "en", "cancel"],
  ["Could we reschedule our call to Monday at 11am?", "en", "move", "2026-03-09 11:00"],
  ["See you on Thursday!", "en", null],
  ["Necesito cancelar la reunión, surgió un imprevisto.", "es", "cancel"],
  ["No voy a poder el jueves, ¿podemos reprogramar?", "es", "move"],
  ["Gracias, nos vemos el jueves.", "es", null]
]

describe("a reply while a meeting stands", () => {
  for (const [text, language, change, time] of table) {
    it(text, () => {
      const reading = read(text, language)
      assert.strictEqual(reading.meetingChange, change)
      if (change === null) return
      assert.isAtLeast(reading.confidence, 0.7)
      assert.isNull(reading.question)
      const { proposedMeeting: proposed } = reading
      assert.strictEqual(
        proposed === null || proposed.time === null ? undefined : `${proposed.date} ${proposed.time}`,
        time
      )
    })
  }

  it("says nothing of a meeting where none stands", () => {
    const reading = readByRules({
      text: "Preciso cancelar, podemos remarcar?",
      receivedAt: Timestamp.make("2026-03-03T14:00:00Z"),
      timeZone: "America/Sao_Paulo",
      country: "BR",
      leadLanguage: "pt-BR",
      ownContacts: []
    })
    assert.isNull(reading.meetingChange)
  })

  for (const [text, language] of [
    ["Oi Helena, tudo bem?", "pt-BR"],
    ["Bom dia, dona Helena! Como vai?", "pt-BR"],
    ["Olá Helena Prado, tudo bem com vocês?", "pt-BR"],
    ["Hi Helena, how are you?", "en"],
    ["Hola Helena, ¿cómo está usted?", "es"],
    ["Alô?", "pt-BR"],
    ["Hello?", "en"],
    ["¿Bueno?", "es"]
  ] as const) {
    it(`a courtesy is no question: ${text}`, () => {
      const reading = read(text, language)
      assert.isNull(reading.question)
      assert.notStrictEqual(reading.class, "question")
    })
  }

  it("a courtesy does not hide the question behind it", () => {
    assert.strictEqual(read("Oi Helena, tudo bem? Quanto custa o plano?", "pt-BR").question, "Quanto custa o plano?")
    assert.isNotNull(read("Oi Helena, tudo bem com o pedido?", "pt-BR").question)
  })
})
