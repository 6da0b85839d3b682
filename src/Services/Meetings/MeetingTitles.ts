import type { Language } from "../Text/Language.ts"

const titles: { readonly [L in Language]: (business: string, lead: string) => string } = {
  "pt-BR": (business, lead) => `Reunião: ${business} e ${lead}`,
  en: (business, lead) => `Meeting: ${business} and ${lead}`,
  es: (business, lead) => `Reunión: ${business} y ${lead}`
}

/** The title of an invitation. Both sides have it in their calendars, so it names both, in the lead's language. */
export const invitationTitle = (business: string, lead: string, language: Language): string =>
  titles[language](business.trim(), lead.trim())
