import { assert, it } from "@effect/vitest"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { readByReader } from "../../src/Services/Replies/ReadReply.ts"
import { wishedTimeOf } from "../../src/Services/Replies/ReplyReading.ts"
import type { Language } from "../../src/Services/Text/Language.ts"

/** What is read of a reply on a Monday, March 2. */
const wishOf = (text: string, leadLanguage: Language) =>
  wishedTimeOf(
    readByReader({
      text,
      receivedAt: Timestamp.make("2026-03-02T12:00:00Z"),
      timeZone: "America/Sao_Paulo",
      country: "BR",
      leadLanguage,
      ownContacts: []
    })
  )

it("is the days and the part of the day for which a lead asks", () => {
  const week = { first: "2026-03-09", last: "2026-03-15", minutes: null }
  assert.deepStrictEqual(wishOf("Podemos conversar na semana que vem?", "pt-BR"), week)
  assert.deepStrictEqual(wishOf("¿Podemos reunirnos la próxima semana?", "es"), week)
  assert.deepStrictEqual(wishOf("Can we have a meeting next week?", "en"), week)
  assert.deepStrictEqual(wishOf("Podemos conversar na semana que vem à tarde?", "pt-BR"), {
    ...week,
    minutes: { from: 720, until: 1080 }
  })
  assert.deepStrictEqual(wishOf("¿Podemos reunirnos después del 10 de marzo?", "es"), {
    first: "2026-03-11",
    last: null,
    minutes: null
  })
  assert.isUndefined(wishOf("Podemos conversar?", "pt-BR"))
})
