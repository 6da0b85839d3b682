import { Schema } from "effect"
import { greetingName } from "../../../Services/Text/PersonName.ts"
import { clip, hashOf, tidyText } from "../../../Services/Text/PlainText.ts"
import { spokenGoal } from "../../../Services/Voice/SpokenGoal.ts"
import { type CallOrder, type CallResult, type TranscriptTurn, unansweredCall } from "../../../Services/Voice/Voice.ts"
import { comesTo, readSaid, type Said } from "./SandboxAnswers.ts"
import { type ConversationBook, conversationBooks } from "./SandboxPhrases.ts"

/** A person's reaction to a call. */
export const SandboxReply = Schema.Literal("agrees", "asks_to_call_later", "declines", "wrong_person", "opts_out")
export type SandboxReply = typeof SandboxReply.Type

/** The ways in which a simulated call can end. */
export const SandboxOutcome = Schema.Literal(...SandboxReply.literals, "no_answer", "busy", "answering_machine")
export type SandboxOutcome = typeof SandboxOutcome.Type

/** The distribution of outcomes, as upper bounds per hundred calls. */
const shares: ReadonlyArray<readonly [number, SandboxOutcome]> = [
  [46, "agrees"],
  [56, "asks_to_call_later"],
  [66, "declines"],
  [69, "wrong_person"],
  [71, "opts_out"],
  [86, "no_answer"],
  [91, "busy"],
  [100, "answering_machine"]
]

/** The outcome of a simulated call. It is always the same for the same number and goal. */
export const outcomeOf = ({ goal, phone }: Pick<CallOrder, "goal" | "phone">): SandboxOutcome => {
  const share = hashOf(`${phone}|${goal}`) % 100
  return shares.find(([upTo]) => share < upTo)?.[1] ?? "agrees"
}

const isReply = Schema.is(SandboxReply)

const oneLine = (text: string, length: number): string =>
  clip(tidyText(text).replace(/\s+/g, " ").trim(), length).trim()

/** Returns why the agent calls, in words for the person. Goal and context are instructions for the agent. */
const reasonOf = (order: CallOrder, book: ConversationBook): string =>
  spokenGoal(order, 300) ?? book.unspokenReason(oneLine(order.businessName, 80))

interface Line {
  readonly role: TranscriptTurn["role"]
  readonly text: string
}

const agent = (text: string): Line => ({ role: "agent", text })
const person = (text: string): Line => ({ role: "person", text })

const openingOf = (order: CallOrder, book: ConversationBook): string => {
  const name = order.personName === null ? undefined : greetingName(order.personName, order.companyName ?? undefined)
  return order.openingLine ?? book.opening(oneLine(order.businessName, 80), name)
}

/** Returns the agent's answer if the call continues. */
const answerTo = (statement: Exclude<Said, "opts_out">, order: CallOrder, book: ConversationBook): string => {
  const { answers } = book
  const goal = reasonOf(order, book)
  if (statement === "asks_who") return answers.asks_who(oneLine(order.businessName, 80), goal)
  return statement === "takes_message" ? answers.takes_message(goal) : answers[statement]
}

/** Returns what the agent says before the farewell, if the person's last words need an answer. */
const lastAnswer = (statement: Said, order: CallOrder, book: ConversationBook): ReadonlyArray<string> =>
  statement === "asks_who" || statement === "asks" || statement === "refers" || statement === "takes_message"
    ? [answerTo(statement, order, book)]
    : []

/** Returns each statement of the person with the agent's answer. After an opt-out, the agent only says goodbye. */
const exchanges = (
  order: CallOrder,
  book: ConversationBook,
  reply: SandboxReply,
  personSays: ReadonlyArray<string>
): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  for (const [at, text] of personSays.entries()) {
    const statement = readSaid(text, order.language)
    lines.push(person(text))
    if (statement === "opts_out") return [...lines, agent(book.closings.opts_out)]
    const isLast = at === personSays.length - 1
    lines.push(
      agent(
        isLast
          ? [...lastAnswer(statement, order, book), book.closings[reply]].join(" ")
          : answerTo(statement, order, book)
      )
    )
  }
  return lines
}

const linesOf = (
  order: CallOrder,
  book: ConversationBook,
  reply: SandboxReply,
  personSays: ReadonlyArray<string>
): ReadonlyArray<Line> => [
  person(book.hello),
  agent(openingOf(order, book)),
  person(book.goOn),
  agent([reasonOf(order, book), book.question].join(" ")),
  ...exchanges(order, book, reply, personSays)
]

/** The average speed of speech. */
const charactersPerSecond = 14

/** Returns the lines with the second at which each begins, and their total duration. */
const timed = (
  lines: ReadonlyArray<Line>
): { readonly turns: ReadonlyArray<TranscriptTurn>; readonly seconds: number } => {
  let seconds = 0
  const turns = lines.map((line) => {
    const turn = { ...line, at_seconds: Math.round(seconds) }
    seconds += 1 + line.text.length / charactersPerSecond
    return turn
  })
  return { turns, seconds: Math.max(1, Math.round(seconds)) }
}

/**
 * Makes up the conversation of a simulated call in the order's language. The person says the lines of `personSays`, or
 * else those of the outcome, and the agent answers them. The goal is achieved if the person agrees.
 */
export const conversationOf = (
  order: CallOrder,
  outcome: SandboxOutcome,
  personSays: ReadonlyArray<string> | null
): CallResult => {
  if (outcome === "no_answer" || outcome === "busy") return unansweredCall(outcome, null)
  const book = conversationBooks[order.language]
  if (!isReply(outcome)) {
    const { seconds, turns } = timed([agent(openingOf(order, book)), agent(book.voicemail)])
    return {
      status: "completed",
      failureReason: "answering_machine",
      wasPickedUp: false,
      goalAchieved: false,
      summary: book.summaries.answering_machine,
      transcript: turns,
      durationSeconds: seconds
    }
  }
  const personLines = personSays === null || personSays.length === 0 ? book.replies[outcome] : personSays
  // The person's words take precedence over the script's outcome.
  const reply = comesTo(personLines, order.language) ?? outcome
  const { seconds, turns } = timed(linesOf(order, book, reply, personLines))
  return {
    status: "completed",
    failureReason: null,
    wasPickedUp: true,
    goalAchieved: reply === "agrees",
    summary: book.summaries[reply],
    transcript: turns,
    durationSeconds: seconds
  }
}
