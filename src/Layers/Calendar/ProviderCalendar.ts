import type { GoogleCalendar } from "./Google/GoogleCalendar.ts"

/**
 * A calendar at a provider, whichever it is. Events have the shape of the first provider's, and other adapters map theirs
 * to it.
 */
export type ProviderCalendar = GoogleCalendar
