import { Schema } from "effect"
import { AccountId } from "../../Services/Accounts/Ids.ts"
import * as Task from "../../Services/Jobs/Task.ts"

/** Reads the changes in an account's calendar. */
export const syncCalendar = Task.make("sync_calendar", {
  payload: Schema.Struct({ accountId: AccountId }),
  maxAttempts: 8
})

/** The key that limits an account to one waiting task. */
export const syncKey = (accountId: AccountId): string => `sync_calendar ${accountId}`

/** Finds calendars that are due for a read, because notices can get lost. */
export const sweepCalendars = Task.make("sweep_calendars", { payload: Schema.Struct({}), maxAttempts: 1 })

/** Deletes an event in an account's calendar, and notifies its attendees. */
export const deleteCalendarEvent = Task.make("delete_calendar_event", {
  sends: "calendar",
  payload: Schema.Struct({ accountId: AccountId, calendarId: Schema.String, eventId: Schema.String }),
  maxAttempts: 16
})
