import { Context, Effect } from "effect"
import type { Caller } from "../Core/Caller.ts"
import type { LeadId } from "../Leads/Ids.ts"

/** Where a lead can book a meeting by itself; there is none unless a scheduling tool is connected. */
export class BookingLinks extends Context.Reference<BookingLinks>()("BookingLinks", {
  defaultValue: (): {
    /** The page for this lead alone. Undefined where there is none, or none can be had in time: no message waits for it. */
    readonly of: (leadId: LeadId) => Effect.Effect<string | undefined, never, Caller>
    /** The page for everybody, as a simulated lead sees it. */
    readonly page: Effect.Effect<string | undefined, never, Caller>
  } => ({ of: () => Effect.succeed(undefined), page: Effect.succeed(undefined) })
}) {}
