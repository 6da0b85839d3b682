import { say } from "../../Messages/Messages.ts"
import type { Language } from "../../Text/Language.ts"
import { type LegalTerm, legalTermOf } from "../../Text/LegalTerm.ts"
import type { ReviewReason } from "../ReplySituation.ts"

/** The GDPR gives a month, which is shorter than 30 days from the end of January. */
const termText = ({ days, law }: LegalTerm, language: Language): ReadonlyArray<string> => {
  if (law === null || days === null) return []
  return law === "GDPR" || law === "UK GDPR"
    ? [say(language, "suggestions.term.month", { law })]
    : [say(language, "suggestions.term.days", { law, days })]
}

/**
 * Why a person is asked, and what that person can do about a reply: two or three suggestions. `country` is the lead's, for
 * the term of its law.
 */
export const suggestedActions = (reason: ReviewReason, country: string | null, language: Language): string =>
  [
    say(language, `suggestions.${reason}`),
    ...(reason === "legal_request" ? termText(legalTermOf(country), language) : [])
  ].join(" ")
