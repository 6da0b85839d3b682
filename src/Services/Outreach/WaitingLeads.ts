import { Context, Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"

/** Leads that were skipped because no channel was open, or because the account only answers leads that write. */
export class WaitingLeads extends Context.Reference<WaitingLeads>()("WaitingLeads", {
  defaultValue: (): {
    /** Makes them due now, because a channel was opened or the mode changed. Otherwise they are checked once a day. */
    readonly recheck: Effect.Effect<void, Transient, Caller>
  } => ({ recheck: Effect.void })
}) {}

/** Makes waiting leads due now. */
export const recheckWaitingLeads: Effect.Effect<void, Transient, Caller> = Effect.flatMap(
  WaitingLeads,
  ({ recheck }) => recheck
)
