import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { MeetingId } from "./Ids.ts"

/** What a lead is to hear of its meeting. */
export type MeetingNotice = "meeting_booked" | "meeting_reminder"

/** A meeting of which its lead is to hear. */
export interface DueNotice {
  readonly accountId: AccountId
  readonly meetingId: MeetingId
  readonly notice: MeetingNotice
}

/** When leads hear of meetings. Each call but the look belongs in a transaction of the caller's. */
export class MeetingNotices extends Context.Tag("MeetingNotices")<
  MeetingNotices,
  {
    /**
     * Takes up to `limit` meetings of each kind of notice of which the lead is to hear now, and holds them and their
     * leads. What is taken is not due again unless the meeting is moved.
     */
    readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<DueNotice>, Transient>
    /** Whether there is one to take. */
    readonly isAnyDue: Effect.Effect<boolean, Transient>
    /** The lead was not told after all: it is due again at that time. */
    readonly postpone: (due: DueNotice, until: Timestamp) => Effect.Effect<void, Transient>
  }
>() {}
