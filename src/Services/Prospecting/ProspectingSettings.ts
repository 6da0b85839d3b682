import { Schema } from "effect"
import { ProspectingRules } from "./ProspectingRules.ts"
import { Targeting } from "./Targeting.ts"

/** Whether the platform contacts leads first, or only answers those who write. */
export const ProspectingMode = Schema.Literal("Active", "Passive")
export type ProspectingMode = typeof ProspectingMode.Type

export const ProspectingVoice = Schema.Literal("Male", "Female")
export type ProspectingVoice = typeof ProspectingVoice.Type

/** The rules that apply to the whole account. */
export const AccountRules = Schema.Struct({
  ...ProspectingRules.fields,
  email_signature: Schema.NullOr(Schema.String).annotations({
    description: "Ends every prospecting e-mail, exactly as written. Null: only the sender's name."
  })
})
export type AccountRules = typeof AccountRules.Type

export const ProspectingPreferences = Schema.Struct({
  mode: ProspectingMode.annotations({
    description: "Active: leads are contacted. Passive: only those who write first are answered."
  }),
  generate_presentations: Schema.Boolean,
  notification_email: Schema.NullOr(Schema.String).annotations({
    description: "Where e-mails to the account's owner go. Null: to the account's own address."
  }),
  notify_on_interested: Schema.Boolean,
  notify_on_confirmed: Schema.Boolean,
  notify_on_interested_via_email: Schema.Boolean,
  notify_on_confirmed_via_email: Schema.Boolean,
  notify_on_first_chatapp_message: Schema.Boolean,
  cc_on_interested_lead_emails: Schema.Boolean
})
export type ProspectingPreferences = typeof ProspectingPreferences.Type

export const VoiceSettings = Schema.Struct({
  voice_calling_active: Schema.Boolean.annotations({
    description: "Whether the platform calls leads by phone, unless their campaign says otherwise."
  }),
  prospecting_voice: ProspectingVoice
})
export type VoiceSettings = typeof VoiceSettings.Type

/** All settings of the whole account. */
export const ProspectingSettings = Schema.Struct({
  ...Targeting.fields,
  ...AccountRules.fields,
  ...ProspectingPreferences.fields,
  ...VoiceSettings.fields,
  allow_template_chatapp_messages: Schema.Boolean.annotations({
    description: "False: the messaging app is used only to answer leads who wrote in the last 24 hours."
  }),
  send_window_start_hour: Schema.Int.annotations({ description: "Local hour from which messages go out." }),
  send_window_end_hour: Schema.Int.annotations({ description: "Local hour from which no more messages go out." })
})
export type ProspectingSettings = typeof ProspectingSettings.Type
