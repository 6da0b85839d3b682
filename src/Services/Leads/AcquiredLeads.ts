import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { CampaignId } from "../Campaigns/Ids.ts"
import type { Caller } from "../Core/Caller.ts"
import type { LeadId } from "./Ids.ts"

/** A company that the platform found by itself, as the lead that it becomes; contacts in the form in which leads have them. */
export interface AcquiredLead {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly company: string
  readonly website: string | null
  readonly city: string | null
  readonly state: string | null
  readonly country: string
  /** Seven digits. */
  readonly cnae: string | null
  readonly industry: string | null
  readonly background: string
}

/** `known` has a contact of a lead, `erased` one of a person who was erased, `blacklisted` one that is blocked. */
export type AcquisitionOutcome =
  | { readonly _tag: "Created"; readonly leadId: LeadId }
  | { readonly _tag: "Passed"; readonly reason: "known" | "erased" | "blacklisted" }

/** Registers what the platform found by itself. */
export class AcquiredLeads extends Context.Tag("AcquiredLeads")<
  AcquiredLeads,
  {
    /**
     * In the transaction of the caller, one outcome for each lead in their order. A lead whose e-mail alone is blocked
     * or known is passed over as well: the company is the account's customer, or already talked to. At most 100.
     */
    readonly register: (
      leads: ReadonlyArray<AcquiredLead>,
      campaignId: CampaignId | null
    ) => Effect.Effect<ReadonlyArray<AcquisitionOutcome>, Transient, Caller>
  }
>() {}
