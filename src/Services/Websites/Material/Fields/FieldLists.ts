import { type Statement, withoutEnd } from "../MaterialText.ts"
import {
  type AskedField,
  begins,
  isContactNoun,
  isNoun,
  itemsOf,
  joins,
  requirementIn,
  withChoices,
  withListedChoices,
  withRequirementApart,
  withTimes
} from "./FieldItems.ts"
import { spokenOf } from "./FieldRequirements.ts"
import { fieldWordsOf, ofField } from "./FieldWords.ts"

/** Lists of fields: "Fields: name, phone", "ask for name and phone", "name, phone and size (small, large)". */

type Fields = ReadonlyArray<AskedField>

/** Whether a word before a colon says that fields are behind it. "Have" and "want" are said of other things too. */
const announcesFields = (word: string): boolean =>
  ofField(word, "field", "ask", "required", "optional") ||
  (ofField(word, "needs") && !/^(?:have|know|want|ter|tener|saber|quero|quiero)$/.test(word))

/** Whether a label says that fields are behind it: "Fields", "Pedir", "What I need", "Optional". */
const isListLabel = (label: string): boolean => {
  const words = fieldWordsOf(label)
  return (
    words.some(announcesFields) &&
    words.every((word) =>
      ofField(word, "field", "ask", "needs", "required", "optional", "own", "plain", "only", "subject", "vague", "all")
    )
  )
}

export interface FieldList {
  /** The whole sentence that contains the list. */
  readonly text: string
  /** The part of the sentence before the list. It requests no field. */
  readonly before: string
  /** The words before a colon that announce the list. */
  readonly lead: string
  readonly items: ReadonlyArray<string>
  readonly isRequired: boolean | undefined
  /** True if the words before the list say that it lists fields. */
  readonly isLabelled: boolean
  /** True if a verb asks for the listed fields. */
  readonly isAsked: boolean
}

/** "Nothing but the e-mail", "nada más el correo": only that. */
const nothingBut =
  /\b(?:nada m[áa]s(?: que)?|nada mais(?: que)?|nothing (?:else |more )?(?:but|than)|no more than|não mais que)\s(?=(?:o |a |el |la |the |su |seu |their )?\p{L})/giu
const onlyThat = (text: string): string => text.replace(nothingBut, "only ").replace(/\b(fills?) (?:in|out)\b/gi, "$1")

const listOf = (text: string): ReadonlyArray<string> =>
  withTimes(withListedChoices(withRequirementApart(itemsOf(onlyThat(text)))))

/** "Ask for: a, b", or a survey whose items have choices: the fields are behind the colon. */
const behindColon = (text: string): string | undefined => {
  const [, before = "", behind = ""] = /^(.{0,120}?):\s(.{3,400})$/s.exec(text) ?? []
  if (behind === "") return undefined
  const haveChoices = itemsOf(behind).length > 1 && /\([^()]{3,120}[,/][^()]{1,120}\)/.test(behind)
  const isAsking = fieldWordsOf(before).some((word) => announcesFields(word) || word === "ter")
  return haveChoices || (isAsking && begins(before) === undefined) ? behind : undefined
}

const joiningWord = /\s(?:e|y|and)$/i

/** The text before an item, without the marks and the joining word between them. */
const beforeItem = (text: string, item: string): string =>
  withoutEnd(withoutEnd(text.slice(0, Math.max(0, text.indexOf(item))), " ,;\n").replace(joiningWord, ""), " ,;\n")

/** The fields of a list in a sentence, from the first item that is one. */
const inSentence = (text: string, fields: Fields): FieldList | undefined => {
  const items = listOf(text)
  const first = items.findIndex((item) => begins(item) !== undefined)
  if (first < 0) return undefined
  const opening = items[first] ?? ""
  const nounItems = items.slice(first).filter((item) => fieldWordsOf(item).some(isNoun))
  // "The phone and the e-mail are optional" lists no other fields.
  if (requirementIn(text) !== undefined && nounItems.every((item) => spokenOf(item, fields).length > 0))
    return undefined
  const asking = fieldWordsOf(opening).filter((word) => ofField(word, "ask", "only"))
  // "With wine" asks for nothing, and "a form with name and phone" does.
  const asks = asking.some((word) => !joins.test(word)) || (asking.length > 0 && nounItems.length > 1)
  // "A page to ask for a free consultation" says what the page is for.
  const isOfPage = /\b(?:p[aá]gina|page|landing)\b/i.test(opening) && nounItems.length === 1
  const behindVerb = asks && (!isOfPage || fieldWordsOf(opening).some(isContactNoun))
  // A bare list begins its sentence, and most of it are nouns of fields.
  const contacts = nounItems.filter((item) => begins(item) !== undefined && fieldWordsOf(item).some(isContactNoun))
  const isBare =
    contacts.length > 1 ||
    (first === 0 && (nounItems.length >= 2 || (fields.length > 0 && nounItems.length === items.length)))
  return behindVerb || isBare
    ? {
        text,
        before: beforeItem(text, opening),
        lead: "",
        items: [begins(opening) ?? "", ...items.slice(first + 1)],
        isRequired: undefined,
        isLabelled: false,
        isAsked: behindVerb
      }
    : undefined
}

/** "All but the phone are required:" holds for some of the fields behind it. */
export const hasExceptions = (lead: string): boolean =>
  requirementIn(lead) !== undefined &&
  fieldWordsOf(lead).some((word) => isNoun(word) || ofField(word, "except", "only"))

/** Reads the fields that a sentence lists. Undefined if it is not a list of fields. */
export const listIn = (statement: Statement, fields: Fields): FieldList | undefined => {
  const { isItem, label } = statement
  const text = withChoices(withoutEnd(statement.text, "."))
  const isLabelled = label !== "" && isListLabel(label)
  if (isLabelled && isItem)
    return { text, before: "", lead: label, items: [text], isRequired: requirementIn(label), isLabelled, isAsked: true }
  const source = isLabelled ? text : behindColon(text)
  if (source === undefined) return inSentence(text, fields)
  const lead = isLabelled ? "" : beforeItem(text, source).replace(/:$/, "")
  // "Waiting list of the Blue Kennels: name of the dog, …": what is before the colon asks for nothing.
  const before = isListLabel(lead) ? "" : lead
  const announced = isLabelled ? label : lead
  return {
    text,
    before,
    lead: announced,
    items: listOf(source),
    isRequired: hasExceptions(announced) ? undefined : requirementIn(announced),
    isLabelled: true,
    isAsked: true
  }
}
