import type { Act, ActKind } from "../Acts.ts"
import type { ReviewReason } from "../ReplySituation.ts"

/** The lead's phase when it writes. `held`: a person works the lead, or prospecting has not begun. */
export type LeadPhase = "worked" | "held" | "finished" | "unsubscribed"

/** What an act calls for. Several acts call for several things; `ReplyConsequences.ts` says which of them exclude others. */
export type Reaction =
  /** The lead is answered within minutes. */
  | "answer"
  /** Questions that no answer or file covers, and documents that the account lacks, are put to the owner. */
  | "open_question"
  /** The time is booked if it passes the door, else other times are proposed. */
  | "book_or_propose"
  /** The meeting that was agreed on is kept, moved or called off. */
  | "change_meeting"
  /** The conversation ends, if nothing else in the reply keeps it open. */
  | "end"
  /** The next touch is on the day that was named, or in 90 days. */
  | "come_back"
  /** No touch before the day of return. */
  | "wait"
  /** The person who was named becomes a lead. */
  | "register_contact"
  /** Nothing is ever sent to the lead again. */
  | "unsubscribe"
  /** The owner is notified; the platform does not answer. */
  | "notify"
  /** A person decides before anything else is sent. */
  | `review:${ReviewReason}`

type Row = { readonly [P in LeadPhase]: ReadonlyArray<Reaction> }

const row = (
  worked: ReadonlyArray<Reaction>,
  others: ReadonlyArray<Reaction> = ["notify"],
  unsubscribed: ReadonlyArray<Reaction> = others
): Row => ({ worked, held: others, finished: others, unsubscribed })

const nothing: Row = row([], [])

/** The reactions to each act in each phase of a lead. `docs/reference/reply-acts.md` prints this table. */
export const reactionTable: { readonly [K in ActKind]: Row } = {
  asks: row(["answer", "open_question"], ["open_question", "notify"], ["notify"]),
  proposes: row(["book_or_propose"]),
  cannot: row(["change_meeting", "book_or_propose"], ["change_meeting", "notify"]),
  mentions: row([], ["notify"]),
  confirms: row(["change_meeting", "book_or_propose", "answer"], ["change_meeting", "notify"]),
  wants_meeting: row(["book_or_propose"]),
  wants_to_move: row(["change_meeting", "book_or_propose"], ["change_meeting", "notify"]),
  calls_off: row(["change_meeting", "answer"], ["change_meeting", "notify"]),
  is_interested: row(["answer"]),
  objects: row(["answer", "open_question", "end"]),
  sets_condition: row(["answer", "open_question"], ["open_question", "notify"], ["notify"]),
  refuses: row(["end", "answer"]),
  defers: row(["come_back"]),
  is_away: row(["wait"], []),
  wants_document: row(["answer", "open_question"]),
  wants_call: row(["book_or_propose", "review:wants_call"]),
  wants_human: row(["review:wants_person"]),
  asks_if_machine: row(["answer", "open_question"], ["notify"]),
  stops: row(["unsubscribe"], ["unsubscribe"]),
  demands_data: row(["review:legal_request"]),
  threatens_law: row(["review:legal_request"]),
  refers_to: row(["register_contact", "answer"], ["register_contact", "notify"], ["notify"]),
  forwards: row(["register_contact", "answer"]),
  prefers_channel: row(["answer"]),
  wrong_person: row(["register_contact", "end"]),
  is_customer: row(["review:existing_customer"]),
  thanks: nothing,
  unclear: row(["review:reply_unclear"])
}

/** Acts that need no certainty: what they call for can do no harm, or a person decides it anyway. */
const harmless: ReadonlySet<Reaction> = new Set([
  "answer",
  "open_question",
  "come_back",
  "wait",
  "notify",
  "book_or_propose",
  "change_meeting"
])

const isReview = (reaction: Reaction): boolean => reaction.startsWith("review:")

/** What an act calls for when it is not certain: harmless reactions stay, a likely opt-out goes to a person. */
const withoutCertainty = (kind: ActKind, reactions: ReadonlyArray<Reaction>): ReadonlyArray<Reaction> => {
  if (kind === "stops") return ["review:opt_out_unclear"]
  // A lead that may have refused is not written to again before a person has looked.
  if (kind === "refuses") return ["review:reply_unclear"]
  return reactions.filter((reaction) => harmless.has(reaction) || isReview(reaction) || reaction === "end")
}

/** All that the acts of a reply call for, each once, in their order. */
export const reactionsTo = (acts: ReadonlyArray<Act>, phase: LeadPhase): ReadonlyArray<Reaction> => [
  ...new Set(
    acts.flatMap(({ isCertain, kind }) => {
      const reactions = reactionTable[kind][phase]
      return isCertain ? reactions : withoutCertainty(kind, reactions)
    })
  )
]
