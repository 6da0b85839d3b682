import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { CampaignId } from "../Campaigns/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { LeadId } from "./Ids.ts"

/**
 * A company that the platform acquired, as the lead that it becomes. Contacts are in the form in which leads store
 * them.
 */
export interface AcquiredLead {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly company: string
  readonly website: string | null
  readonly city: string | null
  readonly state: string | null
  readonly country: string
  /** A code of seven digits. */
  readonly cnae: string | null
  readonly industry: string | null
  readonly background: string
}

/** `known`: a lead has one of the contacts. `erased`: an erased person had one. `blacklisted`: one is blocked. */
export type AcquisitionOutcome =
  | { readonly _tag: "Created"; readonly leadId: LeadId }
  | { readonly _tag: "Passed"; readonly reason: "known" | "erased" | "blacklisted" }

/** Registers companies that the platform acquired. */
export class AcquiredLeads extends Context.Tag("AcquiredLeads")<
  AcquiredLeads,
  {
    /**
     * Call it in a transaction with at most 100 leads. Returns one outcome for each, in order. A lead whose e-mail
     * address alone is blocked or known is skipped too: the company is a customer, or was contacted before.
     */
    readonly register: (
      leads: ReadonlyArray<AcquiredLead>,
      campaignId: CampaignId | null
    ) => Effect.Effect<ReadonlyArray<AcquisitionOutcome>, Transient, Caller>
  }
>() {}
