import { Schema } from "effect"
import { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { JobId } from "../Jobs/Ids.ts"

/** The business categories in the messaging app's profile. */
export const chatAppVerticals = [
  "OTHER",
  "AUTO",
  "BEAUTY",
  "APPAREL",
  "EDU",
  "ENTERTAIN",
  "EVENT_PLAN",
  "FINANCE",
  "GROCERY",
  "GOVT",
  "HOTEL",
  "HEALTH",
  "NONPROFIT",
  "PROF_SERVICES",
  "RETAIL",
  "TRAVEL",
  "RESTAURANT",
  "NOT_A_BIZ"
] as const

const nullableText = Schema.NullOr(Schema.String)

/** What people see in the business's profile. */
export const ChatAppProfile = Schema.Struct({
  about: nullableText,
  description: nullableText,
  address: nullableText,
  email: nullableText,
  websites: Schema.Array(Schema.String),
  vertical: nullableText,
  profile_picture_url: nullableText
})
export type ChatAppProfile = typeof ChatAppProfile.Type

export const emptyProfile: ChatAppProfile = {
  about: null,
  description: null,
  address: null,
  email: null,
  websites: [],
  vertical: null,
  profile_picture_url: null
}

/** The provider's rating of how recipients react to the number's messages. */
export const ChatAppQuality = Schema.Literal("green", "yellow", "red", "unknown")
export type ChatAppQuality = typeof ChatAppQuality.Type

/** `suspended` means that the line is set up, but the provider currently blocks sending. */
export const ChatAppLineStatus = Schema.Literal(
  "not_registered",
  "provisioning",
  "pending_signup",
  "live",
  "suspended",
  "failed"
)
export type ChatAppLineStatus = typeof ChatAppLineStatus.Type

const brl = Schema.Number.annotations({ description: "In BRL." })

export const ChatAppSpend = Schema.Struct({
  today_brl: brl.annotations({ description: "Spent since midnight in the account's own time zone." }),
  month_brl: brl.annotations({ description: "Spent since the 1st of the month." }),
  daily_cap_brl: Schema.NullOr(brl).annotations({ description: "Null: no cap." }),
  monthly_cap_brl: Schema.NullOr(brl).annotations({ description: "Null: no cap." }),
  opening_price_brl: brl.annotations({ description: "What the next message that opens a conversation costs." }),
  openings_paused_until: Schema.NullOr(Timestamp).annotations({
    description:
      "Until then a cap keeps messages that open conversations back; replies go on. Null: nothing is kept back."
  })
})
export type ChatAppSpend = typeof ChatAppSpend.Type

export const ChatAppLineView = Schema.Struct({
  status: ChatAppLineStatus,
  is_ready: Schema.Boolean.annotations({ description: "Whether a message can be sent now." }),
  mode: ServiceMode.annotations({
    description: "sandbox: the line is simulated, and nothing that it does reaches anybody."
  }),
  uses_own_number: Schema.NullOr(Schema.Boolean),
  phone: nullableText.annotations({ description: "E.164." }),
  display_name: nullableText,
  quality_rating: Schema.NullOr(ChatAppQuality),
  messaging_limit: nullableText.annotations({
    description: "How many people the provider lets the line open conversations with per day, in its own words."
  }),
  profile: Schema.NullOr(ChatAppProfile),
  signup_url: nullableText.annotations({
    description: "Where the owner connects a number of his own with one click, while that is pending."
  }),
  health_issue: nullableText,
  health_fix: nullableText.annotations({ description: "What exactly resolves the health issue." }),
  failure_reason: nullableText.annotations({
    description: "Why provisioning failed; register_chatapp_line tries again."
  }),
  allows_template_messages: Schema.Boolean.annotations({
    description: "False: the line only answers leads who wrote in the last 24 hours."
  }),
  spend: ChatAppSpend,
  job_id: Schema.NullOr(JobId).annotations({ description: "The background job that sets the line up." }),
  refreshed_at: Schema.NullOr(Timestamp).annotations({
    description: "When the provider last told what the line is like."
  }),
  created_at: Schema.NullOr(Timestamp)
})
export type ChatAppLineView = typeof ChatAppLineView.Type

/** Whether the line existed before the call. */
export const RegisteredChatAppLine = Schema.Struct({
  created: Schema.Boolean.annotations({ description: "False where the account had a line: it is answered as it is." }),
  ...ChatAppLineView.fields
})
export type RegisteredChatAppLine = typeof RegisteredChatAppLine.Type
