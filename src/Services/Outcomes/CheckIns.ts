import { say } from "../Messages/Messages.ts"
import type { Language } from "../Text/Language.ts"
import { clip } from "../Text/PlainText.ts"

const longestName = 120

/** The question to the owner about a lead that was taken over and has been quiet since. */
export const checkInQuestion = (language: Language, name: string): string =>
  say(language, "notices.news.lead_check_in", { who: clip(name, longestName) })
