/** What an account is asked to consent to. */
export const calendarScopes = {
  events: "https://www.googleapis.com/auth/calendar.events",
  busy: "https://www.googleapis.com/auth/calendar.freebusy"
} as const
