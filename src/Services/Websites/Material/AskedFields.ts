import type { SiteField } from "../Site.ts"
import {
  type AskedField,
  begins,
  choicesIn,
  fieldIn,
  isDenied,
  isNoun,
  itemsOf,
  joins,
  requirementIn,
  withChoices,
  withTimes,
  yesNo,
  yesOrNo
} from "./FieldItems.ts"
import { fieldWordsOf, ofField } from "./FieldWords.ts"
import { capitalised, keyFor, type Statement, statementsOf, within, withoutEnd } from "./MaterialText.ts"

/**
 * The fields that an owner asks a form for, in the order and the words in which they are listed, each once, with its choices and
 * with what is said of whether it must be filled in.
 */
const mostFields = 12

/** The label of a list of fields, and what it says of all of them. */
const listLabel = /^(?:os |as |los |the )?(?:campos?|fields?|formul[aá]rio|form|datos|dados)\b/i

interface FieldList {
  readonly items: ReadonlyArray<string>
  readonly isRequired: boolean | undefined
}

/** "Ask for: a, b", or a survey whose items have choices: the fields are behind the colon. */
const behindColon = (text: string): string | undefined => {
  const [, before = "", behind = ""] = /^(.{0,120}?):\s(.{3,400})$/s.exec(text) ?? []
  if (behind === "") return undefined
  const haveChoices = itemsOf(behind).length > 1 && /\([^()]{3,120}[,/][^()]{1,120}\)/.test(behind)
  const isAsking = fieldWordsOf(before).some((word) => ofField(word, "ask") || /^(?:campos?|fields?|ter)$/.test(word))
  return haveChoices || (isAsking && begins(before) === undefined) ? behind : undefined
}

/** The fields of a list in a sentence, from the first item that is one. */
const inSentence = (text: string, hasFields: boolean): FieldList | undefined => {
  const items = withTimes(itemsOf(text))
  const first = items.findIndex((item) => begins(item) !== undefined)
  if (first < 0) return undefined
  const opening = items[first] ?? ""
  const nounCount = items.slice(first).filter((item) => fieldWordsOf(item).some(isNoun)).length
  const asking = fieldWordsOf(opening).filter((word) => ofField(word, "ask", "only"))
  // "With wine" asks for nothing, and "a form with name and phone" does.
  const behindVerb = asking.some((word) => !joins.test(word)) || (asking.length > 0 && nounCount > 1)
  // A bare list begins its sentence, and most of it are nouns of fields.
  const isBare = first === 0 && (nounCount >= 2 || (hasFields && nounCount === items.length))
  return behindVerb || isBare
    ? { items: [begins(opening) ?? "", ...items.slice(first + 1)], isRequired: undefined }
    : undefined
}

/** The fields that a sentence lists; undefined where it is no list of fields. */
const listIn = (statement: Statement, hasFields: boolean): FieldList | undefined => {
  const { isItem, label } = statement
  const text = withChoices(withoutEnd(statement.text, "."))
  const isLabelled = label !== "" && listLabel.test(label)
  if (isLabelled && isItem) return { items: [text], isRequired: requirementIn(label) }
  const source = isLabelled ? text : behindColon(text)
  return source === undefined
    ? inSentence(text, hasFields)
    : { items: withTimes(itemsOf(source)), isRequired: requirementIn(label) }
}

const sameLabel = (one: string, other: string): boolean => fieldWordsOf(one).join(" ") === fieldWordsOf(other).join(" ")

/** Of the fields those that a clause speaks of. */
const spokenOf = (clause: string, fields: ReadonlyArray<AskedField>): ReadonlyArray<AskedField> => {
  const words = new Set(fieldWordsOf(clause))
  const isSaid = (word: string): boolean =>
    words.has(word) || words.has(`${word}s`) || words.has(word.replace(/s$/, ""))
  const ownWords = ({ label }: AskedField): ReadonlyArray<string> =>
    fieldWordsOf(label).filter((word) => !ofField(word, "own") && word.length > 2)
  const whole = fields.filter((field) => ownWords(field).length > 0 && ownWords(field).every(isSaid))
  if (whole.length > 0) return whole
  // "The date" is the date of the move where there is only one.
  const partly = fields.filter((field) => ownWords(field).some((word) => isNoun(word) && isSaid(word)))
  return partly.length === 1 ? partly : []
}

const setRequired = (
  fields: ReadonlyArray<AskedField>,
  of: ReadonlyArray<AskedField>,
  isRequired: boolean
): ReadonlyArray<AskedField> => fields.map((field) => (of.includes(field) ? { ...field, isRequired } : field))

/** What a sentence says of whether fields must be filled in. */
const withRequirement = (
  text: string,
  fields: ReadonlyArray<AskedField>,
  isList: boolean
): ReadonlyArray<AskedField> => {
  let all = fields
  if (isList && !/\b(?:last|ultim[oa]|dois|dos|both|ambos)\b/.test(fieldWordsOf(text).join(" "))) return fields
  for (const clause of text.split(
    /;\s|,\s(?=(?:o |a |os |as |the |el |la )?(?:resto|rest|demais|everything|todo|tudo|all)\b)|\.\s/
  )) {
    const isRequired = requirementIn(clause)
    if (isRequired === undefined) continue
    const words = fieldWordsOf(clause)
    const spoken = spokenOf(clause, all)
    const [last] = all.slice(-1)
    if (/\b(?:last one|el ultimo|o ultimo|a ultima)\b/.test(words.join(" ")) && last !== undefined)
      all = setRequired(all, [last], isRequired)
    else if (spoken.length > 0 && words.some((word) => ofField(word, "only")) && isRequired)
      all = all.map((field) => ({ ...field, isRequired: spoken.includes(field) }))
    else if (spoken.length > 0 && !isList) all = setRequired(all, spoken, isRequired)
    else if (words.some((word) => ofField(word, "all")))
      all = setRequired(
        all,
        all.filter((field) => field.isRequired === undefined),
        isRequired
      )
  }
  return all
}

const tickLabel = /["“«]([^"”»]{4,100})["”»]/

/** "A tick box “I agree”": a box with its words. */
const tickIn = (text: string): AskedField | undefined => {
  const label = tickLabel.exec(text)?.[1]
  return label !== undefined && fieldWordsOf(text).some((word) => ofField(word, "tick"))
    ? {
        label: within(capitalised(withoutEnd(label, ".")), 120),
        kind: "checkbox",
        choices: [],
        isRequired: /\b(?:must(?!n)|tienen que|tem que|tiene que)\b/i.test(text)
      }
    : undefined
}

/** "La hora que se pueda elegir: 13:30, 15:00": choices of a field that is there, or a separate field. */
const choiceIn = (
  { label, text }: Statement,
  fields: ReadonlyArray<AskedField>
): ReadonlyArray<AskedField> | undefined => {
  const choices = label === "" ? [] : choicesIn(withoutEnd(text, "."))
  if (choices.length < 2 || label.split(" ").length > 8) return undefined
  const [there] = spokenOf(label, fields)
  if (there !== undefined)
    return fields.map((field) => (field === there ? { ...field, kind: "choice", choices } : field))
  const added = fieldIn(`${label} (${choices.join(", ")})`)
  return added === undefined ? undefined : [...fields, added]
}

const withField = (fields: ReadonlyArray<AskedField>, field: AskedField | undefined): ReadonlyArray<AskedField> =>
  field === undefined
    ? fields
    : fields.some(({ label }) => sameLabel(label, field.label))
      ? fields.map((each) =>
          sameLabel(each.label, field.label) ? { ...each, isRequired: field.isRequired ?? each.isRequired } : each
        )
      : [...fields, field]

/** "Email optional", "El teléfono también opcional": a field that comes with what is said of it. */
const withOptional = (text: string, fields: ReadonlyArray<AskedField>): ReadonlyArray<AskedField> => {
  const words = fieldWordsOf(text)
  const isShort = words.length <= 8 && words.some((word) => ofField(word, "optional", "required"))
  const yes = yesNo.test(withoutEnd(text, ".")) || yesOrNo.test(withoutEnd(text, "."))
  if ((!isShort && !yes) || spokenOf(text, fields).length > 0) return fields
  const field = fieldIn(text.replace(/^(?:Un campo para|A field for|Um campo para)\s/i, ""))
  return field === undefined || (!yes && !fieldWordsOf(field.label).some(isNoun)) ? fields : withField(fields, field)
}

const isAboutOther = (text: string): boolean => /[€£$]\s?\d|\d\s?[€£]|https?:|\d{3}[ .-]\d{3,4}/.test(text)

/** What is left of a statement before its list of fields: "A page for the raffle. They leave …" */
const beforeList = ({ text }: Statement, { items }: FieldList): string => {
  const at = text.indexOf(items[0] ?? "")
  if (at <= 0) return ""
  const clauses = text.slice(0, at).split(/,\s|;\s|\s(?:e|y|and)\s(?=eu |yo |i )/)
  // The last clause is the one that asks.
  return clauses.slice(0, -1).join(", ").trim()
}

/** "An optional question:" before the question itself. */
const isGeneric = (item: string): boolean => {
  const words = fieldWordsOf(item)
  return (
    words.some((word) => /^(?:perguntas?|preguntas?|questions?|campos?|fields?)$/.test(word)) &&
    words.every(
      (word) =>
        ofField(word, "own", "optional", "required") ||
        /^(?:perguntas?|preguntas?|questions?|campos?|fields?)$/.test(word)
    )
  )
}

/** "So that one can't be compulsory": about the item before it. */
const refersToLast = (item: string): boolean =>
  requirementIn(item) !== undefined &&
  !fieldWordsOf(item).some(isNoun) &&
  fieldWordsOf(item)
    .slice(0, 3)
    .some((word) => /^(?:that|this|one|eso|ese|esa|esse|essa|isso|este|esta|it)$/.test(word))

const isYesNo = (text: string): boolean => /^(?:sim ou n[aã]o|s[ií] o no|yes or no)[.!]?$/i.test(text)

/** "Is there a lift? Yes or no": choices of the question before it. */
const withYesNo = (fields: ReadonlyArray<AskedField>, text: string): ReadonlyArray<AskedField> => {
  const choices = choicesIn(withoutEnd(text, ".!")).map((choice) => capitalised(choice === "nao" ? "não" : choice))
  return fields.map((field, at) => (at === fields.length - 1 ? { ...field, kind: "choice", choices } : field))
}

const mostWordsLeftOut = 10

/** A form as a description asks for it. */
export interface AskedForm {
  /** Empty where it asks for none. */
  readonly fields: ReadonlyArray<AskedField>
  /** Of each statement what does not speak of fields; empty where all of it does. */
  readonly rest: ReadonlyArray<string>
}

/** The fields with those of a list. */
const withList = (before: ReadonlyArray<AskedField>, list: FieldList): ReadonlyArray<AskedField> => {
  let fields = before
  let ofNext: boolean | undefined
  for (const item of list.items) {
    if (isGeneric(item)) {
      ofNext = requirementIn(item)
      continue
    }
    if (refersToLast(item)) {
      fields = setRequired(fields, fields.slice(-1), requirementIn(item) ?? true)
      continue
    }
    const field = isDenied(item) && requirementIn(item) === undefined ? undefined : fieldIn(item)
    if (field !== undefined)
      fields = withField(fields, { ...field, isRequired: field.isRequired ?? ofNext ?? list.isRequired })
    ofNext = undefined
  }
  return fields
}

/** "Nothing else, no name": of fields, though it asks for none. */
const isLeftOut = (text: string): boolean =>
  isDenied(text) && fieldWordsOf(text).some(isNoun) && fieldWordsOf(text).length <= mostWordsLeftOut

/** What a statement adds to the fields that were asked for before it, and what it says of other things. */
const readFields = (
  before: ReadonlyArray<AskedField>,
  statement: Statement
): { readonly fields: ReadonlyArray<AskedField>; readonly rest: string } => {
  const { label, text } = statement
  const labelled = label === "" ? text : `${label}: ${text}`
  const tick = tickIn(labelled)
  const start = isYesNo(text) ? withYesNo(before, text) : before
  const listed = tick === undefined ? listIn(statement, start.length > 0) : undefined
  const requested = listLabel.test(label) ? text : labelled
  if (listed !== undefined && !isAboutOther(listed.items[0] ?? ""))
    return {
      fields: withRequirement(requested, withList(start, listed), true),
      rest: beforeList(statement, listed)
    }
  const withChoice = start.length > 0 ? (choiceIn(statement, start) ?? withOptional(text, start)) : start
  const fields = withRequirement(requested, withField(withChoice, tick), false)
  return { fields, rest: fields !== before || isRequirement(text) || isLeftOut(text) ? "" : text }
}

/** Reads which fields a description asks for, and what else it says. */
export const askedForm = (statements: ReadonlyArray<Statement>): AskedForm => {
  let fields: ReadonlyArray<AskedField> = []
  const rest: Array<string> = []
  for (const statement of statements) {
    const read = readFields(fields, statement)
    fields = read.fields
    rest.push(read.rest)
  }
  return { fields: fields.slice(0, mostFields), rest }
}

/** "All of it has to be filled in": of fields, though it names none. */
const isRequirement = (text: string): boolean =>
  (requirementIn(text) !== undefined || isYesNo(text)) && !/[€£$]\s?\d|\d\s?[€£%]/.test(text)

export const askedFieldsIn = (description: string): ReadonlyArray<AskedField> =>
  askedForm(statementsOf(description)).fields

/** The key by which a submission's value is found: the usual one for the first field of a kind. */
const keyOfField = ({ kind, label }: AskedField, usedKeys: ReadonlyArray<string>): string => {
  const words = fieldWordsOf(label)
  const usual =
    kind === "email" || kind === "phone"
      ? kind
      : (["name", "company", "role", "city"] as const).find((role) => words.some((word) => ofField(word, role)))
  return usual !== undefined && kind !== "choice" && kind !== "checkbox" && !usedKeys.includes(usual)
    ? usual
    : keyFor(label, usedKeys)
}

/** The asked fields as a form has them. What is asked for must be filled in, unless something else is said. */
export const asSiteFields = (requested: ReadonlyArray<AskedField>): ReadonlyArray<SiteField> => {
  const fields: Array<SiteField> = []
  for (const field of requested)
    fields.push({
      name: keyOfField(
        field,
        fields.map(({ name }) => name)
      ),
      label: field.label,
      kind: field.kind,
      is_required: field.isRequired ?? field.kind !== "checkbox",
      choices: field.choices
    })
  return fields
}
