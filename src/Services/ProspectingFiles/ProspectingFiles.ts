import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import { CampaignId } from "../Campaigns/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { CustomerFileId } from "../Files/Ids.ts"
import { ProspectingFileId } from "./Ids.ts"

export const ProspectingFileView = Schema.Struct({
  prospecting_file_id: ProspectingFileId,
  title: Schema.String,
  description: Schema.String,
  is_description_generated: Schema.Boolean.annotations({ description: "Made from the content, since none was given." }),
  url: Schema.String,
  customer_file_id: Schema.NullOr(CustomerFileId),
  campaign_id: Schema.NullOr(CampaignId),
  campaign_name: Schema.NullOr(Schema.String).annotations({ description: "Null: it is for the whole account." }),
  sort_order: Schema.Int,
  created_at: Timestamp
})
export type ProspectingFileView = typeof ProspectingFileView.Type

/** Files and links that the agent may offer and send to leads. Call changes in a transaction. */
export class ProspectingFiles extends Context.Tag("ProspectingFiles")<
  ProspectingFiles,
  {
    /** By sort order, then title. */
    readonly list: Effect.Effect<ReadonlyArray<ProspectingFileView>, Transient, Caller>
    readonly register: (file: {
      readonly title: string
      readonly description: string | undefined
      readonly customerFileId: CustomerFileId | undefined
      readonly url: string | undefined
      readonly campaign: string | undefined
      readonly sortOrder: number
    }) => Effect.Effect<ProspectingFileView, NotFound | Refused | Transient, Caller>
    readonly remove: (id: ProspectingFileId) => Effect.Effect<ProspectingFileView, NotFound | Transient, Caller>
    /** Undefined fields stay unchanged. The campaign `all` makes the file available to the whole account. */
    readonly update: (
      id: ProspectingFileId,
      changes: {
        readonly title: string | undefined
        readonly description: string | undefined
        readonly campaign: string | undefined
        readonly sortOrder: number | undefined
      }
    ) => Effect.Effect<ProspectingFileView, NotFound | Refused | Transient, Caller>
  }
>() {}
