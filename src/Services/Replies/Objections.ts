import { fold } from "../Text/PlainText.ts"
import type { Act } from "./Acts.ts"

/** The topic of an objection that can be answered. `condition`: the lead would accept under a condition. */
export type ObjectionTopic = "price" | "supplier" | "trust" | "condition"

const topicOfAct = ({ kind, objection }: Act): ObjectionTopic | undefined => {
  if (kind === "sets_condition") return "condition"
  return kind === "objects" && (objection === "price" || objection === "supplier" || objection === "trust")
    ? objection
    : undefined
}

/** The topic of the objection. Undefined for a plain question. */
export const objectionIn = (sentence: string, acts: ReadonlyArray<Act>): ObjectionTopic | undefined => {
  const folded = fold(sentence)
  for (const act of acts) {
    // "I use another one, why would I change?" The question is a part of the objection.
    if (act.isCertain && fold(act.text).includes(folded)) {
      const topic = topicOfAct(act)
      if (topic !== undefined) return topic
    }
  }
  return undefined
}

/** The first topic that a reply objects to, certain or not. Undefined if it has no objection that can be answered. */
export const firstObjection = (acts: ReadonlyArray<Act>): ObjectionTopic | undefined =>
  acts.flatMap((act) => topicOfAct(act) ?? [])[0]
