import type { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import type { SendBlock } from "../Outreach/SendGuard.ts"

/** Hours after a person's last message in which free messages to them are allowed. */
export const serviceWindowHours = 24

/** The provider's limits for a message, and for the gateway's part of an opening. */
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

/** The facts that decide how a queued message is sent, read in the transaction that begins the send. */
export interface SendFacts {
  readonly kind: "text" | "template" | "media"
  readonly messageType: string | null
  /** The owner's message, which is sent complete or not at all, even if the lead wrote in the meantime. */
  readonly isVerbatim: boolean
  readonly body: string
  /** The result of the last check before sending. */
  readonly block: SendBlock | undefined
  readonly isLineLive: boolean
  readonly isLeadFinished: boolean
  /** The lead wrote within the last 24 hours. */
  readonly isWindowOpen: boolean
  /** The lead wrote after this message was written. */
  readonly hasRepliedSince: boolean
  readonly allowsOpenings: boolean
  /** The state of the message that this one follows, if there is one. */
  readonly leader: MessageState | undefined
}

export type SendDecision =
  | { readonly _tag: "Send"; readonly as: "text" | "opening" | "media" }
  /** Nothing changes. Once the message before it is settled, this one is queued again. */
  | { readonly _tag: "Wait" }
  | { readonly _tag: "Withhold"; readonly status: "cancelled" | "failed"; readonly reason: string }

const cancel = (reason: string): SendDecision => ({ _tag: "Withhold", status: "cancelled", reason })
const fail = (reason: string): SendDecision => ({ _tag: "Withhold", status: "failed", reason })

const isUnsettled = (state: MessageState): boolean => state === "queued" || state === "sending" || state === "unknown"
const hasLeft = (state: MessageState): boolean => state === "sent" || state === "delivered" || state === "read"

/**
 * How to send a queued message. Within the service window, it is sent unchanged. Outside of it, the platform's message
 * becomes a paid opening if the account allows that, and the owner's message is not sent.
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

/** The states of a message that the provider reports. */
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
 * The state after a report of the provider. Reports may be late, repeated or out of order, but states never go
 * backwards. A message that arrived stays delivered, even if a failure was reported first.
 */
export const nextState = (current: MessageState, reported: ProviderState): MessageState => {
  // This is the failure of an earlier attempt, which is why the message is queued again.
  if (current === "queued" && reported === "failed") return current
  return rank[reported] > rank[current] ? reported : current
}

/** Whether this report is the first to confirm that the message was sent. */
export const isFirstSentReport = (before: MessageState, after: MessageState): boolean =>
  isUnsettled(before) && hasLeft(after)

/** The text on one line, as templates require. */
const onOneLine = (body: string): string => body.replace(/\s+/g, " ").trim()

/** Whether the complete text fits into an opening. */
export const fitsOpening = (body: string): boolean => onOneLine(body).length <= longestOpening

/** The text on one line, cut at a word if it is too long. */
export const openingText = (body: string): string => {
  const line = onOneLine(body)
  if (line.length <= longestOpening) return line
  const head = line.slice(0, longestOpening - 1)
  const sentence = Math.max(head.lastIndexOf(". "), head.lastIndexOf("? "), head.lastIndexOf("! "))
  if (sentence > longestOpening / 2) return head.slice(0, sentence + 1)
  return `${head.slice(0, Math.max(head.lastIndexOf(" "), longestOpening / 2)).replace(/[\ud800-\udbff]$/, "")}…`
}

/**
 * The possible E.164 numbers of a person whom the messaging app calls `waId` (digits without a plus). The app drops the
 * ninth digit of older Brazilian numbers and keeps a 1 in Mexican ones.
 */
export const phoneSpellings = (waId: string): ReadonlyArray<string> => {
  const spellings = [`+${waId}`]
  const brazilian = /^55([1-9]\d)(9?)([6-9]\d{7})$/.exec(waId)
  if (brazilian !== null) spellings.push(`+55${brazilian[1]}${brazilian[2] === "9" ? "" : "9"}${brazilian[3]}`)
  const mexican = /^52(1?)(\d{10})$/.exec(waId)
  if (mexican !== null) spellings.push(`+52${mexican[1] === "1" ? "" : "1"}${mexican[2]}`)
  return spellings
}

/** The prefix of simulated lines' ids. Real providers do not use it. */
export const sandboxLinePrefix = "sandbox-"

/**
 * Whether a line belongs to the provider in use. Simulated lines do not exist at a real provider, and real lines do not
 * exist in the simulation.
 */
export const isLineOfMode = (mode: ServiceMode, lineId: string): boolean =>
  lineId.startsWith(sandboxLinePrefix) === (mode === "sandbox")
