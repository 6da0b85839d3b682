import { Context, type Effect, type Redacted, Schema } from "effect"
import type { Refused, Transient } from "../../Errors.ts"
import { CampaignId } from "../Campaigns/Ids.ts"
import { ConnectionState } from "../Connections/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import { Timestamp } from "../Core/Timestamp.ts"

const count = (description: string) => Schema.Int.annotations({ description })

export const LeadSourceView = Schema.Struct({
  status: ConnectionState,
  mode: ServiceMode,
  list_id: Schema.NullOr(Schema.String).annotations({ description: "Null: all saved contacts." }),
  list_name: Schema.NullOr(Schema.String),
  campaign_id: Schema.NullOr(CampaignId).annotations({
    description: "The campaign of the list's name, which takes its leads; null where there is none."
  }),
  contact_count: Schema.NullOr(Schema.Int).annotations({
    description: "Contacts of the list, as the lead database counted them when it was read last."
  }),
  is_above_ceiling: Schema.Boolean.annotations({
    description: "The database shows only the first 50000 contacts of a list. Split it into smaller ones."
  }),
  read_count: count("Contacts that were read for the first time."),
  handed_over_count: count("Of these, passed to imports, which show what became leads and what was a duplicate."),
  invalid_email_count: count("Of these, with an address that mail does not reach, which is left out."),
  no_contact_count: count("Of those read, without an e-mail or phone that can be used."),
  opted_out_count: count("Of those read, unsubscribed there or on the blacklist here."),
  last_read_at: Schema.NullOr(Timestamp).annotations({ description: "Null until the whole list was read." }),
  next_read_at: Schema.NullOr(Timestamp),
  last_error: Schema.NullOr(Schema.String)
})
export type LeadSourceView = typeof LeadSourceView.Type

/** An account's lead database, whose saved contacts become leads. */
export class LeadSource extends Context.Tag("LeadSource")<
  LeadSource,
  {
    /** Checks the key with the database, and stores it only if it is accepted. Makes its own transactions. */
    readonly connect: (
      apiKey: Redacted.Redacted,
      listId: string | undefined
    ) => Effect.Effect<LeadSourceView, Refused | Transient, Caller>
    /** Whether the database is connected, and how far its contacts are read. */
    readonly state: Effect.Effect<LeadSourceView, Transient, Caller>
    /** Deletes the key. Call it in a transaction. */
    readonly disconnect: Effect.Effect<LeadSourceView, Transient, Caller>
  }
>() {}
