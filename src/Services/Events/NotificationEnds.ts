import type { AccountNewsKind } from "./AccountNews.ts"
import type { OwnerNewsKind } from "./OwnerNotices.ts"

/** Declared here to avoid a circular import of the sender domains room. */
type DomainNewsKind = "sender_domain_verified" | "sender_domain_lapsed" | "sender_domain_paused"

/** The ways in which a notification counts as processed. */
export type NotificationEnd =
  | "question_answered"
  | "review_decided"
  | "meeting_accepted"
  | "meeting_time_changed"
  | "meeting_begun"
  | "reply_answered"
  | "contact_corrected"
  | "check_in_answered"
  | "webhook_enabled"
  | "connected_again"
  | "calendar_connected"
  | "ads_funded"
  | "ads_released"
  | "leads_found"
  | "model_answers"
  | "domain_verified"
  | "domain_resumed"
  /** It needs no action: it was delivered to the owner by e-mail, or is old. */
  | "delivered"

/** The kind of a notification about an e-mail that the owner asked to be notified of. */
export const receivedEmail = "email_received"

/** How notifications of each kind end. */
export const notificationEnds: {
  readonly [K in OwnerNewsKind | AccountNewsKind | DomainNewsKind | typeof receivedEmail]: NotificationEnd
} = {
  lead_became_interested: "delivered",
  lead_confirmed: "delivered",
  lead_unsubscribed: "delivered",
  held_lead_replied: "reply_answered",
  lead_question: "question_answered",
  lead_objected: "question_answered",
  lead_wants_document: "question_answered",
  lead_called_off_meeting: "delivered",
  lead_moved_meeting: "meeting_accepted",
  lead_wants_other_time: "meeting_time_changed",
  lead_sent_for_human_review: "review_decided",
  lead_unreachable: "contact_corrected",
  lead_check_in: "check_in_answered",
  lead_mail_unauthenticated: "delivered",
  meeting_booked: "meeting_accepted",
  meeting_reminder: "meeting_begun",
  first_chatapp_message: "delivered",
  instructions_not_followed: "delivered",
  import_finished: "delivered",
  lead_export_finished: "delivered",
  leads_rescheduled: "delivered",
  campaign_archived: "delivered",
  webhook_subscription_disabled: "webhook_enabled",
  support_request_answered: "delivered",
  language_model_unavailable: "model_answers",
  lead_generation_found_nothing: "leads_found",
  lead_generation_exhausted: "leads_found",
  connection_lost: "connected_again",
  calendar_missing: "calendar_connected",
  website_form_sent: "delivered",
  website_storage_full: "delivered",
  ads_campaign_live: "delivered",
  ads_campaign_depleted: "ads_funded",
  ads_campaign_held: "ads_released",
  voice_call_finished: "delivered",
  sender_domain_verified: "delivered",
  sender_domain_lapsed: "domain_verified",
  sender_domain_paused: "domain_resumed",
  [receivedEmail]: "delivered"
}

/** The kinds that end this way. */
export const kindsWithEnd = (end: NotificationEnd): ReadonlyArray<string> =>
  Object.entries(notificationEnds).flatMap(([kind, kindEnd]) => (kindEnd === end ? [kind] : []))

/** Days after which a notification that needs no action is processed, if no e-mail delivered it. */
export const daysUntilDelivered = 14
