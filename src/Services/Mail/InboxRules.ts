import { Either, Option } from "effect"
import type { ReplyReading } from "../Replies/ReplyReading.ts"
import { normaliseEmail } from "../Text/ContactDetails.ts"
import type { InboundAttachment, InboundMail } from "./MailInbox.ts"

/** A sender whose messages are more in an hour is a machine in a loop: they are stored, and nothing reacts to them. */
export const reactionsPerHour = { person: 30, machine: 3 }

const maximumAttachments = 20
/** A smaller picture inside the text is a logo. */
const smallestInlinePicture = 16 * 1024

export const keptAttachments = (attachments: ReadonlyArray<InboundAttachment>): ReadonlyArray<InboundAttachment> =>
  attachments
    .filter(({ bytes, isInlinePicture }) => !isInlinePicture || bytes.length >= smallestInlinePicture)
    .slice(0, maximumAttachments)

/** What a machine's message is known to mean, as the reading of a reply has it. */
export const machineReading = (meaning: "bounce" | "unsubscribe"): ReplyReading => ({
  class: meaning,
  confidence: 1,
  language: null,
  refusalReason: null,
  question: null,
  questions: [],
  returnDate: null,
  contact: null,
  proposedMeeting: null,
  timeProblem: null,
  meetingChange: null,
  acts: [],
  decidedBy: "rules"
})

/** Whose inbox a message is for: whom it was delivered to, where that is known, else whom it names. */
export const recipientsOf = (
  { recipients }: Pick<InboundMail, "recipients">,
  deliveredTo: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const named = deliveredTo.flatMap((address) => Option.toArray(Either.getRight(normaliseEmail(address))))
  return named.length > 0 ? named : recipients
}
