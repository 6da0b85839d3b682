import { Context, type Effect, Either, Schema } from "effect"
import { type NotFound, type Refused, refused, type Transient } from "../../Errors.ts"
import { ProspectingEligibility } from "../Accounts/AccountProfile.ts"
import type { CampaignId } from "../Campaigns/Ids.ts"
import type { Caller } from "../Core/Caller.ts"
import type { Changes } from "../Core/Changes.ts"
import type { LeadId } from "../Leads/Ids.ts"
import { normaliseEmail } from "../Text/ContactDetails.ts"
import type { EffectiveConfiguration } from "./EffectiveConfiguration.ts"
import { ProspectingRules } from "./ProspectingRules.ts"
import { Targeting } from "./Targeting.ts"

/** Whether the platform approaches leads, or only answers those who write first. */
export const ProspectingMode = Schema.Literal("Active", "Passive")
export type ProspectingMode = typeof ProspectingMode.Type

export const ProspectingVoice = Schema.Literal("Male", "Female")
export type ProspectingVoice = typeof ProspectingVoice.Type

/** The rules of the account. */
export const AccountRules = Schema.Struct({
  ...ProspectingRules.fields,
  email_signature: Schema.NullOr(Schema.String).annotations({
    description: "Ends every prospecting e-mail, literally. Null: the sender's name alone."
  })
})
export type AccountRules = typeof AccountRules.Type

export const ProspectingPreferences = Schema.Struct({
  mode: ProspectingMode.annotations({
    description: "Active: leads are approached. Passive: only those who write first are answered."
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
    description: "Whether the platform calls leads by phone, where their campaign does not say otherwise."
  }),
  prospecting_voice: ProspectingVoice
})
export type VoiceSettings = typeof VoiceSettings.Type

/** All that is set for the whole account. */
export const ProspectingSettings = Schema.Struct({
  ...Targeting.fields,
  ...AccountRules.fields,
  ...ProspectingPreferences.fields,
  ...VoiceSettings.fields,
  allow_template_chatapp_messages: Schema.Boolean.annotations({
    description: "False: the messaging app is used only to answer leads who wrote in the last 24 hours."
  }),
  send_window_start_hour: Schema.Int.annotations({ description: "Local hour from which messages go out." }),
  send_window_end_hour: Schema.Int.annotations({ description: "Local hour from which they go out no more." })
})
export type ProspectingSettings = typeof ProspectingSettings.Type

const isProspectingActive = Schema.Boolean.annotations({ description: "Whether autonomous prospecting is turned on." })

export const ProspectingConfigView = Schema.Struct({
  is_prospecting_active: isProspectingActive,
  prospecting_eligibility: ProspectingEligibility,
  ...ProspectingSettings.fields
})
export type ProspectingConfigView = typeof ProspectingConfigView.Type

export const ProspectingActivity = Schema.Struct({
  is_prospecting_active: isProspectingActive,
  changed: Schema.Boolean.annotations({ description: "False where it already was as asked." }),
  prospecting_eligibility: ProspectingEligibility
})
export type ProspectingActivity = typeof ProspectingActivity.Type

type AskedPreferences = Omit<Changes<ProspectingPreferences>, "notification_email"> & {
  /** Blank clears. */
  readonly notification_email?: string | undefined
}

/** Checks a change of the preferences and brings its values into the form in which they are stored. */
export const preferenceChanges = (asked: AskedPreferences): Either.Either<Changes<ProspectingPreferences>, Refused> => {
  const email = asked.notification_email?.trim()
  if (email === undefined || email === "") {
    return Either.right({ ...asked, notification_email: email === "" ? null : undefined })
  }
  return Either.mapBoth(normaliseEmail(email), {
    onLeft: ({ message, reason }) =>
      refused(reason, message, "Correct notification_email, or leave it out.", { parameter: "notification_email" }),
    onRight: (address) => ({ ...asked, notification_email: address })
  })
}

/** How the account prospects. Methods that change something are one statement each; what they are not given stays. */
export class ProspectingConfig extends Context.Tag("ProspectingConfig")<
  ProspectingConfig,
  {
    readonly get: Effect.Effect<ProspectingConfigView, Transient, Caller>
    readonly setActive: (isActive: boolean) => Effect.Effect<ProspectingActivity, Transient, Caller>
    readonly setTargeting: (changes: Changes<Targeting>) => Effect.Effect<Targeting, Refused | Transient, Caller>
    readonly setRules: (changes: Changes<AccountRules>) => Effect.Effect<AccountRules, Transient, Caller>
    readonly setPreferences: (
      changes: Changes<ProspectingPreferences>
    ) => Effect.Effect<ProspectingPreferences, Transient, Caller>
    readonly setVoice: (changes: Changes<VoiceSettings>) => Effect.Effect<VoiceSettings, Transient, Caller>
    /** Answers what holds now. */
    readonly setAllowTemplateChatAppMessages: (allowed: boolean) => Effect.Effect<boolean, Transient, Caller>
    /** What holds for leads of the campaign; without one, or where it is archived, what holds for the account. */
    readonly effective: (campaignId: CampaignId | null) => Effect.Effect<EffectiveConfiguration, Transient, Caller>
    readonly effectiveForLead: (leadId: LeadId) => Effect.Effect<EffectiveConfiguration, NotFound | Transient, Caller>
  }
>() {}
