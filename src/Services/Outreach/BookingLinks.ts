import { Context, Effect } from "effect"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { LeadId } from "../Leads/Ids.ts"

/** Pages on which leads book meetings. There are none unless a scheduling tool is connected. */
export class BookingLinks extends Context.Reference<BookingLinks>()("BookingLinks", {
  defaultValue: (): {
    /**
     * The page of this lead. Undefined if there is none, or if it is not available in time, because messages do not
     * wait for it.
     */
    readonly of: (leadId: LeadId) => Effect.Effect<string | undefined, never, Caller>
    /** The general booking page, which simulated leads get. */
    readonly page: Effect.Effect<string | undefined, never, Caller>
  } => ({ of: () => Effect.succeed(undefined), page: Effect.succeed(undefined) })
}) {}
