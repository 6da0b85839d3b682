import { Either, Option } from "effect"
import type { ReplyReading } from "../Replies/ReplyReading.ts"
import { normaliseEmail } from "../Text/ContactDetails.ts"
import type { InboundAttachment, InboundMail } from "./MailInbox.ts"

/** A sender with more messages per hour is an automatic loop. Further messages are stored without any reaction. */
export const reactionsPerHour = { person: 30, machine: 3 }

const maximumAttachments = 20
/** A smaller inline picture is taken for a logo. */
const smallestInlinePicture = 16 * 1024

export const keptAttachments = (attachments: ReadonlyArray<InboundAttachment>): ReadonlyArray<InboundAttachment> =>
  attachments
    .filter(({ bytes, isInlinePicture }) => !isInlinePicture || bytes.length >= smallestInlinePicture)
    .slice(0, maximumAttachments)

/** The reading of an automatic message whose meaning is known. */
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

/**
 * The recipients that decide whose inbox a message belongs to: those noted at delivery, otherwise those in its headers.
 */
export const recipientsOf = (
  { recipients }: Pick<InboundMail, "recipients">,
  deliveredTo: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const named = deliveredTo.flatMap((address) => Option.toArray(Either.getRight(normaliseEmail(address))))
  return named.length > 0 ? named : recipients
}
