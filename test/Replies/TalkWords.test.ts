import { assert, describe, it } from "@effect/vitest"
import { proposesTalk } from "../../src/Services/Replies/TalkWords.ts"
import type { Language } from "../../src/Services/Text/Language.ts"

const cases: ReadonlyArray<readonly [Language, question: string, time: string, proposes: boolean]> = [
  ["en", "Does Thursday at 3pm work?", "Thursday at 3pm", true],
  ["en", "could we talk Thursday at 3pm after my class?", "Thursday at 3pm", true],
  ["en", "so Thursday at 3pm, Helena?", "Thursday at 3pm", true],
  ["en", "Are you open on Friday at 4?", "on Friday at 4", false],
  ["en", "Does the van come on Friday at 4?", "on Friday at 4", false],
  ["pt-BR", "consegue quinta às 15h?", "quinta às 15h", true],
  ["pt-BR", "consigo coleta hoje se eu pedir às 13h30?", "hoje", false],
  ["es", "¿podemos pasarla para el jueves a las 10?", "el jueves a las 10", true],
  ["es", "¿Abrís viernes a las 16?", "viernes a las 16", false]
]

describe("a question with a time", () => {
  it.each(cases)("%s: %s", (language, question, time, proposes) => {
    assert.strictEqual(proposesTalk(question, time, language), proposes)
  })
})
