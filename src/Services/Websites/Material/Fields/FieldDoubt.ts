import { detectLanguage, Language } from "../../../Text/Language.ts"
import { senseOf } from "../ClauseClassifier.ts"
import { phonesIn } from "../MaterialContacts.ts"
import {
  type AskedField,
  begins,
  isAsLiked,
  isConditional,
  isContactNoun,
  isDenied,
  isNoun,
  isOnlyIfLiked,
  itemsOf,
  requirementIn,
  withoutLead
} from "./FieldItems.ts"
import { hasScope } from "./FieldRequirements.ts"
import { type FieldRole, fieldWordsOf, inLongForms, ofField } from "./FieldWords.ts"

/**
 * Checks whether statements about form fields were fully understood. A single unexplained word can reverse the meaning,
 * so the owner is asked about such a sentence.
 */

/** Roles of words that say how fields are requested but do not name a field. */
const explained: ReadonlyArray<FieldRole> = [
  "ask",
  "needs",
  "field",
  "optional",
  "required",
  "needed",
  "blank",
  "all",
  "except",
  "only",
  "last",
  "same",
  "tick",
  "own",
  "denial",
  "drop",
  "wish",
  "plain",
  "end"
]

const isTelling = (word: string): boolean =>
  isNoun(word) || ofField(word, "required", "optional", "blank", "condition", "field")

/** Where a reason or a remark begins that says nothing of fields: "because they never answer", "some don't want to say". */
const beginsRemark = (words: ReadonlyArray<string>, at: number): boolean =>
  (ofField(words[at] ?? "", "reason", "subject") && !words.slice(at).some(isTelling)) ||
  // What is asked only if it is wanted is optional, whatever it is wanted for.
  (ofField(words[at] ?? "", "only") && isOnlyIfLiked(words.slice(at))) ||
  // "For when it is ready", "para que eu ligue".
  (/^(?:for|para|pra)$/.test(words[at] ?? "") &&
    /^(?:when|que|eu|cuando|nos)$/.test(words[at + 1] ?? "") &&
    !words.slice(at + 2).some(isTelling))

/** True if the whole text is a remark that says nothing about fields. */
export const isRemark = (text: string): boolean => {
  const words = fieldWordsOf(text)
  const first = words.findIndex((word) => !ofField(word, "plain", "own") || ofField(word, "reason", "subject"))
  return first >= 0 && beginsRemark(words, first)
}

/** True if every word of a text names one of these fields or says how they are requested. */
export const isExplained = (text: string, fields: ReadonlyArray<AskedField>): boolean => {
  const fieldWords = new Set(fields.flatMap(({ choices, label }) => fieldWordsOf([label, ...choices].join(" "))))
  const words = fieldWordsOf(text)
  const remark = words.findIndex((_, at) => beginsRemark(words, at))
  const liked = isAsLiked(words) ? words.findLastIndex((word) => /^(?:if|se|si)$/.test(word)) : -1
  const ends = [remark, liked].filter((at) => at >= 0)
  return words
    .slice(0, ends.length === 0 ? undefined : Math.min(...ends))
    .every(
      (word) =>
        fieldWords.has(word) ||
        fieldWords.has(`${word}s`) ||
        fieldWords.has(word.replace(/s$/, "")) ||
        ofField(word, ...explained)
    )
}

/** Whether a text says how fields are asked for, and names none: "only that", "nothing else". */
export const namesNothing = (text: string): boolean => isExplained(text, []) && !fieldWordsOf(text).some(isNoun)

const mostWords = 6
const mostUnknownWords = 3

interface Place {
  /** Whether the list is said to be one of fields: "Fields: …". */
  readonly isLabelled: boolean
  /** Whether the items on both sides of it are fields for certain. */
  readonly isAmong: boolean
}

const isQuestion = (item: string): boolean =>
  /\?/.test(item) || [item, withoutLead(item)].some((text) => ofField(fieldWordsOf(text)[0] ?? "", "question"))

/** True if an item can only be a form field. */
const isSure = (item: string, { choices, label }: AskedField, { isAmong, isLabelled }: Place): boolean => {
  const words = fieldWordsOf(label)
  const content = words.filter((word) => !ofField(word, "own") && word.length > 2)
  if (content.length === 0 || content.every((word) => ofField(word, "vague"))) return false
  if (choices.length > 1 || isQuestion(item)) return true
  if (words.some((word) => ofField(word, "loose"))) return false
  const most = words.some(isNoun) || isLabelled ? mostWords : isAmong ? mostUnknownWords : 0
  return words.length <= most
}

export interface ReadItem {
  readonly item: string
  readonly field: AskedField
}

/** A list with so many certain fields is one of fields. */
const fewestSure = 2

/** Whether every word of a label is too vague to be asked for: "the usual details". */
const isVague = ({ choices, label }: AskedField): boolean => {
  const content = fieldWordsOf(label).filter((word) => !ofField(word, "own") && word.length > 2)
  return choices.length === 0 && (content.length === 0 || content.some((word) => ofField(word, "vague")))
}

/** The list items that are not certainly form fields. In a list that is surely one of fields, an item has its owner's own label. */
export const doubtfulItems = (
  all: ReadonlyArray<ReadItem>,
  { isAsked, isLabelled }: { readonly isAsked: boolean; readonly isLabelled: boolean }
): ReadonlyArray<string> => {
  const isFieldAt = (at: number): boolean => {
    const each = all[at]
    return each !== undefined && isSure(each.item, each.field, { isAmong: false, isLabelled: false })
  }
  const sureCount = all.filter((_, at) => isFieldAt(at)).length
  const isList = (isAsked || isLabelled) && sureCount >= fewestSure
  return all
    .filter(({ field, item }, at) => {
      if (isList) return isVague(field) || (isConditional(item) && !isLabelled && !isAsLiked(fieldWordsOf(item)))
      // The last of a list is among its fields too, where it is written like them.
      const isLast = at === all.length - 1 && at > 1 && isFieldAt(at - 2) && /^\p{Ll}/u.test(item)
      const isAmong = isFieldAt(at - 1) && (isFieldAt(at + 1) || isLast)
      return !isSure(item, field, { isAmong, isLabelled }) || !isExplained(inLongForms(withoutLead(item)), [field])
    })
    .map(({ item }) => item)
}

const nearAsk = 4

/** True if a text requests a field: a verb of asking, followed closely by a word for a field. */
const asksForField = (text: string): boolean => {
  const words = fieldWordsOf(text)
  // "A page to ask for a consultation".
  if (/\b(?:p[aá]gina|page|landing)\b/i.test(text) && !words.some(isContactNoun)) return false
  return words.some(
    (word, at) =>
      (ofField(word, "ask") &&
        !/^(?:com|con|with)$/.test(word) &&
        // "A capture page of the course" asks for no course.
        !/^(?:de|of)$/.test(words[at - 1] ?? "") &&
        words.slice(at + 1, at + 1 + nearAsk).some(isNoun)) ||
      (ofField(word, "needs") && words.slice(at + 1, at + nearAsk).some(isContactNoun))
  )
}

/**
 * True if a text contains an amount, a web or mail address or a phone number, and so is about something other than
 * fields.
 */
export const isAboutOther = (text: string): boolean =>
  /[€£$]\s?\d|\d\s?[€£]|https?:|\d{3}[ .-]?\d{3,4}|\S@\S/.test(text) || phonesIn(text).length > 0 || isClaim(text)

/** Fewer words are a field as well as a sentence: "first name". */
const fewestWordsOfClaim = 4

/** "We take children from one year on" says what is offered, though it has words of fields. */
const isClaim = (text: string): boolean => {
  if (text.split(/\s+/).length < fewestWordsOfClaim) return false
  const language = detectLanguage(text)
  return (language === undefined ? Language.literals : [language]).some((each) => {
    const { isCertain, isLikely } = senseOf(text, each)
    return isCertain("claim") && !isLikely("order") && !isLikely("offer")
  })
}

/** Whether its items look like fields: several contacts, or choices or "the usual details" next to one. */
const listsFields = (text: string): boolean => {
  const items = itemsOf(text)
  const first = items.filter((item) => begins(item) !== undefined)
  const isVague = (item: string): boolean =>
    fieldWordsOf(item).some((word) => ofField(word, "vague")) &&
    fieldWordsOf(item).every((word) => ofField(word, "vague", "own", "plain"))
  return (
    first.length > 1 ||
    items.filter((item) => fieldWordsOf(item).some(isContactNoun)).length > 1 ||
    (first.length > 0 && items.some(isVague)) ||
    first.some((item) => /\([^()]{3,120}[,/][^()]{1,120}\)/.test(item))
  )
}

/** "On the form the usual details", "ask bedrooms pets zip name phone": what a form asks for, in words that are no list. */
const speaksOfForm = (text: string): boolean => {
  const words = fieldWordsOf(text)
  const [first = ""] = words
  const isOfForm = words.some((word) => /^(?:form|forms|formulario|fields?|campos?)$/.test(word))
  return (
    (isOfForm && words.some((word) => ofField(word, "vague"))) ||
    (ofField(first, "ask") && words.filter(isNoun).length > 1)
  )
}

/** True if a sentence seems to be about fields although it was not read as such. */
export const speaksOfFields = (text: string): boolean =>
  speaksOfForm(text) ||
  (!isAboutOther(text) &&
    !isDenied(text) &&
    (asksForField(text) ||
      listsFields(text) ||
      (requirementIn(text) !== undefined && hasScope(text) && fieldWordsOf(text).some(isTelling))))
