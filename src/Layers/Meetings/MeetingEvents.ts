import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { AccountEvents } from "../../Services/Events/AccountEvents.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import type { MeetingView } from "../../Services/Meetings/Meetings.ts"
import { progressOf } from "../Leads/Sql/Progress.ts"
import { setStatusByReply } from "../Leads/Sql/State.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** Makes the functions that append meetings to the feed, and apply a booking to its lead. */
export const makeMeetingEvents = ({
  events,
  sql
}: {
  readonly events: AccountEvents["Type"]
  readonly sql: SqlClient
}) => {
  const timesOf = ({ ends_at, lead_id, meeting_id, starts_at }: MeetingView) => ({
    lead_id,
    meeting_id,
    starts_at,
    ends_at
  })

  /** Adds the event of a booked meeting, or of a moved one. `previous` is the meeting before the move. */
  const appendBooked = (meeting: MeetingView, previous?: MeetingView) =>
    events.append({
      type: "meeting_booked",
      data: {
        ...timesOf(meeting),
        moved: previous !== undefined,
        previous_starts_at: previous?.starts_at ?? null
      }
    })

  const appendCancelled = (meeting: MeetingView) => events.append({ type: "meeting_cancelled", data: timesOf(meeting) })

  /** Sets a lead that books to interested. Its earlier outcome stays. */
  const advance = Effect.fnUntraced(function* (leadId: LeadId, channel: string) {
    const { accountId } = yield* Caller
    const key = { accountId, leadId }
    const behind = yield* sql`
      select from lead where account_id = ${accountId} and lead_id = ${leadId}
        and status not in ('Interested', 'Closed')`.pipe(fromSql())
    if (behind.length === 0) return
    yield* setStatusByReply(sql, key, "Interested", channel)
    const progress = yield* progressOf(sql, key)
    yield* events.appendMany(progress.map((type) => ({ type, data: { lead_id: leadId, channel: null } })))
  })

  return { advance, appendBooked, appendCancelled }
}
export type MeetingEvents = ReturnType<typeof makeMeetingEvents>
