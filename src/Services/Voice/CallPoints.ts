import { fold, sentencesOf } from "../Text/PlainText.ts"
import { promisesAnAnswer } from "../Writing/MessageCheck.ts"
import type { TranscriptTurn } from "./Voice.ts"

/** The important points of a call apart from its result, quoted from the transcript. */
export interface CallPoints {
  readonly agreed: ReadonlyArray<string>
  /** Questions of the person. */
  readonly questions: ReadonlyArray<string>
  /** Promises of the agent. */
  readonly promised: ReadonlyArray<string>
}

const mostOfEach = 5
const longestPoint = 200
/** "Hello?" and "What?" are not questions about the business. */
const fewestWords = 3

const agreement =
  /\b(?:combinado|fica (?:combinado|marcado|agendado)|esta (?:marcad[oa]|agendad[oa]|confirmad[oa])|marcamos|agendamos|entao (?:fica|ate)|it's a deal|agreed|(?:is|it's|we're|you're) (?:booked|scheduled|confirmed|all set)|see you (?:on|at|tomorrow)|quedamos|queda (?:agendad[oa]|confirmad[oa])|esta (?:agendad[oa]|confirmad[oa])|trato hecho)\b/
const commitment =
  /\b(?:vou (?:te |lhe )?(?:enviar|mandar|ligar|passar)|(?:te|lhe) (?:envio|mando|ligo)|enviaremos|mandaremos|i(?:'ll| will) (?:send|call|email|pass)|we(?:'ll| will) (?:send|call|email)|(?:te|le|les) (?:envio|mando|llamo|enviare|mandare|llamare)|voy a (?:enviar|mandar|llamar)(?:le|te|les)?|enviaremos|llamaremos)\b/

const short = (text: string): string => (text.length > longestPoint ? `${text.slice(0, longestPoint - 1)}…` : text)

const first = (sentences: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(sentences.map(short))].slice(0, mostOfEach)

/** Agreements, questions and promises in a call. A question is neither an agreement nor a promise. */
export const callPoints = (
  transcript: ReadonlyArray<Pick<typeof TranscriptTurn.Type, "role" | "text">>
): CallPoints => {
  const sentences = transcript.flatMap(({ role, text }) =>
    sentencesOf(text).map((sentence) => ({ ...sentence, role, folded: fold(sentence.text) }))
  )
  const statements = sentences.filter(({ isQuestion }) => !isQuestion)
  const textsOf = (some: ReadonlyArray<{ readonly text: string }>) => first(some.map(({ text }) => text))
  return {
    agreed: textsOf(statements.filter(({ folded }) => agreement.test(folded))),
    questions: textsOf(
      sentences.filter(
        ({ isQuestion, role, text }) => isQuestion && role === "person" && text.split(" ").length >= fewestWords
      )
    ),
    promised: textsOf(
      statements.filter(
        ({ folded, role, text }) => role === "agent" && (commitment.test(folded) || promisesAnAnswer(text))
      )
    )
  }
}
