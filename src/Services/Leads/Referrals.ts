import { Context, type Effect, Schema, Struct } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import { CampaignId } from "../Campaigns/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { LeadId, type LeadStatus } from "./Ids.ts"
import { RegisteredLead } from "./LeadModel.ts"

/** A person whom a lead referred to. */
export interface Referral {
  readonly referringLeadId: LeadId
  readonly name: string
  readonly email: string | undefined
  readonly phone: string | undefined
  /** Whether the person works at the referring lead's company, so that the company's data applies. */
  readonly isSameCompany: boolean
  readonly status: LeadStatus
  readonly firstTouchInstructions: string | undefined
  /** Who registers it. */
  readonly actor: "owner" | "platform"
}

export const RegisteredReferral = Schema.Struct({
  ...Struct.omit(RegisteredLead.fields, "filled", "not_filled"),
  referred_by_lead_id: Schema.NullOr(LeadId).annotations({
    description: "Null if the lead existed before without a referral."
  }),
  company: Schema.NullOr(Schema.String),
  campaign_id: Schema.NullOr(CampaignId)
})
export type RegisteredReferral = typeof RegisteredReferral.Type

export class Referrals extends Context.Tag("Referrals")<
  Referrals,
  {
    /**
     * Registers a person whom another lead named: in the same campaign, with the same company data if it is the same
     * company, and in the pipeline. An existing lead with the contact is returned unchanged. Call it in a transaction.
     */
    readonly register: (referral: Referral) => Effect.Effect<RegisteredReferral, NotFound | Refused | Transient, Caller>
  }
>() {}
