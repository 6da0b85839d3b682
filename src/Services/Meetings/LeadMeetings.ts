import { Context, Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { LeadId } from "../Leads/Ids.ts"

/** All meetings of a lead that leaves the pipeline. */
export class LeadMeetings extends Context.Reference<LeadMeetings>()("LeadMeetings", {
  defaultValue: (): {
    /**
     * Cancels the lead's future meetings with their calendar events and invitations, and notifies the owner. Call it in
     * the transaction in which the lead leaves.
     */
    readonly callOffAll: (leadId: LeadId) => Effect.Effect<void, Transient, Caller>
  } => ({ callOffAll: () => Effect.void })
}) {}

export const callOffMeetings = (leadId: LeadId): Effect.Effect<void, Transient, Caller> =>
  Effect.flatMap(LeadMeetings, ({ callOffAll }) => callOffAll(leadId))
