import { Context, type Effect, Either, Schema } from "effect"
import { type NotFound, type Refused, refused, type Transient } from "../../Errors.ts"
import { ProspectingEligibility } from "../Accounts/AccountProfile.ts"
import type { CampaignId } from "../Campaigns/Ids.ts"
import type { Caller } from "../Core/Caller.ts"
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
    /**
     * The same for background work that is in no transaction: read together with what others ask for at about the same
     * time.
     */
    readonly effectiveApart: (campaignId: CampaignId | null) => Effect.Effect<EffectiveConfiguration, Transient, Caller>
    /**
     * The configuration, and what holds by it for the account, then for its campaigns that look for companies, newest
     * first: at most `limit` of them.
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
