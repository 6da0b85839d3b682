import { say } from "../Messages/Messages.ts"
import type { Language } from "../Text/Language.ts"

/** The title of an invitation. Both sides have it in their calendars, so it names both, in the lead's language. */
export const invitationTitle = (business: string, lead: string, language: Language): string =>
  say(language, "meetings.invitation_title", { business: business.trim(), lead: lead.trim() })
