import { Context, Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { SendWindow } from "../Core/LocalTime.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { Period, WantedSlots } from "./FreeSlots.ts"

/** `unknown` means that no calendar is connected or it does not answer. The time may then be used. */
export type Availability = "free" | "taken" | "unknown"

export interface MeetingTimesShape {
  /** Checks the account's calendar and its meetings. The meeting of `lead` is ignored, because it would be moved. */
  readonly availability: (period: Period, lead: LeadId) => Effect.Effect<Availability, Transient, Caller>
  /** Times to propose to a lead, soonest first. Without a calendar, only hours, holidays and agreed meetings count. */
  readonly proposalsFor: (lead: {
    readonly leadId: LeadId
    readonly zone: string
    readonly window: SendWindow
    /** When the lead would like to talk. */
    readonly wish?: WantedSlots | undefined
  }) => Effect.Effect<ReadonlyArray<Timestamp>, Transient, Caller>
  /** Whether a calendar is connected. It sends invitations to leads. */
  readonly hasCalendar: Effect.Effect<boolean, Transient, Caller>
  /** Advises the owner once to connect a calendar, if there is none. Call it in a transaction. */
  readonly adviseCalendar: Effect.Effect<void, Transient, Caller>
}

/** When the account's people can meet leads, according to its calendar. The default knows no calendar. */
export class MeetingTimes extends Context.Reference<MeetingTimes>()("MeetingTimes", {
  defaultValue: (): MeetingTimesShape => ({
    availability: () => Effect.succeed("unknown"),
    proposalsFor: () => Effect.succeed([]),
    hasCalendar: Effect.succeed(false),
    adviseCalendar: Effect.void
  })
}) {}
