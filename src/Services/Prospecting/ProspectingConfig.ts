import { Context, type Effect, Either, Schema } from "effect"
import { type NotFound, type Refused, refused, type Transient } from "../../Errors.ts"
import { ProspectingEligibility } from "../Accounts/AccountProfile.ts"
import type { CampaignId } from "../Campaigns/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { Changes } from "../Core/Changes.ts"
import type { LeadId } from "../Leads/Ids.ts"
import { normaliseEmail } from "../Text/ContactDetails.ts"
import type { EffectiveConfiguration } from "./EffectiveConfiguration.ts"
import {
  type AccountRules,
  type ProspectingPreferences,
  ProspectingSettings,
  type VoiceSettings
} from "./ProspectingSettings.ts"
import { type Targeting } from "./Targeting.ts"

const isProspectingActive = Schema.Boolean.annotations({ description: "Whether autonomous prospecting is on." })

export const ProspectingConfigView = Schema.Struct({
  is_prospecting_active: isProspectingActive,
  prospecting_eligibility: ProspectingEligibility,
  ...ProspectingSettings.fields
})
export type ProspectingConfigView = typeof ProspectingConfigView.Type

export const ProspectingActivity = Schema.Struct({
  is_prospecting_active: isProspectingActive,
  changed: Schema.Boolean.annotations({ description: "False if it already had the requested value." }),
  prospecting_eligibility: ProspectingEligibility
})
export type ProspectingActivity = typeof ProspectingActivity.Type

type RequestedPreferences = Omit<Changes<ProspectingPreferences>, "notification_email"> & {
  /** A blank text clears it. */
  readonly notification_email?: string | undefined
}

/** Checks changes of the preferences and converts the values to their stored form. */
export const preferenceChanges = (
  requestedChanges: RequestedPreferences
): Either.Either<Changes<ProspectingPreferences>, Refused> => {
  const email = requestedChanges.notification_email?.trim()
  if (email === undefined || email === "") {
    return Either.right({ ...requestedChanges, notification_email: email === "" ? null : undefined })
  }
  return Either.mapBoth(normaliseEmail(email), {
    onLeft: ({ message, reason }) =>
      refused(reason, message, "Correct notification_email, or leave it out.", { parameter: "notification_email" }),
    onRight: (address) => ({ ...requestedChanges, notification_email: address })
  })
}

/** The account's prospecting settings. Each change is one statement; fields that are not given stay unchanged. */
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
    /** Returns the present value. */
    readonly setAllowTemplateChatAppMessages: (isAllowed: boolean) => Effect.Effect<boolean, Transient, Caller>
    /** The settings for leads of the campaign. Without a campaign, or if it is archived, the account's settings. */
    readonly effective: (campaignId: CampaignId | null) => Effect.Effect<EffectiveConfiguration, Transient, Caller>
    /** Like `effective`, for background work outside a transaction. Concurrent requests become one statement. */
    readonly effectiveOutsideTransaction: (
      campaignId: CampaignId | null
    ) => Effect.Effect<EffectiveConfiguration, Transient, Caller>
    /**
     * The account's configuration, and the effective settings of the account and of at most `limit` of its campaigns
     * that acquire companies, newest first.
     */
    readonly withGenerating: (limit: number) => Effect.Effect<
      {
        readonly view: ProspectingConfigView
        readonly effective: ReadonlyArray<EffectiveConfiguration>
      },
      Transient,
      Caller
    >
    readonly effectiveForLead: (leadId: LeadId) => Effect.Effect<EffectiveConfiguration, NotFound | Transient, Caller>
  }
>() {}
