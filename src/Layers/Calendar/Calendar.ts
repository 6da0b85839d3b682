import { Effect, Layer } from "effect"
import { noteInvitationAnswer } from "../../Services/Mail/InvitationTasks.ts"
import { updateMeetingInCalendar } from "../../Services/Meetings/MeetingTasks.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import * as Room from "../Platform/Room.ts"
import { calendarChecks } from "./CalendarChecks.ts"
import { CalendarPostgres } from "./CalendarPostgres.ts"
import { CalendarSettings, CalendarSettingsLive, loadCalendarSettings } from "./CalendarSettings.ts"
import { deleteCalendarEvent, sweepCalendars, syncCalendar } from "./CalendarTasks.ts"
import { CalendarTransportConfigured } from "./CalendarTransport.ts"
import { CalendarConnectionLive } from "./Google/CalendarConnection.ts"
import { CalendarOfLeadPostgres } from "./Meetings/CalendarOfLeadPostgres.ts"
import { MailedInvitationsPostgres } from "./Meetings/MailedInvitationsPostgres.ts"
import { makeMeetingEvents } from "./Meetings/MeetingEvents.ts"
import { MeetingTimesPostgres } from "./Meetings/MeetingTimesPostgres.ts"
import { calendarMigration, calendarProvidersMigration } from "./Migrations.ts"
import { calendarPersonalData } from "./PersonalData.ts"
import { calendarRecurring, makeCalendarMirror } from "./Syncing/CalendarMirror.ts"
import { noticeEndpoints } from "./Syncing/NoticeEndpoint.ts"
import { calendarSandboxEndpoints } from "./sandbox/CalendarSandboxEndpoints.ts"
import { SimulatedHostCalendarPostgres } from "./sandbox/SimulatedHostCalendarPostgres.ts"

/** The background tasks of calendars. */
const tasks = Effect.gen(function* () {
  const events = yield* makeMeetingEvents
  const mirror = yield* makeCalendarMirror(events.changed)
  return [
    handle(syncCalendar, ({ accountId }) => mirror.sync(accountId)),
    handle(sweepCalendars, () => Effect.asVoid(mirror.sweep)),
    handle(updateMeetingInCalendar, events.settle),
    handle(noteInvitationAnswer, events.answered),
    handle(deleteCalendarEvent, events.deleteEvent)
  ]
})

/** The room of accounts' own calendars, and of their meetings in them. */
export const CalendarRoom = Room.make({
  migrations: [calendarMigration, calendarProvidersMigration],
  early: SimulatedHostCalendarPostgres,
  layer: Layer.mergeAll(CalendarPostgres, MeetingTimesPostgres, MailedInvitationsPostgres, CalendarOfLeadPostgres).pipe(
    Layer.provideMerge(CalendarConnectionLive),
    Layer.provideMerge(CalendarTransportConfigured),
    Layer.provideMerge(CalendarSettingsLive)
  ),
  tasks,
  recurring: calendarRecurring,
  endpoints: Effect.zipWith(noticeEndpoints, calendarSandboxEndpoints, (some, others) => [...some, ...others]),
  modes: Effect.map(CalendarSettings, ({ mode }) => ({ calendar: mode })),
  personalData: calendarPersonalData,
  settings: [loadCalendarSettings],
  checks: calendarChecks
})
