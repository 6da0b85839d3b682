import type { ServiceMode } from "../Core/IntegrationModes.ts"
import type { SendBlock } from "../Outreach/SendGuard.ts"

/** Free messages go to a person for so long after the person's last message. */
export const serviceWindowHours = 24

/** The longest text that the provider takes as a message, and as the part of an opening that is ours to write. */
export const longestText = 4096
export const longestOpening = 900

export const MessageStates = [
  "queued",
  "sending",
  "sent",
  "delivered",
  "read",
  "unknown",
  "failed",
  "cancelled",
  "received"
] as const
export type MessageState = (typeof MessageStates)[number]

/** What decides how a queued message goes out, looked up in the transaction that begins the send. */
export interface SendFacts {
  readonly kind: "text" | "template" | "media"
  readonly messageType: string | null
  /** The owner's words, which go out whole and whatever the lead wrote meanwhile, or not at all. */
  readonly isVerbatim: boolean
  readonly body: string
  /** What the last look before a send found. */
  readonly block: SendBlock | undefined
  readonly isLineLive: boolean
  readonly isLeadFinished: boolean
  /** The lead wrote in the last 24 hours. */
  readonly isWindowOpen: boolean
  /** The lead wrote after this message was written. */
  readonly hasRepliedSince: boolean
  readonly allowsOpenings: boolean
  /** The state of the message that this one comes after, if any. */
  readonly leader: MessageState | undefined
}

export type SendDecision =
  | { readonly _tag: "Send"; readonly as: "text" | "opening" | "media" }
  /** Nothing changes: whatever settles the message before it queues this one again. */
  | { readonly _tag: "Wait" }
  | { readonly _tag: "Withhold"; readonly status: "cancelled" | "failed"; readonly reason: string }

const cancel = (reason: string): SendDecision => ({ _tag: "Withhold", status: "cancelled", reason })
const fail = (reason: string): SendDecision => ({ _tag: "Withhold", status: "failed", reason })

const isUnsettled = (state: MessageState): boolean => state === "queued" || state === "sending" || state === "unknown"
const hasLeft = (state: MessageState): boolean => state === "sent" || state === "delivered" || state === "read"

/**
 * How a queued message goes out. Within the service window as it is; outside of it what the platform wrote becomes a
 * paid opening, where the account allows these, and what the owner wrote does not go.
 */
export const decide = (facts: SendFacts): SendDecision => {
  const isOwners = facts.messageType === "user_written"
  if (facts.block !== undefined) return cancel(facts.block)
  if (isOwners && facts.isLeadFinished) return cancel("lead_finished")
  if (facts.leader !== undefined && isUnsettled(facts.leader)) return { _tag: "Wait" }
  if (facts.leader !== undefined && !hasLeft(facts.leader)) return cancel("text_not_sent")
  if (!facts.isLineLive) return fail("chatapp_line_not_live")
  const isUnasked = facts.messageType === "first_contact" || facts.messageType === "follow_up"
  if (isUnasked && facts.hasRepliedSince && !facts.isVerbatim) return cancel("lead_replied")
  if (facts.isWindowOpen) return { _tag: "Send", as: facts.kind === "media" ? "media" : "text" }
  if (isOwners || facts.kind === "media") return fail("service_window_closed")
  if (facts.isVerbatim && !fitsOpening(facts.body)) return cancel("service_window_closed")
  return facts.allowsOpenings ? { _tag: "Send", as: "opening" } : cancel("template_messages_off")
}

/** What the provider says became of a message. */
export type ProviderState = "sent" | "delivered" | "read" | "failed"

const rank: { readonly [S in MessageState]: number } = {
  queued: 0,
  sending: 0,
  unknown: 0,
  sent: 1,
  failed: 2,
  delivered: 3,
  read: 4,
  cancelled: 9,
  received: 9
}

/**
 * The state after the provider's word, which may come late, twice and out of order: never backwards. A message that
 * arrived did not fail, whichever of the two was heard of first.
 */
export const nextState = (current: MessageState, heard: ProviderState): MessageState => {
  // The failure of an earlier attempt, which is why the message waits for the next one.
  if (current === "queued" && heard === "failed") return current
  return rank[heard] > rank[current] ? heard : current
}

/** Whether the message was not known to have left, and now is. */
export const leftJustNow = (before: MessageState, after: MessageState): boolean => isUnsettled(before) && hasLeft(after)

/** The text on one line, as the places of a template take it. */
const onOneLine = (body: string): string => body.replace(/\s+/g, " ").trim()

/** Whether an opening can say all of the text. */
export const fitsOpening = (body: string): boolean => onOneLine(body).length <= longestOpening

/** The text on one line, cut at a word where it is too long. */
export const openingText = (body: string): string => {
  const line = onOneLine(body)
  if (line.length <= longestOpening) return line
  const head = line.slice(0, longestOpening - 1)
  const sentence = Math.max(head.lastIndexOf(". "), head.lastIndexOf("? "), head.lastIndexOf("! "))
  if (sentence > longestOpening / 2) return head.slice(0, sentence + 1)
  return `${head.slice(0, Math.max(head.lastIndexOf(" "), longestOpening / 2)).replace(/[\ud800-\udbff]$/, "")}…`
}

/**
 * The ways in which the person whom the messaging app names by `waId` (digits, no plus) may be written in E.164. It
 * leaves the ninth digit out of older Brazilian numbers, and keeps a 1 in Mexican ones.
 */
export const phoneSpellings = (waId: string): ReadonlyArray<string> => {
  const spellings = [`+${waId}`]
  const brazilian = /^55([1-9]\d)(9?)([6-9]\d{7})$/.exec(waId)
  if (brazilian !== null) spellings.push(`+55${brazilian[1]}${brazilian[2] === "9" ? "" : "9"}${brazilian[3]}`)
  const mexican = /^52(1?)(\d{10})$/.exec(waId)
  if (mexican !== null) spellings.push(`+52${mexican[1] === "1" ? "" : "1"}${mexican[2]}`)
  return spellings
}

/** Simulated lines are told by their ids, which no provider gives out. */
export const sandboxLinePrefix = "sandbox-"

/**
 * Whether a line is one of the provider's that is set up now: a simulated one is none to a real provider, nor the other
 * way round.
 */
export const isLineOfMode = (mode: ServiceMode, lineId: string): boolean =>
  lineId.startsWith(sandboxLinePrefix) === (mode === "sandbox")
