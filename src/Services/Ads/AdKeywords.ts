import { type Refused, refused } from "../../Errors.ts"
import { isSingleLine } from "../Text/SingleLine.ts"
import { linesOf } from "./AdTexts.ts"

export const maximumKeywordLength = 80
export const mostKeywordWords = 10
export const mostKeywordsAtATime = 200

/** Characters that the ads platform rejects in keywords. Commas are replaced by spaces before. */
const forbidden = "!@%^*()={};~`<>?\\|"
/** Match type notation of other tools. Here the match type is a parameter. */
const notation = '[]"'

export interface GivenKeyword {
  readonly given: string
  /** The keyword as sent to the platform, with spaces instead of commas. */
  readonly text: string
}

export const keywordKey = (text: string): string => text.toLowerCase()

const problem = (text: string): Refused | undefined => {
  const fields = { parameter: "keywords", keyword: text.length > 200 ? `${text.slice(0, 200)}…` : text }
  const length = [...text].length
  if (length > maximumKeywordLength) {
    return refused(
      "keyword_too_long",
      `A keyword is ${length} characters long; at most ${maximumKeywordLength} are taken.`,
      "Shorten it, or put each keyword on a line of its own.",
      { ...fields, maximum: maximumKeywordLength }
    )
  }
  const words = text.split(" ").length
  if (words > mostKeywordWords) {
    return refused(
      "keyword_too_many_words",
      `A keyword has ${words} words; at most ${mostKeywordWords} are taken.`,
      "Shorten it, or put each keyword on a line of its own.",
      { ...fields, maximum: mostKeywordWords }
    )
  }
  const wrong = [...text].find((character) => forbidden.includes(character) || notation.includes(character))
  if (wrong !== undefined) {
    return refused(
      "keyword_character",
      `A keyword has the character ${wrong}, which the platform does not take.`,
      notation.includes(wrong)
        ? "Leave brackets and quotes out: match_type says how a keyword matches."
        : "Leave the character out.",
      { ...fields, character: wrong }
    )
  }
  return isSingleLine(text)
    ? undefined
    : refused("control_characters", "A keyword has control characters.", "Send plain text.", fields)
}

/**
 * Parses keywords, one per line, and removes duplicates. Refused with the first keyword that the platform would reject.
 */
export const checkedKeywords = (text: string): ReadonlyArray<GivenKeyword> | Refused => {
  const lines = linesOf(text)
  if (lines.length === 0) {
    return refused("keywords_empty", "There is no keyword.", "Send one per line.", {
      parameter: "keywords",
      minimum: 1
    })
  }
  if (lines.length > mostKeywordsAtATime) {
    return refused(
      "too_many_keywords",
      `${lines.length} keywords came; at most ${mostKeywordsAtATime} are taken in a call.`,
      "Send them in several calls.",
      { parameter: "keywords", maximum: mostKeywordsAtATime }
    )
  }
  const keywords = new Map<string, GivenKeyword>()
  for (const given of lines) {
    const stored = given.replaceAll(",", " ").split(" ").filter(Boolean).join(" ")
    if (stored === "") {
      return refused("keyword_empty", "A line has commas alone.", "Send one keyword per line.", {
        parameter: "keywords",
        keyword: given.slice(0, 200)
      })
    }
    const wrong = problem(stored)
    if (wrong !== undefined) return wrong
    if (!keywords.has(keywordKey(stored))) keywords.set(keywordKey(stored), { given, text: stored })
  }
  return [...keywords.values()]
}
