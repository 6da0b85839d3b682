import type { LeadId } from "../Leads/Ids.ts"
import type { FactSource } from "../Writing/FactSource.ts"
import type { Unapplied } from "../Writing/Instructions/ReadInstructions.ts"
import type { WritePlan } from "./TouchComposer.ts"
import type { TouchFacts } from "./TouchFacts.ts"
import type { TouchCargo } from "./TouchLedger.ts"

const minute = 60_000

/** When to retry a lead after a model outage: in 5 to 15 minutes, spread so that not all leads retry at once. */
export const afterOutage = (leadId: LeadId, now: number): number => now + 5 * minute + ((leadId * 7919) % 600) * 1000

/** Subjects that need no further message once this one was sent. */
export const settledSubjects = (
  facts: Pick<TouchFacts, "unanswered" | "unanswered_besides" | "cancelled_meeting">,
  { kind }: Pick<WritePlan, "kind">
): ReadonlyArray<string> => {
  // Nothing is settled yet, because a person will answer later.
  if (kind._tag === "holding_line") return []
  if (kind._tag === "answer_relay") {
    return facts.unanswered.filter((subject) => !facts.unanswered_besides.includes(subject))
  }
  const announcedMeeting = kind._tag === "meeting_cancelled" ? facts.cancelled_meeting : null
  return [...facts.unanswered, ...(announcedMeeting === null ? [] : [`meeting:${announcedMeeting.meeting_id}`])]
}

/** The owner's content that the message carries, or null if none. The owner's own messages are sent alone. */
export const carriedContent = (
  facts: Pick<TouchFacts, "answer" | "next_touch_instructions" | "notice" | "owner_context">,
  { isParkedMessage, kind }: Pick<WritePlan, "isParkedMessage" | "kind">,
  unapplied: ReadonlyArray<Unapplied> = []
): TouchCargo | null => {
  if (facts.notice !== null || isParkedMessage || kind._tag === "holding_line") return null
  const cargo: TouchCargo = {
    answer_id: kind._tag === "answer_relay" ? (facts.answer?.answer_id ?? null) : null,
    context: facts.owner_context,
    instructions: facts.next_touch_instructions
  }
  const ofTouch = unapplied.filter(({ isForTouch }) => isForTouch).map(({ text }) => ({ text }))
  if (Object.values(cargo).every((part) => part === null)) return null
  return ofTouch.length === 0 ? cargo : { ...cargo, unapplied: ofTouch }
}

/** The sources of the message. A relayed answer is attributed to the owner, however it is worded. */
export const sourcesOf = (
  { answer }: Pick<TouchFacts, "answer">,
  { kind }: Pick<WritePlan, "kind">,
  restsOn: ReadonlyArray<FactSource>
): ReadonlyArray<FactSource> =>
  kind._tag === "answer_relay" && answer !== null ? [{ kind: "faq", answer_id: answer.answer_id }, ...restsOn] : restsOn
