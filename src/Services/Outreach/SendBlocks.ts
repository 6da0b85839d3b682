import type { PipelineState } from "../Leads/Ids.ts"
import type { SendBlock } from "./SendGuard.ts"

/** The state of a lead and its message at the last check before sending. */
export interface SendFacts {
  readonly pipeline_state: PipelineState
  readonly is_paused: boolean
  readonly is_unsubscribed: boolean
  readonly has_contact: boolean
  readonly is_suppressed: boolean
  readonly is_blacklisted: boolean
  readonly is_campaign_paused: boolean
  readonly is_prospecting_active: boolean
  readonly is_notice: boolean
  /** The message announces that a person will answer. */
  readonly is_holding_line: boolean
  /** Whether an answer or a passage that the message relies on no longer exists. */
  readonly is_knowledge_changed: boolean
  readonly notice_block: "meeting_cancelled" | "meeting_over" | "meeting_moved" | "user_controlled" | null
}

/**
 * What blocks a meeting notice. Being under the account's control because of the meeting does not block it. A lead that
 * has left the pipeline gets no notice.
 */
const noticeBlockOf = (facts: SendFacts): SendBlock | undefined => {
  if (facts.notice_block !== null) return facts.notice_block
  if (facts.pipeline_state !== "user_controlled" && facts.pipeline_state !== "in_pipeline") return facts.pipeline_state
  return facts.is_paused ? "paused" : undefined
}

/** Returns what blocks a message, or undefined if it may be sent. */
export const sendBlockOf = (facts: SendFacts, isAutonomous: boolean): SendBlock | undefined => {
  if (facts.is_unsubscribed) return "unsubscribed"
  if (facts.is_suppressed) return "suppressed"
  if (facts.is_blacklisted) return "blacklisted"
  if (!facts.has_contact) return "no_contact"
  if (!isAutonomous) return undefined
  if (facts.is_notice) return noticeBlockOf(facts)
  if (facts.is_holding_line) {
    if (facts.pipeline_state !== "pending_review") return "review_decided"
    return facts.is_paused ? "paused" : undefined
  }
  if (!facts.is_prospecting_active) return "account_prospecting_off"
  if (facts.is_campaign_paused) return "campaign_paused"
  if (facts.pipeline_state !== "in_pipeline") return facts.pipeline_state
  if (facts.is_paused) return "paused"
  return facts.is_knowledge_changed ? "knowledge_changed" : undefined
}
