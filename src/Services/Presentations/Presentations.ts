import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { CustomerFileView } from "../Files/CustomerFiles.ts"
import { LeadId } from "../Leads/Ids.ts"

export const LeadPresentation = Schema.Struct({
  lead_id: LeadId,
  created: Schema.Boolean.annotations({
    description: "False where the lead had a presentation already, which is answered."
  }),
  presentation_url: Schema.String.annotations({
    description: "Where whoever knows this address can read the PDF, until the file is removed."
  }),
  file: CustomerFileView
})
export type LeadPresentation = typeof LeadPresentation.Type

/** Presentations of the business, each made for one lead. */
export class Presentations extends Context.Tag("Presentations")<
  Presentations,
  {
    /** Refused if presentations are disabled for the lead's campaign or the account. */
    readonly create: (leadId: LeadId) => Effect.Effect<LeadPresentation, NotFound | Refused | Transient, Caller>
  }
>() {}
