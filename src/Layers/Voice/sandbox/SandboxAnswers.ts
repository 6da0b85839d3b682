import { Timestamp } from "../../../Services/Core/Timestamp.ts"
import { readByReader } from "../../../Services/Replies/ReadReply.ts"
import type { InboundReply } from "../../../Services/Replies/ReplyText.ts"
import type { Language } from "../../../Services/Text/Language.ts"
import { fold } from "../../../Services/Text/PlainText.ts"

/** The reactions of a person to a call. */
export type CallReply = "agrees" | "asks_to_call_later" | "declines" | "wrong_person" | "opts_out"

/** The class of a statement in a call. */
export type Said = CallReply | "asks_who" | "asks" | "refers" | "takes_message" | "other"

const asksWho =
  /\b(?:quem (?:e|fala|esta falando|gostaria|deseja)|de onde (?:fala|e|voce)|com quem (?:eu )?(?:falo|estou falando)|who(?: is|'s) (?:this|calling|speaking)|who are you|where are you calling from|quien (?:es|habla|llama)|de parte de quien|con quien hablo)\b/

const short =
  /\b(?:qual (?:e )?o assunto|do que se trata|sobre o que|what is (?:this|it) about|de que se trata|cual es el asunto)\b/

// The date that "next month" refers to does not matter, so a fixed one makes calls repeatable.
const someDay = Timestamp.make("2026-01-05T12:00:00Z")

const spoken = (text: string, language: Language): InboundReply => ({
  text,
  receivedAt: someDay,
  timeZone: "America/Sao_Paulo",
  country: "BR",
  leadLanguage: language,
  ownContacts: []
})

/** The agent acts on statements that it understood with at least this probability. */
const sure = 0.5

/** Classifies spoken words like a written reply. */
export const readSaid = (text: string, language: Language): Said => {
  const folded = fold(text)
  const reading = readByReader(spoken(text, language))
  // During a call, a probable opt-out is followed at once, and the call ends.
  if (reading.class === "unsubscribe" || reading.acts.some(({ kind }) => kind === "stops")) return "opts_out"
  if (asksWho.test(folded) || short.test(folded)) return "asks_who"
  if (reading.confidence < sure) return "other"
  switch (reading.class) {
    case "later":
      return "asks_to_call_later"
    case "not_interested":
    case "objection":
      return "declines"
    case "wrong_person":
      return "wrong_person"
    case "interested":
    case "meeting_request":
      return "agrees"
    case "question":
      return "asks"
    case "referral":
      return "refers"
    case "gatekeeper":
      return "takes_message"
    default:
      return "other"
  }
}

/** Returns the overall reaction. Undefined if it is neither yes nor no. */
export const comesTo = (texts: ReadonlyArray<string>, language: Language): CallReply | undefined => {
  const each = texts.map((text) => readSaid(text, language))
  if (each.includes("opts_out")) return "opts_out"
  const isReply = (statement: Said): statement is CallReply =>
    statement === "agrees" ||
    statement === "asks_to_call_later" ||
    statement === "declines" ||
    statement === "wrong_person"
  // If a person reacts several times, the last reaction counts.
  return each.findLast(isReply)
}
