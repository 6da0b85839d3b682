import { questionOf } from "../Replies/ReplyReading.ts"
import { fold } from "../Text/PlainText.ts"
import type { WritingBrief } from "./WritingBrief.ts"

const emptyWords: ReadonlySet<string> = new Set(
  "que qual quais como quanto quando onde para por com sem uma uns umas dos das voce voces isso este esta esse essa tem ter sao ser the what which how when where does your you with and for are can could would have has this that cual cuales donde cuando cuanto usted ustedes los las del una tienen tiene ser son hay por favor ola hola hello".split(
    " "
  )
)

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    fold(text.slice(0, 1000))
      .split(/[^a-z0-9]+/)
      .filter((word) => word.length > 2 && !emptyWords.has(word))
      // A crude stem, so that "preços" meets "preço" and "integrates" meets "integrate".
      .map((word) => (word.length > 4 ? word.replace(/(?:es|s)$/, "") : word))
  )

/** The owner's answer to the stored question that asks the same; undefined where none is near enough. */
export const answerTo = (
  question: string,
  answers: ReadonlyArray<{ readonly question: string; readonly answer: string }>
): string | undefined => {
  const wanted = wordsOf(question)
  let best: { readonly answer: string; readonly share: number } | undefined
  for (const known of answers) {
    const words = wordsOf(known.question)
    const shared = [...wanted].filter((word) => words.has(word)).length
    const share = shared / Math.max(1, Math.min(wanted.size, words.size))
    const isNear = share >= 0.6 && (shared >= 2 || Math.max(wanted.size, words.size) <= 2)
    if (isNear && (best === undefined || share > best.share)) best = { answer: known.answer, share }
  }
  return best?.answer
}

/** What the lead asked; null where the message answers no question. */
export const questionIn = ({ kind }: Pick<WritingBrief, "kind">): string | null =>
  kind._tag === "response" ? questionOf(kind.reading, kind.text) : null

/** The question to which nobody has given an answer that may be passed on. */
export const openQuestionOf = (brief: Pick<WritingBrief, "kind" | "business">): string | undefined => {
  const question = questionIn(brief)
  return question === null || answerTo(question, brief.business.answers) !== undefined ? undefined : question
}
