import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { MeetingId } from "./Ids.ts"

/** A message to a lead about its meeting. */
export type MeetingNotice = "meeting_booked" | "meeting_reminder"

/** A meeting about which a message is due. */
export interface DueNotice {
  readonly accountId: AccountId
  readonly meetingId: MeetingId
  readonly notice: MeetingNotice
}

/** When leads get messages about meetings. Call everything except `isAnyDue` in a transaction. */
export class MeetingNotices extends Context.Tag("MeetingNotices")<
  MeetingNotices,
  {
    /**
     * Claims at most `limit` meetings of each kind of notice that are due, and locks them and their leads. They are not
     * due again, unless the meeting moves.
     */
    readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<DueNotice>, Transient>
    /** Whether a notice is due. */
    readonly isAnyDue: Effect.Effect<boolean, Transient>
    /** Schedules a notice that was not sent again for that time. */
    readonly postpone: (due: DueNotice, until: Timestamp) => Effect.Effect<void, Transient>
  }
>() {}
