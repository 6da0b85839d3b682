import type { GoogleCalendar } from "./Google/GoogleCalendar.ts"

/** A calendar at any provider. Events have the first provider's format, and other adapters convert theirs to it. */
export type ProviderCalendar = GoogleCalendar
