import { Schema } from "effect"
import { CampaignId } from "../Campaigns/Ids.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { HeldCalendarEvent } from "./CalendarOfLead.ts"
import { LeadEmail } from "./Email/LeadEmail.ts"
import { Channel, LeadId, LeadStatus, PipelineState } from "./Ids.ts"
import { EligibilityReasons, ProspectingBlock, WaitingFor } from "./LeadBlocks.ts"
import { FillableField, UnfilledField } from "./LeadCompletion.ts"
import { FinalOutcome } from "./LeadPipeline.ts"

/** Callers cannot assign `Frozen`; only the platform sets it. */
export const AssignableLeadStatus = LeadStatus.pipe(
  Schema.pickLiteral(
    "Pending",
    "Cold",
    "Confirmed",
    "Aware",
    "NotInterested",
    "Interested",
    "Closed",
    "Unqualified",
    "Rejected",
    "Gatekeeper"
  )
)
export type AssignableLeadStatus = typeof AssignableLeadStatus.Type
const blockFields = {
  blocks: Schema.Array(ProspectingBlock).annotations({
    description:
      "What blocks contact with the lead, apart from a pause. Empty: nothing. no_reachable_channel: no contact, or only a phone without a live messaging line and without calls. email_undeliverable: mail bounces and no phone is open."
  }),
  eligibility_reasons: EligibilityReasons
}

const contactFields = {
  lead_id: LeadId,
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  phone: Schema.NullOr(Schema.String).annotations({ description: "E.164: a plus and up to 15 digits." }),
  company: Schema.NullOr(Schema.String)
}

/** The latest messages, as lists and the profile show them. */
const lastMessageFields = {
  last_reply_at: Schema.NullOr(Timestamp).annotations({
    description: "When the lead last answered by itself: absence notices and other automatic mail do not count."
  }),
  last_reply_class: Schema.NullOr(Schema.String).annotations({
    description: "How that answer was read, for example interested, question, not_interested or unsubscribe."
  }),
  last_message_direction: Schema.NullOr(Schema.Literal("outbound", "inbound")).annotations({
    description: "Who spoke last: outbound is the account, inbound the lead."
  }),
  last_message_channel: Schema.NullOr(Schema.Literal("email", "chatapp", "voice")),
  last_message_kind: Schema.NullOr(Schema.String).annotations({
    description:
      "The kind of the last message: the type of ours, for example first_contact, follow_up, response or user_written, or how the lead's was read."
  })
}

/** A lead as lists show it. */
export const LeadSummary = Schema.Struct({
  ...contactFields,
  status: LeadStatus,
  pipeline_state: PipelineState,
  is_paused: Schema.Boolean,
  campaign_id: Schema.NullOr(CampaignId),
  campaign: Schema.NullOr(Schema.String).annotations({ description: "The campaign's name." }),
  linkedin_url: Schema.NullOr(Schema.String),
  last_outbound_at: Schema.NullOr(Timestamp).annotations({
    description: "When the lead was last messaged or called."
  }),
  last_inbound_at: Schema.NullOr(Timestamp).annotations({ description: "When the lead last wrote." }),
  final_outcome: Schema.NullOr(FinalOutcome),
  ...lastMessageFields,
  next_touch_at: Schema.NullOr(Timestamp),
  created_at: Timestamp
})
export type LeadSummary = typeof LeadSummary.Type

export const LeadAwaitingReview = Schema.Struct({
  ...contactFields,
  status: LeadStatus,
  campaign_id: Schema.NullOr(CampaignId),
  campaign: Schema.NullOr(Schema.String),
  review_requested_at: Timestamp,
  review_reason: Schema.NullOr(Schema.String),
  last_inbound_at: Schema.NullOr(Timestamp)
})
export type LeadAwaitingReview = typeof LeadAwaitingReview.Type

export const PausedLead = Schema.Struct({
  ...contactFields,
  status: LeadStatus,
  pipeline_state: PipelineState,
  paused_at: Timestamp,
  pause_reason: Schema.NullOr(Schema.String)
})
export type PausedLead = typeof PausedLead.Type

/** A lead's state in the pipeline, as the operations on it return it. */
export const LeadPipelineView = Schema.Struct({
  lead_id: LeadId,
  changed: Schema.Boolean.annotations({
    description: "Whether the lead or its history differs from before. False if everything was so already."
  }),
  status: LeadStatus,
  pipeline_state: PipelineState,
  is_paused: Schema.Boolean,
  paused_at: Schema.NullOr(Timestamp),
  pause_reason: Schema.NullOr(Schema.String),
  final_outcome: Schema.NullOr(FinalOutcome),
  next_touch_at: Schema.NullOr(Timestamp),
  next_touch_instructions: Schema.NullOr(Schema.String),
  ...blockFields,
  waiting_for: WaitingFor
})
export type LeadPipelineView = typeof LeadPipelineView.Type

/** Where a lead submitted its contact. */
export const LeadSource = Schema.Struct({
  website_id: Schema.Int.annotations({ description: "Of list_lead_capture_pages: the lead-capture page." }),
  page: Schema.String.annotations({ description: "The page's title." }),
  url: Schema.String,
  variant: Schema.String.annotations({ description: "Which variant of the page it saw, such as a." }),
  utm_source: Schema.NullOr(Schema.String),
  utm_medium: Schema.NullOr(Schema.String),
  utm_campaign: Schema.NullOr(Schema.String),
  utm_term: Schema.NullOr(Schema.String),
  utm_content: Schema.NullOr(Schema.String),
  referrer: Schema.NullOr(Schema.String).annotations({ description: "The site before, without its query." }),
  said: Schema.NullOr(Schema.String).annotations({ description: "What else it filled in." }),
  marketing_consent: Schema.Boolean.annotations({ description: "Whether it agreed to news and offers." }),
  captured_at: Timestamp,
  capture_count: Schema.Int.annotations({
    description: "How often it left its contact; the other fields are of the latest time."
  })
})
export type LeadSource = typeof LeadSource.Type

/** Everything about one lead. */
export const LeadProfile = Schema.Struct({
  ...contactFields,
  job_title: Schema.NullOr(Schema.String),
  website: Schema.NullOr(Schema.String),
  city: Schema.NullOr(Schema.String),
  state: Schema.NullOr(Schema.String),
  country: Schema.NullOr(Schema.String),
  cnae: Schema.NullOr(Schema.String).annotations({ description: "The company's CNAE code (Brazil)." }),
  industry: Schema.NullOr(Schema.String),
  linkedin_url: Schema.NullOr(Schema.String),
  status: LeadStatus,
  goal: Schema.NullOr(Schema.String),
  background: Schema.NullOr(Schema.String),
  campaign_id: Schema.NullOr(CampaignId),
  campaign: Schema.NullOr(Schema.String).annotations({ description: "The campaign's name." }),
  pipeline_state: PipelineState,
  is_paused: Schema.Boolean,
  paused_at: Schema.NullOr(Timestamp),
  pause_reason: Schema.NullOr(Schema.String),
  review_requested_at: Schema.NullOr(Timestamp),
  review_reason: Schema.NullOr(Schema.String),
  unsubscribed_at: Schema.NullOr(Timestamp),
  final_outcome: Schema.NullOr(FinalOutcome),
  preferred_channel: Schema.NullOr(Channel),
  next_touch_at: Schema.NullOr(Timestamp),
  next_touch_instructions: Schema.NullOr(Schema.String),
  ...blockFields,
  waiting_for: WaitingFor,
  last_outbound_at: Schema.NullOr(Timestamp),
  last_inbound_at: Schema.NullOr(Timestamp),
  ...lastMessageFields,
  email_failed_at: Schema.NullOr(Timestamp).annotations({
    description: "Since when mail to the lead's address bounces permanently; nothing more is sent there."
  }),
  created_at: Timestamp,
  referred_by_lead_id: Schema.NullOr(LeadId).annotations({ description: "The lead that named this one." }),
  referred_by: Schema.NullOr(Schema.String).annotations({ description: "That lead's name." }),
  language: Schema.Literal("pt-BR", "en", "es").annotations({
    description: "The language of messages to the lead: the one it writes, else its country's, else the account's."
  }),
  time_zone: Schema.String.annotations({
    description: "The lead's time zone (IANA name), by its place and phone, else the account's."
  }),
  source: Schema.NullOr(LeadSource).annotations({
    description: "The lead-capture page on which it left its contact; null if it came another way."
  }),
  emails: Schema.Array(LeadEmail).annotations({
    description: "The latest 50 e-mails of each direction, oldest first."
  }),
  chatapp_outbound_count: Schema.Int,
  chatapp_inbound_count: Schema.Int,
  voice_call_count: Schema.Int
})
export type LeadProfile = typeof LeadProfile.Type

export const RegisteredLead = Schema.Struct({
  lead_id: LeadId,
  created: Schema.Boolean.annotations({
    description: "False if a lead with this e-mail address or phone number existed; only its empty fields are filled."
  }),
  status: LeadStatus,
  pipeline_state: PipelineState,
  ...blockFields,
  filled: Schema.Array(FillableField).annotations({
    description: "Fields of an existing lead that were empty and now have the given value."
  }),
  not_filled: Schema.Array(UnfilledField).annotations({
    description: "Given values that an existing lead did not get, and why."
  })
})
export type RegisteredLead = typeof RegisteredLead.Type

export const UpdatedLead = Schema.Struct({
  lead_id: LeadId,
  status: LeadStatus,
  goal: Schema.NullOr(Schema.String),
  background: Schema.NullOr(Schema.String),
  pipeline_state: PipelineState,
  is_paused: Schema.Boolean
})
export type UpdatedLead = typeof UpdatedLead.Type

export const ErasedLead = Schema.Struct({
  lead_id: LeadId,
  erased_at: Timestamp,
  tombstones: Schema.Int.annotations({
    description: "Contacts of the person that can no longer be registered: e-mail address and phone number."
  }),
  cancelled_calendar_events: Schema.Int.annotations({
    description: "Events of meetings to come. They are being deleted in the calendar, and attendees are notified."
  }),
  remaining_calendar_events: Schema.Array(HeldCalendarEvent).annotations({
    description: "Events about the person that a calendar or the scheduling tool still has. Delete them there."
  })
})
export type ErasedLead = typeof ErasedLead.Type
