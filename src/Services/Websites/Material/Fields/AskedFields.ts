import type { SiteField } from "../../Site.ts"
import { capitalised, keyFor, type Statement, statementsOf, withoutEnd } from "../MaterialText.ts"
import {
  doubtfulItems,
  isAboutOther,
  isExplained,
  isRemark,
  namesNothing,
  type ReadItem,
  speaksOfFields
} from "./FieldDoubt.ts"
import {
  type AskedField,
  begins,
  choicesIn,
  fieldIn,
  isDenied,
  isNoun,
  itemsOf,
  requirementIn,
  yesNo,
  yesOrNo
} from "./FieldItems.ts"
import { type FieldList, hasExceptions, listIn } from "./FieldLists.ts"
import { hasScope, setRequired, spokenOf, withRequirements } from "./FieldRequirements.ts"
import { isTick, tickIn } from "./FieldTicks.ts"
import { fieldWordsOf, ofField } from "./FieldWords.ts"
import { isSecret } from "./SecretFields.ts"

/**
 * Reads which fields an owner wants in a form: in the listed order and wording, with choices and whether they are
 * required. Statements about fields that are not fully understood are returned for a question to the owner.
 */
const mostFields = 12

type Fields = ReadonlyArray<AskedField>

const sameLabel = (one: string, other: string): boolean => fieldWordsOf(one).join(" ") === fieldWordsOf(other).join(" ")

/** Reads "La hora que se pueda elegir: 13:30, 15:00" as the choices of an existing field, or as a new field. */
const choiceIn = ({ isItem, label, text }: Statement, fields: Fields): Fields | undefined => {
  const choices = label === "" || isItem ? [] : choicesIn(withoutEnd(text, "."))
  if (choices.length < 2 || label.split(" ").length > 8) return undefined
  const [there] = spokenOf(label, fields)
  if (there !== undefined)
    return fields.map((field) => (field === there ? { ...field, kind: "choice", choices } : field))
  const added = fieldWordsOf(label).some(isNoun) ? fieldIn(`${label} (${choices.join(", ")})`) : undefined
  return added === undefined ? undefined : [...fields, added]
}

const withField = (fields: Fields, field: AskedField | undefined): Fields =>
  field === undefined
    ? fields
    : fields.some(({ label }) => sameLabel(label, field.label))
      ? fields.map((each) =>
          sameLabel(each.label, field.label) ? { ...each, isRequired: field.isRequired ?? each.isRequired } : each
        )
      : [...fields, field]

/** Words that introduce one more field in a sentence. */
const oneMore = /^(?:Un campo para|A field for|Um campo para)\s/i
const mostWordsOfOneMore = 12

/** Reads a field together with its requirement: "Email optional", "El teléfono también opcional". */
const withOptional = (text: string, fields: Fields): Fields => {
  const words = fieldWordsOf(text)
  const isShort = words.length <= mostWordsOfOneMore && requirementIn(text) !== undefined && !hasScope(text)
  const yes = yesNo.test(withoutEnd(text, ".")) || yesOrNo.test(withoutEnd(text, "."))
  if ((!isShort && !yes) || spokenOf(text, fields).length > 0) return fields
  const field = fieldIn(text.replace(oneMore, ""))
  return field === undefined || isDenied(text) || (!yes && !fieldWordsOf(field.label).some(isNoun))
    ? fields
    : withField(fields, field)
}

/** True for a phrase that introduces a question: "An optional question:". */
const isGeneric = (item: string): boolean => {
  const words = fieldWordsOf(item)
  const isOfFields = (word: string): boolean => /^(?:perguntas?|preguntas?|questions?|campos?|fields?)$/.test(word)
  return (
    words.some(isOfFields) && words.every((word) => ofField(word, "own", "optional", "required") || isOfFields(word))
  )
}

/**
 * True for a statement about the previous item: "So that one can't be compulsory", "leave that out", or "optional"
 * alone.
 */
const refersToLast = (item: string): boolean =>
  !fieldWordsOf(item).some(isNoun) &&
  (namesNothing(item) ||
    fieldWordsOf(item)
      .slice(0, 3)
      .some((word) => /^(?:that|this|one|eso|ese|esa|esse|essa|isso|este|esta|it)$/.test(word)))

const yesOrNoAlone = /^\(?(?:sim|s[ií]|yes)\s?(?:ou|or|o|\/)\s?(?:n[aã]o|no)\)?[.!]?$/i
const bracketAlone = /^\([^()]{3,200}\)[.!]?$/

/** Reads the choices for the question before them: "Is there a lift? Yes or no", "Which day? (Monday, Tuesday)". */
const answersOf = (text: string): ReadonlyArray<string> => {
  if (!yesOrNoAlone.test(text) && !bracketAlone.test(text)) return []
  return choicesIn(text.replace(/[().!]/g, "")).map((choice) => capitalised(choice === "nao" ? "não" : choice))
}

const withAnswers = (fields: Fields, choices: ReadonlyArray<string>): Fields =>
  choices.length < 2
    ? fields
    : fields.map((field, at) => (at === fields.length - 1 ? { ...field, kind: "choice", choices } : field))

interface FieldsRead {
  readonly fields: Fields
  /** Statements about fields that were not understood with certainty. */
  readonly unread: ReadonlyArray<string>
}

interface ListRead extends FieldsRead {
  readonly items: ReadonlyArray<ReadItem>
  /** Remarks between the fields. */
  readonly remarks: ReadonlyArray<string>
}

/** True if an item is about the owner: "I'm Jardines Alcor". */
const isOfAsker = (item: string): boolean => /^(?:soy|somos|sou|i['’]?m|we['’]?re|we are|i am)\s/i.test(item)

/** Reads a requirement with its scope, perhaps after one more field: "All required", "phone both optional". */
const withScoped = (read: ListRead, item: string): ListRead => {
  const field = fieldIn(item)
  const isField =
    field !== undefined && fieldWordsOf(field.label).some(isNoun) && spokenOf(field.label, read.fields).length === 0
  const before = isField ? withField(read.fields, { ...field, isRequired: undefined }) : read.fields
  const { fields, isRead, unread } = withRequirements(item, before)
  return {
    ...read,
    fields,
    items: isField ? [...read.items, { item, field }] : read.items,
    unread: [...read.unread, ...(isRead ? unread : [item])]
  }
}

const bracketIn = (item: string): string => /\(([^()]{3,60})\)/.exec(item)?.[1] ?? ""

/** Adds the next item to a list. */
const withItem = (read: ListRead, item: string, list: FieldList, ofNext: boolean | undefined): ListRead => {
  const { fields } = read
  const isRequired = requirementIn(item)
  const inBrackets = bracketIn(item)
  if (isOfAsker(item)) return { ...read, remarks: [...read.remarks, item] }
  if (isTick(item)) return { ...read, fields: withField(fields, tickIn(item)) }
  if (isRequired !== undefined && hasScope(item) && inBrackets === "") return withScoped(read, item)
  if (isRequired !== undefined && refersToLast(item))
    return { ...read, fields: setRequired(fields, fields.slice(-1), isRequired) }
  const spoken = isRequired === undefined ? [] : spokenOf(item, fields)
  if (spoken.length === 1) return { ...read, fields: setRequired(fields, spoken, isRequired ?? true) }
  // The item is asked for and excluded in the same text.
  if (isRequired === undefined && isDenied(item))
    return spokenOf(item, fields).length > 0 ? { ...read, unread: [...read.unread, item] } : read
  if (isRemark(item) || namesNothing(item) || isSecret(item)) return read
  return withOneField(read, item, ofNext ?? list.isRequired)
}

/** Adds an item that is a field to a list. */
const withOneField = (read: ListRead, item: string, isRequired: boolean | undefined): ListRead => {
  const field = fieldIn(item)
  if (field === undefined) return { ...read, unread: [...read.unread, item] }
  const inBrackets = bracketIn(item)
  const requested = { ...field, isRequired: field.isRequired ?? isRequired }
  const extended = withField(read.fields, requested)
  const inner = requirementIn(inBrackets) !== undefined && hasScope(inBrackets)
  return {
    ...read,
    items: [...read.items, { item, field }],
    fields: inner ? withRequirements(inBrackets, extended).fields : extended
  }
}

/** Adds the fields of a list. */
const withList = (before: Fields, list: FieldList): ListRead => {
  let read: ListRead = { fields: before, unread: [], items: [], remarks: [] }
  let ofNext: boolean | undefined
  for (const item of list.items) {
    if (isGeneric(item)) {
      ofNext = requirementIn(item)
      continue
    }
    read = withItem(read, item, list, ofNext)
    ofNext = undefined
  }
  return { ...read, unread: [...read.unread, ...doubtfulItems(read.items, list)] }
}

const mostWordsLeftOut = 10

/** True for statements that exclude fields and request none: "Nothing else, no name". */
const isLeftOut = (text: string): boolean =>
  isDenied(text) && fieldWordsOf(text).some(isNoun) && fieldWordsOf(text).length <= mostWordsLeftOut

/** The form that a description asks for. */
export interface AskedForm {
  /** Empty if the description asks for no fields. */
  readonly fields: Fields
  /** For each statement, the part that is not about fields. Empty if all of it is. */
  readonly rest: ReadonlyArray<string>
  /** Statements about fields that were not understood with certainty. */
  readonly unread: ReadonlyArray<string>
}

interface StatementRead extends FieldsRead {
  readonly rest: string
}

/** Short items before the first recognised field may be fields too. */
const mayBeginBefore = ({ before, isAsked, isLabelled }: FieldList): boolean =>
  before !== "" &&
  !isLabelled &&
  (fieldWordsOf(before).some((word) => /^(?:saber|know)$/.test(word)) ||
    (!isAsked && itemsOf(before).every((item) => fieldWordsOf(item).length <= 2)))

/** Adds the fields of a list to those requested before it. */
const readList = (before: Fields, list: FieldList): StatementRead => {
  const listed = withList(before, list)
  const required = hasExceptions(list.lead)
    ? withRequirements(list.lead, listed.fields)
    : { fields: listed.fields, isRead: true, unread: [] }
  const doubts = required.isRead ? required.unread : [list.lead]
  const read = { ...listed, fields: required.fields, unread: [...listed.unread, ...doubts] }
  const isCut = mayBeginBefore(list)
  return {
    fields: read.fields,
    rest: [list.before, ...read.remarks].filter((each) => each !== "").join(". "),
    unread: isCut ? [...read.unread, list.text] : read.unread
  }
}

/** So many fields are a list that its owner gave. */
const fewestOfList = 2

/** Whether a text leaves out a field that was asked for before it, by its whole label. */
const deniesField = (text: string, fields: Fields): boolean => {
  const words = new Set(fieldWordsOf(text))
  return fields.some(({ label }) =>
    fieldWordsOf(label)
      .filter((word) => !ofField(word, "own", "plain"))
      .every((word) => words.has(word))
  )
}

/** Reads a statement without a list: what it says about fields, and what may be about fields but is not understood. */
const readOther = (
  before: Fields,
  statement: Statement,
  labelled: string,
  tick: AskedField | undefined
): StatementRead => {
  const { text } = statement
  const isOther = isAboutOther(text)
  const withChoice = before.length > 0 ? (choiceIn(statement, before) ?? withOptional(text, before)) : before
  const extended = withField(withChoice, tick)
  const required = isOther ? { fields: extended, isRead: false, unread: [] } : withRequirements(labelled, extended)
  const { fields } = required
  if (fields !== before || required.isRead) {
    const isWhole = tick !== undefined || isExplained(labelled, fields)
    return { fields, rest: "", unread: isWhole ? required.unread : [...required.unread, text] }
  }
  const spoken = spokenOf(text, fields)
  if (isLeftOut(text)) return { fields, rest: "", unread: deniesField(text, fields) ? [text] : [] }
  // The condition may concern later fields or none: "optional if you are a member".
  const isOfField =
    !isOther && requirementIn(text) !== undefined && fieldWordsOf(text).length <= mostWordsLeftOut && spoken.length > 0
  // Behind a whole list, a sentence that only has words of fields asks for nothing: "minimum 3 days".
  const isUnread = required.unread.length > 0 || isOfField || (fields.length < fewestOfList && speaksOfFields(text))
  return { fields, rest: text, unread: isUnread ? [text] : [] }
}

/** Adds a statement's fields to those requested before it, and returns the rest of the statement. */
const readFields = (before: Fields, statement: Statement): StatementRead => {
  const { label, text } = statement
  const labelled = label === "" ? text : `${label}: ${text}`
  const answers = answersOf(text)
  if (before.length > 0 && answers.length > 1) return { fields: withAnswers(before, answers), rest: "", unread: [] }
  const isOnlyTick = isTick(labelled) && itemsOf(labelled).every((item) => isTick(item) || begins(item) === undefined)
  const tick = isOnlyTick ? tickIn(labelled) : undefined
  const listed = tick === undefined ? listIn(statement, before) : undefined
  return listed !== undefined && !isAboutOther(listed.items.length === 1 ? text : (listed.items[0] ?? ""))
    ? readList(before, listed)
    : readOther(before, statement, labelled, tick)
}

/** Reads which fields a description asks for, and the rest of its statements. */
export const askedForm = (statements: ReadonlyArray<Statement>): AskedForm => {
  let fields: Fields = []
  const rest: Array<string> = []
  const unread: Array<string> = []
  for (const statement of statements) {
    // A quoted text is content for visitors.
    if (/^["“«]/.test(statement.text)) {
      rest.push(statement.text)
      continue
    }
    const read = readFields(fields, statement)
    fields = read.fields
    rest.push(read.rest)
    unread.push(...read.unread)
  }
  return { fields: fields.slice(0, mostFields), rest, unread: [...new Set(unread)] }
}

export const askedFieldsIn = (description: string): Fields => askedForm(statementsOf(description)).fields

/** The field's key in submissions. The first field of a common kind gets the usual key. */
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

/** Converts the requested fields into fields of a form. They are required unless the owner says otherwise. */
export const asSiteFields = (requested: Fields): ReadonlyArray<SiteField> => {
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
