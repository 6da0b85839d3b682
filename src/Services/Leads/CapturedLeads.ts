import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { CampaignId } from "../Campaigns/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { Language } from "../Text/Language.ts"
import type { LeadId } from "./Ids.ts"
import type { LeadSource } from "./LeadModel.ts"

/** Where a person left its contact, and what it wrote. */
export type Capture = Omit<LeadSource, "capture_count" | "captured_at">

/** A person who left its contact on one of the account's pages. Contacts are in the form in which leads store them. */
export interface CapturedLead {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly jobTitle: string | null
  readonly city: string | null
  readonly website: string | null
  /** The page's language, if messages are written in it. */
  readonly language: Language | null
  /** An existing campaign. A lead that is in another campaign stays there. */
  readonly campaignId: CampaignId | null
  readonly capture: Capture
}

export type CaptureOutcome =
  | { readonly _tag: "Created"; readonly leadId: LeadId }
  /** `becameInterested`: the lead was not interested before, and the owner is notified. */
  | { readonly _tag: "Known"; readonly leadId: LeadId; readonly becameInterested: boolean }
  /** Nothing is registered or changed. */
  | { readonly _tag: "Held"; readonly reason: "unsubscribed" | "blacklisted"; readonly leadId: LeadId | null }
  /** The person was erased, so nothing about it may be stored. */
  | { readonly _tag: "Erased" }

/** Registers people who show interest through a page. */
export class CapturedLeads extends Context.Tag("CapturedLeads")<
  CapturedLeads,
  {
    /**
     * Call it in a transaction. A new lead is `Interested` and in the pipeline. An existing lead, found by its e-mail
     * address or else its phone number, gets missing fields and becomes `Interested`, unless its deal is closed. A lead
     * that a person handles, or that is finished, keeps its pipeline state.
     */
    readonly register: (lead: CapturedLead) => Effect.Effect<CaptureOutcome, Transient, Caller>
  }
>() {}
