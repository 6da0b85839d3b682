import { Effect, Layer } from "effect"
import { noteInvitationAnswer } from "../../Services/Mail/InvitationTasks.ts"
import { settleMeeting } from "../../Services/Meetings/MeetingTasks.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import * as Room from "../Platform/Room.ts"
import { CalendarConnectionLive } from "./CalendarConnection.ts"
import { calendarRecurring, makeCalendarMirror } from "./CalendarMirror.ts"
import { CalendarPostgres } from "./CalendarPostgres.ts"
import { CalendarSettings, CalendarSettingsLive } from "./CalendarSettings.ts"
import { sweepCalendars, syncCalendar } from "./CalendarTasks.ts"
import { CalendarTransportConfigured } from "./CalendarTransport.ts"
import { MailedInvitationsPostgres } from "./MailedInvitationsPostgres.ts"
import { makeMeetingEvents } from "./MeetingEvents.ts"
import { MeetingTimesPostgres } from "./MeetingTimesPostgres.ts"
import { calendarMigration } from "./Migrations.ts"
import { noticeEndpoints } from "./NoticeEndpoint.ts"
import { calendarPersonalData } from "./PersonalData.ts"
import { calendarSandboxEndpoints } from "./SandboxEndpoints.ts"
import { SimulatedHostCalendarPostgres } from "./SimulatedHostCalendarPostgres.ts"

/** What is done for calendars behind the callers' backs. */
const tasks = Effect.gen(function* () {
  const events = yield* makeMeetingEvents
  const mirror = yield* makeCalendarMirror(events.changed)
  return [
    handle(syncCalendar, ({ accountId }) => mirror.sync(accountId)),
    handle(sweepCalendars, () => Effect.asVoid(mirror.sweep)),
    handle(settleMeeting, events.settle),
    handle(noteInvitationAnswer, events.answered)
  ]
})

/** Accounts' own calendars, and their meetings in them. */
export const CalendarRoom = Room.make({
  migrations: [calendarMigration],
  early: SimulatedHostCalendarPostgres,
  layer: Layer.mergeAll(CalendarPostgres, MeetingTimesPostgres, MailedInvitationsPostgres).pipe(
    Layer.provideMerge(CalendarConnectionLive),
    Layer.provideMerge(CalendarTransportConfigured),
    Layer.provideMerge(CalendarSettingsLive)
  ),
  tasks,
  recurring: calendarRecurring,
  endpoints: Effect.zipWith(noticeEndpoints, calendarSandboxEndpoints, (some, others) => [...some, ...others]),
  modes: Effect.map(CalendarSettings, ({ mode }) => ({ calendar: mode })),
  personalData: calendarPersonalData
})
