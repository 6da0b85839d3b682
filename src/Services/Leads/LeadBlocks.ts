import { Schema } from "effect"
import { IneligibilityReason } from "../Accounts/AccountProfile.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import type { LeadState } from "./LeadPipeline.ts"

/** What blocks contact with a lead, in addition to its pipeline state. */
export interface ContactFacts {
  readonly hasEmail: boolean
  readonly hasPhone: boolean
  /** Mail to the address bounces permanently, or its owner reported mail as spam. */
  readonly isEmailFailed: boolean
  readonly isEmailBlacklisted: boolean
  readonly isPhoneBlacklisted: boolean
  /** The account's line is live, the number has the app, and a conversation may be opened or is open. */
  readonly isChatPossible: boolean
  readonly isVoiceOn: boolean
  /** False for a lead without a campaign. */
  readonly isCampaignPaused: boolean
  readonly isAccountProspecting: boolean
  /** Whether messages to this lead can say for which business, and who writes. */
  readonly hasBusinessName: boolean
  readonly hasSenderName: boolean
}

export const ProspectingBlock = Schema.Literal(
  "unsubscribed",
  "blacklisted",
  "email_undeliverable",
  "no_reachable_channel",
  "user_controlled",
  "finished",
  "pending_review",
  "campaign_paused",
  "account_prospecting_off",
  "account_not_eligible"
)
export type ProspectingBlock = typeof ProspectingBlock.Type

export const EligibilityReasons = Schema.Array(IneligibilityReason).annotations({
  description: "Why the lead has the block account_not_eligible: names that its messages need. Empty without the block."
})

/** Names that messages to the lead need, of its campaign or the account, and that are missing. */
export const eligibilityReasonsOf = (facts: ContactFacts): ReadonlyArray<IneligibilityReason> => [
  ...(facts.hasBusinessName ? [] : ["business_name_missing" as const]),
  ...(facts.hasSenderName ? [] : ["sender_name_missing" as const])
]

/** Why none of the lead's contacts can be used; undefined if one can. */
const channelBlockOf = (facts: ContactFacts): ProspectingBlock | undefined => {
  const hasOpenEmail = facts.hasEmail && !facts.isEmailBlacklisted
  const hasOpenPhone = facts.hasPhone && !facts.isPhoneBlacklisted
  if (hasOpenPhone && (facts.isChatPossible || facts.isVoiceOn)) return undefined
  if (hasOpenEmail && !facts.isEmailFailed) return undefined
  if ((facts.hasEmail || facts.hasPhone) && !hasOpenEmail && !hasOpenPhone) return "blacklisted"
  return facts.hasEmail && facts.isEmailFailed ? "email_undeliverable" : "no_reachable_channel"
}

/**
 * Everything except a pause and waiting that stops the platform from contacting the lead. A lead is `blacklisted` only
 * if all of its contacts are, because one blocked address leaves the other channel open. The same applies to an address
 * that bounces. A phone is a channel only while the account has a live line or calls.
 */
export const blocksOf = (
  state: Pick<LeadState, "pipeline" | "isUnsubscribed">,
  facts: ContactFacts
): ReadonlyArray<ProspectingBlock> => {
  const { pipeline } = state
  const channelBlock = channelBlockOf(facts)
  const isOutside = pipeline === "user_controlled" || pipeline === "finished" || pipeline === "pending_review"
  return [
    ...(state.isUnsubscribed ? ["unsubscribed" as const] : []),
    ...(channelBlock === undefined ? [] : [channelBlock]),
    ...(isOutside ? [pipeline] : []),
    ...(facts.isCampaignPaused ? ["campaign_paused" as const] : []),
    ...(facts.isAccountProspecting ? [] : ["account_prospecting_off" as const]),
    ...(eligibilityReasonsOf(facts).length > 0 ? ["account_not_eligible" as const] : [])
  ]
}

export const WaitReason = Schema.Literal(
  "next_touch",
  "date_of_owner",
  "lead_is_absent",
  "lead_asked_for_later",
  "send_window",
  "public_holiday",
  "language_model",
  "spending_cap",
  "reply_of_lead",
  "passive_mode"
)
export type WaitReason = typeof WaitReason.Type

export const Waiting = Schema.Struct({
  reason: WaitReason,
  until: Schema.NullOr(Timestamp).annotations({ description: "Null: until what is waited for happens." })
})
export type Waiting = typeof Waiting.Type

export const WaitingFor = Schema.Array(Waiting).annotations({
  description:
    "Why a lead in the pipeline is not contacted now, though nothing blocks contact. next_touch: the pause between two messages. reply_of_lead: all messages went unanswered. passive_mode: the account only answers leads that write. Empty: a message is being written or is due."
})

/** What decides what a lead in the pipeline waits for. */
export interface WaitingFacts {
  readonly now: Timestamp
  readonly next_touch_at: Timestamp | null
  /** Whether the owner set that time. */
  readonly is_date_of_owner: boolean
  /** Whether a reply of the lead, or its notice of absence, set that time. */
  readonly is_date_of_reply: boolean
  /** Whether a message or call to the lead is being written or is about to leave. */
  readonly is_touch_open: boolean
  /** Why the latest touch was skipped; null if it was not. */
  readonly skip_reason: string | null
  /** How the last message was read, if it is the lead's. */
  readonly unanswered_kind: string | null
  readonly has_written: boolean
  readonly is_passive: boolean
  /** Until when a spending cap holds a message on the messaging app. */
  readonly held_until: Timestamp | null
}

const reasonOfSkip: { readonly [reason: string]: WaitReason } = {
  outside_send_window: "send_window",
  public_holiday: "public_holiday",
  language_model_unavailable: "language_model",
  // A lead with no channel at all has a block instead.
  no_open_channel: "spending_cap"
}

const reasonOf = (facts: WaitingFacts): WaitReason => {
  if (facts.is_date_of_owner) return "date_of_owner"
  if (facts.unanswered_kind === "later") return "lead_asked_for_later"
  // A notice of absence is no message of the lead's.
  if (facts.is_date_of_reply && facts.unanswered_kind === null) return "lead_is_absent"
  return reasonOfSkip[facts.skip_reason ?? ""] ?? "next_touch"
}

/** What a lead waits for at `now`. Nothing if it is paused or has blocks, because these say why it is not contacted. */
export const waitingFor = (
  state: Pick<LeadState, "pipeline" | "isPaused">,
  blocks: ReadonlyArray<ProspectingBlock>,
  facts: WaitingFacts
): ReadonlyArray<Waiting> => {
  const { now } = facts
  if (state.pipeline !== "in_pipeline" || state.isPaused || blocks.length > 0) return []
  if (facts.held_until !== null) return [{ reason: "spending_cap", until: facts.held_until }]
  if (facts.is_touch_open) return []
  if (facts.next_touch_at === null) return [{ reason: "reply_of_lead", until: null }]
  if (facts.is_passive && !facts.has_written) return [{ reason: "passive_mode", until: null }]
  return facts.next_touch_at > now ? [{ reason: reasonOf(facts), until: facts.next_touch_at }] : []
}
