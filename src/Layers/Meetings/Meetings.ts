import { Effect, Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { LeadMeetingsPostgres } from "./LeadMeetingsPostgres.ts"
import { MeetingNoticesPostgres } from "./MeetingNoticesPostgres.ts"
import { meetingRecurring, meetingTasks } from "./MeetingReminders.ts"
import { MeetingsPostgres } from "./MeetingsPostgres.ts"
import { meetingsMigration } from "./Migrations.ts"
import { meetingsPersonalData } from "./PersonalData.ts"

/** The room of meetings with leads. */
export const MeetingsRoom = Room.make({
  migrations: [meetingsMigration],
  early: MeetingNoticesPostgres,
  layer: LeadMeetingsPostgres.pipe(Layer.provideMerge(MeetingsPostgres)),
  tasks: Effect.succeed(meetingTasks),
  recurring: meetingRecurring,
  personalData: meetingsPersonalData
})
