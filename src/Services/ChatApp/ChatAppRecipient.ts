import { type Refused, refused } from "../../Errors.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { LeadId, PipelineState } from "../Leads/Ids.ts"

/** The recipient of an owner's message on the messaging app. */
export interface ChatAppRecipient {
  readonly phone: string | null
  readonly pipelineState: PipelineState
  readonly isUnsubscribed: boolean
  readonly isBlacklisted: boolean
  readonly isLineLive: boolean
  /** Null if free messages may not be sent. */
  readonly windowOpenUntil: Timestamp | null
}

/** Why the lead can get no message, now or at its next touch. */
export const chatAppRefusalOf = (leadId: LeadId, lead: ChatAppRecipient): Refused | undefined => {
  const fields = { lead_id: leadId }
  if (!lead.isLineLive) {
    return refused(
      "chatapp_line_not_live",
      "The account has no live messaging-app line.",
      "Register one with register_chatapp_line, or reach the lead by e-mail.",
      fields
    )
  }
  if (lead.phone === null) {
    return refused("lead_has_no_phone", "This lead has no phone number.", "Reach it by e-mail.", fields)
  }
  if (lead.isUnsubscribed) {
    return refused(
      "lead_unsubscribed",
      "This lead asked not to be contacted any more.",
      "Nothing can be sent to it on any channel.",
      fields
    )
  }
  if (lead.isBlacklisted) {
    return refused(
      "lead_blacklisted",
      "The lead's phone number is on the blacklist.",
      "Take it off with remove_blacklisted_phone, if that is meant.",
      fields
    )
  }
  if (lead.pipelineState === "finished") {
    return refused(
      "lead_finished",
      "Prospecting of this lead is finished.",
      "Bring it back with recover_lead_to_pipeline first.",
      fields
    )
  }
  if (lead.pipelineState === "user_controlled" && lead.windowOpenUntil === null) {
    return refused(
      "service_window_closed",
      "The lead has not written on the messaging app in the last 24 hours, so no free message can be sent.",
      "Write an e-mail with send_message_to_lead instead.",
      fields
    )
  }
  return undefined
}
