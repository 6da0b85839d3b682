import { assert, describe, it } from "@effect/vitest"
import { readSaid } from "../../src/Layers/Voice/sandbox/SandboxAnswers.ts"
import type { Language } from "../../src/Services/Text/Language.ts"

/** As people say on the telephone that they want no more calls. */
const wishes: { readonly [L in Language]: ReadonlyArray<string> } = {
  "pt-BR": [
    "Não me liguem mais.",
    "não me ligue mais por favor",
    "Não liga mais pra mim",
    "Não liguem mais para este número, tá?",
    "Para de me ligar!",
    "Parem de ligar pra cá",
    "Não quero mais receber ligação de vocês",
    "Não quero que me liguem de novo",
    "Não voltem a me ligar",
    "Tira meu número da lista",
    "Chega de ligação",
    "Não me ligue nunca mais",
    "Me esquece, não me liga mais",
    "Vocês podem parar de me ligar, por favor?"
  ],
  en: [
    "Don't call again.",
    "Do not call me again.",
    "Never call me again",
    "Please don't call this number anymore",
    "Stop calling me",
    "Quit calling here",
    "Take me off your calling list",
    "I don't want any more calls",
    "Could you please stop calling?",
    "I don't want to be called again",
    "Lose my number."
  ],
  es: [
    "No me llamen más.",
    "No me llame más por favor",
    "No vuelvan a llamarme",
    "No me vuelvan a llamar",
    "No vuelva a llamar a este número",
    "Dejen de llamarme",
    "Deje de llamar",
    "No quiero más llamadas",
    "No quiero que me llamen",
    "Borren mi número de la lista",
    "No me llamen nunca más"
  ]
}

/** The same words, and no such wish. */
const others: { readonly [L in Language]: ReadonlyArray<string> } = {
  "pt-BR": [
    "Agora não posso falar, me liga mais tarde",
    "Não me ligaram ainda",
    "Pode me ligar de novo amanhã",
    "Não liga não, é só o cachorro",
    "Me liga mais cedo amanhã"
  ],
  en: ["Call me again tomorrow", "Nobody called me yet", "I can't talk now, call back later"],
  es: [
    "Llámeme más tarde",
    "Vuelva a llamarme mañana",
    "No me llamaron todavía",
    "Ahora no puedo, llame de nuevo el lunes"
  ]
}

describe("a wish not to be called again", () => {
  for (const language of ["pt-BR", "en", "es"] as const) {
    it.each(wishes[language])(`in ${language} is heard: %s`, (said) => {
      assert.strictEqual(readSaid(said, language), "opts_out")
    })
    it.each(others[language])(`in ${language} is not heard where there is none: %s`, (said) => {
      assert.notStrictEqual(readSaid(said, language), "opts_out")
    })
  }
})
