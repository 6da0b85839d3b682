import { Schema } from "effect"
import type { OutgoingRow } from "../../../src/Layers/Mail/Outbox/OutgoingMailRows.ts"
import type { VoiceCallRow } from "../../../src/Layers/Voice/Calls/VoiceCallRows.ts"
import { AccountId, Plan } from "../../../src/Services/Accounts/Ids.ts"
import { CampaignId } from "../../../src/Services/Campaigns/Ids.ts"
import { Timestamp } from "../../../src/Services/Core/Timestamp.ts"
import { CustomerFileView } from "../../../src/Services/Files/CustomerFiles.ts"
import { LeadId, LeadStatus } from "../../../src/Services/Leads/Ids.ts"
import { MeetingId } from "../../../src/Services/Meetings/Ids.ts"
import { OutreachChannel } from "../../../src/Services/Outreach/Ids.ts"
import type { TouchFacts } from "../../../src/Services/Outreach/TouchFacts.ts"
import { TouchId } from "../../../src/Services/Outreach/TouchLedger.ts"
import { SenderDomainId } from "../../../src/Services/SenderDomains/Ids.ts"
import { Language } from "../../../src/Services/Text/Language.ts"
import { CallReference, VoiceProvider } from "../../../src/Services/Voice/Voice.ts"
import {
  StagedCall,
  VoiceCallKind,
  VoiceCallRequestId,
  VoiceCallStatus
} from "../../../src/Services/Voice/VoiceCalls.ts"

const text = Schema.NullOr(Schema.String)
const number = Schema.NullOr(Schema.Number)

export const OutgoingMailRow = Schema.Struct({
  email_message_id: Schema.Int,
  lead_id: Schema.NullOr(LeadId),
  touch_id: Schema.NullOr(TouchId),
  message_type: text,
  status: Schema.String,
  message_id: Schema.String,
  from_address: Schema.String,
  sender_domain_id: Schema.NullOr(SenderDomainId),
  to_address: Schema.String,
  subject: Schema.String,
  body_text: Schema.String,
  in_reply_to: text,
  thread_references: Schema.Array(Schema.String),
  invitation: text,
  attachments: Schema.Array(CustomerFileView.pick("customer_file_id", "file_name", "media_type", "size_bytes")),
  is_handed_over: Schema.Boolean,
  handed_over_for: number,
  sending_claim: text,
  is_address_suppressed: Schema.Boolean,
  is_to_stranger: Schema.Boolean,
  handle: Schema.String,
  mail_key: Schema.Uint8ArrayFromSelf,
  plan: Plan,
  account_email: text,
  language_key: Schema.String,
  sender_name: Schema.String,
  other_names: Schema.Array(Schema.String),
  email_signature: text,
  owner_copy_to: text,
  lead_name: text,
  lead_status: Schema.NullOr(LeadStatus),
  lead_language: Schema.NullOr(Language),
  country: text,
  state: text,
  phone: text
})

export const VoiceCallRowSchema = Schema.Struct({
  accountId: AccountId,
  voiceCallRequestId: VoiceCallRequestId,
  leadId: Schema.NullOr(LeadId),
  touchId: Schema.NullOr(TouchId),
  kind: Schema.Literal(...VoiceCallKind.literals, "simulation"),
  staged: Schema.NullOr(StagedCall),
  phone: Schema.String,
  openingLine: text,
  goal: Schema.String,
  context: text,
  status: VoiceCallStatus,
  dialRequest: Schema.NullOr(Schema.Literal("begun", "refused", "placed")),
  failureReason: text,
  reference: CallReference,
  provider: Schema.NullOr(VoiceProvider),
  providerCallId: text,
  spokenText: text,
  waitedSeconds: Schema.Number,
  dialedSeconds: number,
  begunAt: Schema.NullOr(Timestamp),
  begunSeconds: number,
  plan: Plan,
  accountName: Schema.String,
  languageKey: Schema.String,
  leadName: text,
  leadCompany: text,
  leadLanguage: Schema.NullOr(Language),
  leadCountry: text,
  leadState: text,
  leadPhone: text,
  leadTimeZone: text,
  accountTimeZone: Schema.String,
  campaignId: Schema.NullOr(CampaignId)
})

const KnownAnswer = Schema.Struct({
  question: Schema.String,
  answer: Schema.String,
  answerId: Schema.optionalWith(Schema.Number, { exact: true })
})

const PastMessage = Schema.Struct({
  direction: Schema.Literal("outbound", "inbound"),
  channel: OutreachChannel,
  at: Timestamp,
  text: Schema.String,
  isAutomatic: Schema.optionalWith(Schema.Boolean, { exact: true })
})

export const TouchFactsRow = Schema.Struct({
  touch_number: Schema.Int,
  name: Schema.String,
  email: text,
  phone: text,
  company: text,
  job_title: text,
  industry: text,
  cnae: text,
  city: text,
  state: text,
  country: text,
  website: text,
  background: text,
  goal: text,
  instructions: text,
  first_message_instructions: text,
  next_touch_instructions: text,
  owner_context: text,
  language: text,
  time_zone: text,
  preferred_channel: Schema.NullOr(Schema.Literal("Email", "ChatApp")),
  campaign_id: Schema.NullOr(CampaignId),
  referred_by: text,
  is_holding_line: Schema.Boolean,
  status: LeadStatus,
  is_in_review: Schema.Boolean,
  origin: Schema.Literal("referred", "captured", "imported", "company_register", "company_directory", "crm", "added"),
  capture: Schema.NullOr(
    Schema.Struct({
      page: Schema.String,
      said: text,
      utm_campaign: text,
      captured_at: Timestamp,
      is_unanswered: Schema.Boolean
    })
  ),
  is_contacted: Schema.Boolean,
  can_email: Schema.Boolean,
  can_phone: Schema.Boolean,
  is_chat_failed: Schema.Boolean,
  live_line_id: text,
  is_chat_window_open: Schema.Boolean,
  plan: Plan,
  account_name: Schema.String,
  mail_display_name: text,
  account_language: Schema.String,
  account_time_zone: Schema.String,
  handle: Schema.String,
  reply: Schema.NullOr(
    Schema.Struct({ channel: OutreachChannel, at: Timestamp, text: Schema.String, classification: Schema.Unknown })
  ),
  unanswered: Schema.Array(Schema.String),
  unanswered_besides: Schema.Array(Schema.String),
  thread_subject: text,
  thread_message_id: text,
  thread_references: Schema.NullOr(Schema.Array(Schema.String)),
  answer: Schema.NullOr(Schema.Struct({ answer_id: Schema.Number, question: Schema.String, answer: Schema.String })),
  cancelled_meeting: Schema.NullOr(Schema.Struct({ meeting_id: MeetingId, starts_at: Timestamp, reason: text })),
  notice: Schema.NullOr(
    Schema.Struct({
      kind: Schema.Literal("meeting_booked", "meeting_reminder"),
      starts_at: Timestamp,
      join_url: text,
      ends_at: Timestamp,
      is_in_calendar: Schema.Boolean,
      is_moved: Schema.Boolean
    })
  ),
  reusable_answers: Schema.Array(KnownAnswer),
  conversation: Schema.Array(PastMessage),
  is_model_out: Schema.Boolean,
  now: Timestamp
})

/** Fails to compile if a schema differs from the product's type of the row. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : never) : never

type ReadTouchFacts = Omit<TouchFacts, "is_line_live" | "free_times"> & { readonly live_line_id: string | null }

export const areTheProductsTypes: readonly [
  Same<typeof OutgoingMailRow.Type, OutgoingRow>,
  Same<typeof VoiceCallRowSchema.Type, VoiceCallRow>,
  Same<typeof TouchFactsRow.Type, ReadTouchFacts>
] = [true, true, true]
