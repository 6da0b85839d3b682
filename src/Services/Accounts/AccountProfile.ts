import { Context, type Effect, Schema } from "effect"
import type { Permanent, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { AccountId, Plan } from "./Ids.ts"

/** Why the account contacts no leads. Empty if it does. */
export const IneligibilityReason = Schema.Literal(
  "account_prospecting_off",
  "business_name_missing",
  "sender_name_missing"
)
export type IneligibilityReason = typeof IneligibilityReason.Type

export const ProspectingEligibility = Schema.Struct({
  is_eligible: Schema.Boolean,
  reasons: Schema.Array(IneligibilityReason).annotations({
    description:
      "Empty where leads are contacted. Nobody is written to before the business and the sender have names: a campaign's own (business_name, email_display_name) or the account's."
  }),
  fixes: Schema.Array(Schema.String).annotations({
    description: "For each reason, in the same order, the call that takes it away."
  })
})
export type ProspectingEligibility = typeof ProspectingEligibility.Type

export const AccountProfileView = Schema.Struct({
  account_id: AccountId,
  name: Schema.String,
  phone: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  language: Schema.String.annotations({ description: "Language and region, for example pt-BR." }),
  timezone_offset_utc_hours: Schema.Number.annotations({
    description: "Hours to add to UTC now. It changes where clocks are put forward in summer."
  }),
  plan: Plan,
  prospecting_eligibility: ProspectingEligibility
})
export type AccountProfileView = typeof AccountProfileView.Type

const fixes: { readonly [R in IneligibilityReason]: string } = {
  account_prospecting_off: "set_prospecting_active with active true",
  business_name_missing: "set_business with business_name, or update_campaign with business_name",
  sender_name_missing: "update_email_settings with display_name, or update_campaign with email_display_name"
}

/** Decides from the account's own state, and what its campaigns say of themselves, whether its leads may be prospected. */
export const prospectingEligibility = (account: {
  readonly isProspectingActive: boolean
  readonly businessName: string | null
  readonly senderName: string | null
  /** Whether messages of some active campaign can name their sender. */
  readonly hasCampaignIdentity: boolean
}): ProspectingEligibility => {
  const reasons: ReadonlyArray<IneligibilityReason> = [
    ...(account.isProspectingActive ? [] : ["account_prospecting_off" as const]),
    ...(account.hasCampaignIdentity || account.businessName !== null ? [] : ["business_name_missing" as const]),
    ...(account.hasCampaignIdentity || account.senderName !== null ? [] : ["sender_name_missing" as const])
  ]
  return { is_eligible: reasons.length === 0, reasons, fixes: reasons.map((reason) => fixes[reason]) }
}

export class AccountProfile extends Context.Tag("AccountProfile")<
  AccountProfile,
  {
    /**
     * The caller's account as it is committed: changes of a transaction still open do not show. `Permanent` when it was
     * closed while the call was under way.
     */
    readonly get: Effect.Effect<AccountProfileView, Transient | Permanent, Caller>
  }
>() {}
