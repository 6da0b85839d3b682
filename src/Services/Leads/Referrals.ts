import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import { CampaignId } from "../Campaigns/Ids.ts"
import type { Caller } from "../Core/Caller.ts"
import { LeadId, type LeadStatus } from "./Ids.ts"
import { RegisteredLead } from "./LeadModel.ts"

/** Somebody whom a lead named. */
export interface Referral {
  readonly referringLeadId: LeadId
  readonly name: string
  readonly email: string | undefined
  readonly phone: string | undefined
  /** Whether what is known of the referring lead's company holds for the new one. */
  readonly isSameCompany: boolean
  readonly status: LeadStatus
  readonly firstTouchInstructions: string | undefined
  /** Who registers it. */
  readonly actor: "owner" | "platform"
}

export const RegisteredReferral = Schema.Struct({
  ...RegisteredLead.fields,
  referred_by_lead_id: Schema.NullOr(LeadId).annotations({
    description: "Null where the lead existed before and nobody had referred it."
  }),
  company: Schema.NullOr(Schema.String),
  campaign_id: Schema.NullOr(CampaignId)
})
export type RegisteredReferral = typeof RegisteredReferral.Type

export class Referrals extends Context.Tag("Referrals")<
  Referrals,
  {
    /**
     * Makes a lead of somebody whom another lead named: in the same campaign, with the same company's data where it is
     * the same company, in prospecting from the start. A lead that has the contact already is answered as it is. To be
     * run in a transaction.
     */
    readonly register: (referral: Referral) => Effect.Effect<RegisteredReferral, NotFound | Refused | Transient, Caller>
  }
>() {}
