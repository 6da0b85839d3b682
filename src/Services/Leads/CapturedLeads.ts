import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { CampaignId } from "../Campaigns/Ids.ts"
import type { Caller } from "../Core/Caller.ts"
import type { Language } from "../Text/Language.ts"
import type { LeadId } from "./Ids.ts"
import type { LeadSource } from "./LeadModel.ts"

/** Where and with which words a person left its contact. */
export type Capture = Omit<LeadSource, "capture_count" | "captured_at">

/** A person who left its contact on a page of the account's; contacts in the form in which leads have them. */
export interface CapturedLead {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly jobTitle: string | null
  readonly city: string | null
  readonly website: string | null
  /** The page's, where messages are written in it. */
  readonly language: Language | null
  /** A campaign that is there; a lead that is in another one stays there. */
  readonly campaignId: CampaignId | null
  readonly capture: Capture
}

export type CaptureOutcome =
  | { readonly _tag: "Created"; readonly leadId: LeadId }
  /** `becameInterested`: it was not before, and is told of. */
  | { readonly _tag: "Known"; readonly leadId: LeadId; readonly becameInterested: boolean }
  /** Nothing is registered or changed. */
  | { readonly _tag: "Held"; readonly reason: "unsubscribed" | "blacklisted"; readonly leadId: LeadId | null }
  /** The person was erased: nothing of it may be kept. */
  | { readonly _tag: "Erased" }

/** Registers who shows interest by itself. */
export class CapturedLeads extends Context.Tag("CapturedLeads")<
  CapturedLeads,
  {
    /**
     * In the transaction of the caller. A new lead is `Interested` and in the pipeline. One that is known by its e-mail
     * address, or else by its phone number, gets what it lacked and becomes `Interested`, unless its deal is closed; a
     * lead that a person talks to, or that is finished, stays with that.
     */
    readonly register: (lead: CapturedLead) => Effect.Effect<CaptureOutcome, Transient, Caller>
  }
>() {}
