import { Context, type Effect, Schema } from "effect"
import type { Permanent, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
import { AccountId, Plan } from "./Ids.ts"

/** Why nobody is prospected for the account; empty when leads are contacted. */
export const IneligibilityReason = Schema.Literal("account_prospecting_off")
export type IneligibilityReason = typeof IneligibilityReason.Type

export const ProspectingEligibility = Schema.Struct({
  is_eligible: Schema.Boolean,
  reasons: Schema.Array(IneligibilityReason)
})
export type ProspectingEligibility = typeof ProspectingEligibility.Type

export const AccountProfileView = Schema.Struct({
  account_id: AccountId,
  name: Schema.String,
  phone: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  language: Schema.String.annotations({ description: "Language and region, for example pt-BR." }),
  timezone_offset_utc_hours: Schema.NullOr(Schema.Number).annotations({
    description: "Hours to add to UTC; null when the account's time zone is not known."
  }),
  plan: Plan,
  prospecting_eligibility: ProspectingEligibility
})
export type AccountProfileView = typeof AccountProfileView.Type

/** Decides from the account's own state whether its leads may be prospected. */
export const prospectingEligibility = (account: { readonly isProspectingActive: boolean }): ProspectingEligibility => {
  const reasons: ReadonlyArray<IneligibilityReason> = account.isProspectingActive ? [] : ["account_prospecting_off"]
  return { is_eligible: reasons.length === 0, reasons }
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
