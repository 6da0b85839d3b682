/** The permissions that an account is asked to grant. */
export const calendarScopes = {
  events: "https://www.googleapis.com/auth/calendar.events",
  busy: "https://www.googleapis.com/auth/calendar.freebusy"
} as const
