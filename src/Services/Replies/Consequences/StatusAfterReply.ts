import type { LeadStatus } from "../../Leads/Ids.ts"
import type { Consequence, ReplySituation } from "../ReplySituation.ts"
import { endsConversation } from "./ReplyClasses.ts"

const unconfirmed: ReadonlySet<LeadStatus> = new Set(["Pending", "Cold", "Frozen"])
const beforeGatekeeper: ReadonlySet<LeadStatus> = new Set(["Pending", "Cold", "Frozen", "Confirmed", "Aware"])

/** A reading with less confidence changes nothing but that the lead wrote: a person looks at it. */
const leastConfidence = 0.5

export const isUnsure = ({ reading }: Pick<ReplySituation, "reading">): boolean => reading.confidence < leastConfidence

/** How far the conversation has come with this reply. A closed deal stays closed, whatever is written afterwards. */
export const statusAfter = (situation: Pick<ReplySituation, "lead" | "reading">): LeadStatus => {
  const { lead, reading } = situation
  if (lead.status === "Closed") return "Closed"
  const confirmed = unconfirmed.has(lead.status) ? "Confirmed" : lead.status
  if (reading.class === "unsubscribe") return "NotInterested"
  if (reading.class === "wrong_person") {
    return unconfirmed.has(lead.status) && !isUnsure(situation) ? "Unqualified" : lead.status
  }
  if (isUnsure(situation)) return confirmed
  // A lead that was answered before, and asks or puts off, knows what is offered and has not decided.
  const considering = lead.status === "Confirmed" ? "Aware" : confirmed
  switch (reading.class) {
    case "interested":
    case "meeting_request":
      return "Interested"
    case "not_interested":
      return endsConversation(reading.acts) ? "NotInterested" : considering
    case "question":
    case "later":
    case "objection":
      return considering
    case "gatekeeper":
      return beforeGatekeeper.has(lead.status) ? "Gatekeeper" : lead.status
    default:
      return confirmed
  }
}

const notifyOwner = (
  kind: "lead_confirmed" | "lead_became_interested",
  isNotified: boolean,
  isByEmail: boolean
): ReadonlyArray<Consequence> => [
  ...(isNotified ? [{ _tag: "Notify", kind } as const] : []),
  ...(isByEmail ? [{ _tag: "MailOwner", kind } as const] : [])
]

/** The change of status, with its notices; nothing where the status stays. Events follow from the lead's history. */
export const statusChange = (situation: ReplySituation): ReadonlyArray<Consequence> => {
  const { lead, reading, settings } = situation
  const status = statusAfter(situation)
  if (status === lead.status) return []
  const consequences: Array<Consequence> = [{ _tag: "SetStatus", status }]
  // Someone else's answer and an opt-out do not confirm the contact.
  if (unconfirmed.has(lead.status) && reading.class !== "wrong_person" && reading.class !== "unsubscribe") {
    if (status === "Confirmed") {
      consequences.push(
        ...notifyOwner("lead_confirmed", settings.notify_on_confirmed, settings.notify_on_confirmed_via_email)
      )
    }
  }
  if (status === "Interested") {
    consequences.push(
      ...notifyOwner("lead_became_interested", settings.notify_on_interested, settings.notify_on_interested_via_email)
    )
  }
  return consequences
}
