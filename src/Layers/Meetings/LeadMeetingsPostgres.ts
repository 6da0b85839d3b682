import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import type { MeetingId } from "../../Services/Meetings/Ids.ts"
import { LeadMeetings } from "../../Services/Meetings/LeadMeetings.ts"
import { Meetings } from "../../Services/Meetings/Meetings.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

export const LeadMeetingsPostgres = Layer.effect(
  LeadMeetings,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const meetings = yield* Meetings
    const notifications = yield* Notifications
    return {
      callOffAll: Effect.fn("LeadMeetings.callOffAll")(
        function* (leadId) {
          const { accountId } = yield* Caller
          const ahead = yield* sql<{ readonly id: MeetingId }>`
          select meeting_id as id from meeting where account_id = ${accountId} and lead_id = ${leadId}
            and status in ('scheduled', 'confirmed') and ends_at > instant() order by meeting_id`.pipe(fromSql())
          for (const { id } of ahead) {
            const meeting = yield* meetings.cancelByLead(id, { nextTouchAt: undefined })
            yield* notifications.tellOfLead(
              { kind: "lead_called_off_meeting", leadId, at: meeting.starts_at },
              { meeting_id: id, starts_at: meeting.starts_at }
            )
          }
        },
        Effect.catchTags({ NotFound: () => Effect.void, Refused: () => Effect.void })
      )
    }
  })
)
