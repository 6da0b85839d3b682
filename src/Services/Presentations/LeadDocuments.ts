import { Context, Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { CampaignId } from "../Campaigns/Ids.ts"
import type { Caller } from "../Core/Caller.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { Language } from "../Text/Language.ts"
import type { DocumentsForLead } from "../Writing/WritingBrief.ts"

interface LeadDocumentsShape {
  /** The wishes for which the account has no document. Makes nothing. */
  readonly missing: (
    leadId: LeadId,
    wishes: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string>, Transient, Caller>
  /** The documents that a message hands over. Makes the lead's presentation if that is what answers. */
  readonly handOver: (
    leadId: LeadId,
    wishes: ReadonlyArray<string>
  ) => Effect.Effect<DocumentsForLead, Transient, Caller>
  /** The same for a simulated lead: a presentation has an address at which there is nothing. */
  readonly preview: (
    reader: { readonly campaignId: CampaignId | null; readonly language: Language },
    wishes: ReadonlyArray<string>
  ) => Effect.Effect<DocumentsForLead, Transient, Caller>
}

export const noDocuments: DocumentsForLead = { documents: [], missing: [] }

/** What a lead gets that asks for a catalogue, a price list, a presentation or the like. */
export class LeadDocuments extends Context.Reference<LeadDocuments>()("LeadDocuments", {
  defaultValue: (): LeadDocumentsShape => ({
    missing: () => Effect.succeed([]),
    handOver: () => Effect.succeed(noDocuments),
    preview: () => Effect.succeed(noDocuments)
  })
}) {}
