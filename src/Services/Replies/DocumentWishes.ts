import { detectLanguage, type Language } from "../Text/Language.ts"
import { clip } from "../Text/PlainText.ts"
import type { Act } from "./Acts.ts"
import { actsByReader } from "./ReadActs.ts"
import { replyClassifier } from "./Readers/ReplyClassifier.ts"

const mostWishes = 3
const longestWish = 300

/** The sentences of a reply that ask for a document with certainty. */
export const documentWishesIn = (acts: ReadonlyArray<Act>): ReadonlyArray<string> =>
  [
    ...new Set(acts.flatMap(({ isCertain, kind, text }) => (kind === "wants_document" && isCertain ? [text] : [])))
  ].slice(0, mostWishes)

/** Whether what was put to the owner is a wish for a document rather than a question. */
export const asksForDocument = (text: string, language: Language): boolean =>
  documentWishesIn(
    actsByReader(clip(text, longestWish), replyClassifier(), {
      today: "2026-01-05",
      figures: "day",
      language: detectLanguage(text) ?? language
    })
  ).length > 0
