import { fitsOpening } from "./ChatAppRules.ts"

/**
 * Messages of the owner for a lead's next touch are stored in the lead's instructions, in a form that people can read
 * and that is parsed exactly: a heading, the text between two fences of quotation marks, and an optional file.
 */
export interface ParkedMessage {
  readonly text: string
  readonly attachmentUrl: string | undefined
}

const heading = "Send this on the messaging app, word for word:"
const attach = "Attach: "

/** A fence that is longer than any run of quotation marks in the text. */
const fenceFor = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/"+/g)].map(([run]) => run.length))
  return '"'.repeat(longest + 1)
}

const parked = ({ attachmentUrl, text }: ParkedMessage): string => {
  const fence = fenceFor(text)
  return [heading, fence, text, fence, ...(attachmentUrl === undefined ? [] : [`${attach}${attachmentUrl}`])].join("\n")
}

/** The instructions with another message added. */
export const withParkedMessage = (instructions: string | null, message: ParkedMessage): string =>
  instructions === null || instructions.trim() === "" ? parked(message) : `${instructions}\n\n${parked(message)}`

const pattern = new RegExp(
  `(?:^|\\n\\n)${heading.replaceAll(".", "\\.")}\\n("{3,})\\n([\\s\\S]*?)\\n\\1(?:\\n${attach}(\\S+))?(?=\\n\\n|$)`,
  "g"
)

/** The messages in a lead's instructions, oldest first, and the instructions without them. */
export const readParkedMessages = (
  instructions: string
): { readonly messages: ReadonlyArray<ParkedMessage>; readonly instructions: string } => ({
  messages: [...instructions.matchAll(pattern)].map(([, , text = "", attachmentUrl]) => ({ text, attachmentUrl })),
  instructions: instructions.replace(pattern, "").trim()
})

/**
 * The messages that can be sent now. Within the service window, all of them. A paid opening carries only the oldest, if
 * it has no file and fits completely.
 */
export const deliverable = (
  messages: ReadonlyArray<ParkedMessage>,
  { isWindowOpen, mayOpen }: { readonly isWindowOpen: boolean; readonly mayOpen: boolean }
): ReadonlyArray<ParkedMessage> => {
  if (isWindowOpen) return messages
  const [oldest] = messages
  const isOpening = mayOpen && oldest !== undefined && oldest.attachmentUrl === undefined && fitsOpening(oldest.text)
  return isOpening ? [oldest] : []
}

const isSame = (one: ParkedMessage, other: ParkedMessage): boolean =>
  one.text === other.text && one.attachmentUrl === other.attachmentUrl

/**
 * The lead's instructions after a touch. Sent messages are removed, and so are other instructions that were followed.
 * Text that was added after the touch read `seen` is kept.
 */
export const instructionsAfter = (touch: {
  readonly now: string | null
  readonly seen: string | null
  readonly delivered: ReadonlyArray<ParkedMessage>
  readonly areFollowed: boolean
  /** Instructions that were read but could not be followed. They wait for the next touch. */
  readonly unapplied?: ReadonlyArray<string>
}): string | null => {
  const now = readParkedMessages(touch.now ?? "")
  const isDone = touch.areFollowed && now.instructions === readParkedMessages(touch.seen ?? "").instructions
  const delivered = [...touch.delivered]
  const waiting = now.messages.filter((message) => {
    const index = delivered.findIndex((other) => isSame(message, other))
    if (index >= 0) delivered.splice(index, 1)
    return index < 0
  })
  const left = isDone ? (touch.unapplied ?? []).join("\n") : now.instructions
  const instructions = left === "" ? null : left
  return waiting.reduce<string | null>(withParkedMessage, instructions)
}

/** Replaces the other instructions for the next touch. Messages that wait for it stay. */
export const withOtherInstructions = (before: string | null, instructions: string): string =>
  readParkedMessages(before ?? "").messages.reduce<string>(withParkedMessage, instructions)
