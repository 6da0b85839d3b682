import { Context, Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { CampaignId } from "../Campaigns/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { Language } from "../Text/Language.ts"
import type { DocumentsForLead } from "../Writing/WritingBrief.ts"

interface LeadDocumentsShape {
  /** The requested documents that the account does not have. Creates nothing. */
  readonly missing: (
    leadId: LeadId,
    wishes: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string>, Transient, Caller>
  /** The documents that a message provides. Creates the lead's presentation if it answers the request. */
  readonly handOver: (
    leadId: LeadId,
    wishes: ReadonlyArray<string>
  ) => Effect.Effect<DocumentsForLead, Transient, Caller>
  /** Like `handOver`, for a simulated lead. The address of its presentation does not exist. */
  readonly preview: (
    reader: { readonly campaignId: CampaignId | null; readonly language: Language },
    wishes: ReadonlyArray<string>
  ) => Effect.Effect<DocumentsForLead, Transient, Caller>
}

export const noDocuments: DocumentsForLead = { documents: [], missing: [] }

/** The documents for a lead that asks for a catalogue, a price list, a presentation or similar. */
export class LeadDocuments extends Context.Reference<LeadDocuments>()("LeadDocuments", {
  defaultValue: (): LeadDocumentsShape => ({
    missing: () => Effect.succeed([]),
    handOver: () => Effect.succeed(noDocuments),
    preview: () => Effect.succeed(noDocuments)
  })
}) {}
