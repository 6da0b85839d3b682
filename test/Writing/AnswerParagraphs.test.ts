import { assert, describe, it } from "@effect/vitest"
import { openQuestionsOf } from "../../src/Services/Writing/Answers/KnownAnswers.ts"
import { compose } from "../../src/Services/Writing/Composer.ts"
import { checkMessage } from "../../src/Services/Writing/MessageCheck.ts"
import type { AnswerableClass, WritingBrief } from "../../src/Services/Writing/WritingBrief.ts"
import { brief, languages, reading } from "./TestBrief.ts"

const questionsOf = {
  "pt-BR": ["Vocês parcelam?", "Vocês atendem crianças?", "Tem estacionamento?"],
  en: ["Can we pay monthly?", "Do you treat children?", "Is there parking?"],
  es: ["¿Se puede pagar en cuotas?", "¿Atienden a niños?", "¿Hay aparcamiento?"]
} as const
const answers = {
  "pt-BR": ["Sim, em até dez vezes.", "Sim, a partir dos três anos."],
  en: ["Yes, in up to ten parts.", "Yes, from the age of three."],
  es: ["Sí, en hasta diez pagos.", "Sí, a partir de los tres años."]
} as const

const asking = (
  language: WritingBrief["language"],
  questions: ReadonlyArray<string>,
  replyClass: AnswerableClass = "question",
  refuses = false
): WritingBrief =>
  brief({
    language,
    kind: {
      _tag: "response",
      text: questions.join(" "),
      reading: reading(replyClass, {
        language,
        question: questions[0] ?? null,
        questions: [...questions],
        acts: refuses
          ? [
              {
                kind: "refuses",
                text: "",
                certainty: 1,
                isCertain: true,
                source: "rules",
                time: null,
                isQuestion: false,
                objection: null,
                contact: null,
                isAutomatic: false
              }
            ]
          : []
      })
    },
    business: {
      name: "Solaris",
      answers: answers[language].map((answer, index) => ({ question: questionsOf[language][index] ?? "", answer })),
      knowledge: []
    }
  })

describe("a reply with several questions", () => {
  it.each(languages)("gets all that is known and one promise for the rest, in one message (%s)", (language) => {
    const one = asking(language, questionsOf[language])
    const { body } = compose(one)
    for (const answer of answers[language]) assert.include(body, answer)
    assert.deepStrictEqual(openQuestionsOf(one), [questionsOf[language][2]])
    assert.include(body, `"${questionsOf[language][2]}"`)
    assert.deepStrictEqual(checkMessage({ body, subject: "x" }, one, "word"), [], body)
  })

  it.each(languages)("shows which answer is for which question (%s)", (language) => {
    const { body } = compose(asking(language, questionsOf[language].slice(0, 2)))
    for (const [index, answer] of answers[language].entries()) {
      assert.include(body, `${questionsOf[language][index]} ${answer}`)
    }
  })

  it.each(languages)("is answered within a refusal too, and asked for nothing (%s)", (language) => {
    for (const replyClass of ["not_interested", "question", "objection"] as const) {
      const { body } = compose(asking(language, questionsOf[language].slice(0, 1), replyClass, true))
      assert.include(body, answers[language][0])
      assert.notInclude(body, "?", body)
    }
  })

  it("is answered to whoever is not the right person", () => {
    for (const replyClass of ["wrong_person", "gatekeeper"] as const) {
      assert.include(compose(asking("en", questionsOf.en.slice(0, 1), replyClass)).body, answers.en[0])
    }
  })
})
