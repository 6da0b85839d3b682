import { Effect } from "effect"
import * as Room from "../Platform/Room.ts"
import { meetingRecurring, meetingTasks } from "./MeetingReminders.ts"
import { MeetingsPostgres } from "./MeetingsPostgres.ts"

/** Meetings with leads. */
export const MeetingsRoom = Room.make({
  layer: MeetingsPostgres,
  tasks: Effect.succeed(meetingTasks),
  recurring: meetingRecurring
})
