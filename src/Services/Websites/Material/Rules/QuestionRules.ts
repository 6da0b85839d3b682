import { fold } from "../../../Text/PlainText.ts"
import { capitalised, sentencesIn, within } from "../MaterialText.ts"
import { type BriefRule, filled, type ReadQuestion, ruleOf } from "./BriefRule.ts"

const questionMark = /^(?:P|Q|Pregunta|Pergunta|Question)[.:]\s+/i
const answerMark = /^(?:R|A|Resposta|Respuesta|Answer)[.:]\s+|^[-–—]\s+/i
const innerAnswer = /\s(?:R|A)[.:]\s/

const asSentence = (question: string): string =>
  question.startsWith("¿") ? `¿${capitalised(question.slice(1))}` : capitalised(question)

const pairOf = (question: string, answer: string): ReadQuestion => ({
  question: within(asSentence(question.replace(questionMark, "").trim()), 300),
  answer: within(capitalised(answer.replace(answerMark, "").trim()), 1500)
})

/** The questions of a text with the answers behind them: "Q. … ? A. …", "¿…? …", "… ? - … / … ? - …". */
export const questionsIn = (text: string): ReadonlyArray<ReadQuestion> => {
  const pairs: Array<ReadQuestion> = []
  for (const part of text.split(/\s\/\s(?=[^/]{2,300}\?)/)) {
    let question = ""
    let answer: ReadonlyArray<string> = []
    const close = (): void => {
      if (question !== "" && answer.length > 0) pairs.push(pairOf(question, answer.join(" ")))
    }
    for (const sentence of sentencesIn(part.replace(innerAnswer, " "))) {
      if (!sentence.endsWith("?")) {
        // "Q." alone is no answer.
        if (!/^(?:P|Q|R|A)[.:]?$/.test(sentence)) answer = [...answer, sentence]
        continue
      }
      close()
      question = sentence
      answer = []
    }
    close()
  }
  return pairs
}

const isAsked = (label: string): boolean =>
  /^(?:perguntas?|preguntas?|questions?|faqs?|duvidas?|dudas?)\b/.test(fold(label))

export const questionRules: ReadonlyArray<BriefRule> = [
  {
    name: "the answer to the question before it",
    matches: (_, { openQuestion }) => openQuestion !== "",
    take: ({ text }, { openQuestion }) =>
      text.endsWith("?")
        ? { openQuestion: "", goesOn: true }
        : { openQuestion: "", facts: { questions: [pairOf(openQuestion, text)] } }
  },
  ruleOf(
    "questions with their answers",
    ({ isOrder, kind, label, text }) =>
      !isOrder && (kind === "questions" || isAsked(label) || text.startsWith("¿"))
        ? filled(questionsIn(text))
        : undefined,
    (questions) => ({ facts: { questions } })
  ),
  {
    name: "a question whose answer comes next",
    matches: ({ isOwn, kind, label, text }, { facts }) =>
      text.endsWith("?") &&
      (!isOwn || kind === "questions" || isAsked(label) || text.startsWith("¿") || facts.questions.length > 0),
    take: ({ text }) => ({ openQuestion: text.replace(questionMark, "") })
  }
]
