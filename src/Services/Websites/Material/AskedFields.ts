import type { SiteField } from "../Site.ts"
import { doubtfulItems, isExplained, isRemark, namesNothing, type ReadItem, speaksOfFields } from "./FieldDoubt.ts"
import {
  type AskedField,
  begins,
  choicesIn,
  fieldIn,
  isContactNoun,
  isDenied,
  isNoun,
  itemsOf,
  joins,
  requirementIn,
  withChoices,
  withListedChoices,
  withRequirementApart,
  withTimes,
  yesNo,
  yesOrNo
} from "./FieldItems.ts"
import { hasScope, setRequired, spokenOf, withRequirements } from "./FieldRequirements.ts"
import { isTick, tickIn } from "./FieldTicks.ts"
import { fieldWordsOf, ofField } from "./FieldWords.ts"
import { capitalised, keyFor, type Statement, statementsOf, withoutEnd } from "./MaterialText.ts"
import { isSecret } from "./SecretFields.ts"

/**
 * The fields that an owner asks a form for, in the order and the words in which they are listed, each once, with its choices and
 * with what is said of whether it must be filled in. What is said of fields and is not read whole is asked for.
 */
const mostFields = 12

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

interface FieldList {
  /** What of the sentence comes before it, and asks for no field. */
  readonly before: string
  /** What announces it, before a colon. */
  readonly lead: string
  readonly items: ReadonlyArray<string>
  readonly isRequired: boolean | undefined
  /** Whether words before it say that it lists fields. */
  readonly isLabelled: boolean
  /** Whether a verb asks for it. */
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

/** The text before an item, without the marks between them. */
const beforeItem = (text: string, item: string): string =>
  text
    .slice(0, Math.max(0, text.indexOf(item)))
    .replace(/[\s,;]+(?:e|y|and)?\s*$/i, "")
    .trim()

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
  const behindVerb = asking.some((word) => !joins.test(word)) || (asking.length > 0 && nounItems.length > 1)
  // A bare list begins its sentence, and most of it are nouns of fields.
  const contacts = nounItems.filter((item) => begins(item) !== undefined && fieldWordsOf(item).some(isContactNoun))
  const isBare =
    contacts.length > 1 ||
    (first === 0 && (nounItems.length >= 2 || (fields.length > 0 && nounItems.length === items.length)))
  return behindVerb || isBare
    ? {
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
const hasExceptions = (lead: string): boolean =>
  requirementIn(lead) !== undefined &&
  fieldWordsOf(lead).some((word) => isNoun(word) || ofField(word, "except", "only"))

/** The fields that a sentence lists; undefined where it is no list of fields. */
const listIn = (statement: Statement, fields: Fields): FieldList | undefined => {
  const { isItem, label } = statement
  const text = withChoices(withoutEnd(statement.text, "."))
  const isLabelled = label !== "" && isListLabel(label)
  if (isLabelled && isItem)
    return { before: "", lead: label, items: [text], isRequired: requirementIn(label), isLabelled, isAsked: true }
  const source = isLabelled ? text : behindColon(text)
  if (source === undefined) return inSentence(text, fields)
  const lead = isLabelled ? "" : beforeItem(text, source).replace(/:$/, "")
  // "Waiting list of the Blue Kennels: name of the dog, …": what is before the colon asks for nothing.
  const before = isListLabel(lead) ? "" : lead
  const announced = isLabelled ? label : lead
  return {
    before,
    lead: announced,
    items: listOf(source),
    isRequired: hasExceptions(announced) ? undefined : requirementIn(announced),
    isLabelled: true,
    isAsked: true
  }
}

const sameLabel = (one: string, other: string): boolean => fieldWordsOf(one).join(" ") === fieldWordsOf(other).join(" ")

/** "La hora que se pueda elegir: 13:30, 15:00": choices of a field that is there, or a separate field. */
const choiceIn = ({ label, text }: Statement, fields: Fields): Fields | undefined => {
  const choices = label === "" ? [] : choicesIn(withoutEnd(text, "."))
  if (choices.length < 2 || label.split(" ").length > 8) return undefined
  const [there] = spokenOf(label, fields)
  if (there !== undefined)
    return fields.map((field) => (field === there ? { ...field, kind: "choice", choices } : field))
  const added = fieldIn(`${label} (${choices.join(", ")})`)
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
const mostWordsOfOneMore = 9

/** "Email optional", "El teléfono también opcional": a field that comes with what is said of it. */
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

const isAboutOther = (text: string): boolean => /[€£$]\s?\d|\d\s?[€£]|https?:|\d{3}[ .-]\d{3,4}/.test(text)

/** "An optional question:" before the question itself. */
const isGeneric = (item: string): boolean => {
  const words = fieldWordsOf(item)
  const isOfFields = (word: string): boolean => /^(?:perguntas?|preguntas?|questions?|campos?|fields?)$/.test(word)
  return (
    words.some(isOfFields) && words.every((word) => ofField(word, "own", "optional", "required") || isOfFields(word))
  )
}

/** "So that one can't be compulsory", "leave that out", "optional" alone: about the item before it. */
const refersToLast = (item: string): boolean =>
  !fieldWordsOf(item).some(isNoun) &&
  (namesNothing(item) ||
    fieldWordsOf(item)
      .slice(0, 3)
      .some((word) => /^(?:that|this|one|eso|ese|esa|esse|essa|isso|este|esta|it)$/.test(word)))

const yesOrNoAlone = /^\(?(?:sim|s[ií]|yes)\s?(?:ou|or|o|\/)\s?(?:n[aã]o|no)\)?[.!]?$/i
const bracketAlone = /^\([^()]{3,200}\)[.!]?$/

/** "Is there a lift? Yes or no", "Which day? (Monday, Tuesday)": choices of the question before it. */
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
  /** What was said of fields and not read for certain. */
  readonly unread: ReadonlyArray<string>
}

interface ListRead extends FieldsRead {
  readonly items: ReadonlyArray<ReadItem>
  /** Remarks between the fields. */
  readonly remarks: ReadonlyArray<string>
}

/** "I'm Jardines Alcor": who asks. */
const isOfAsker = (item: string): boolean => /^(?:soy|somos|sou|i['’]?m|we['’]?re|we are|i am)\s/i.test(item)

/** "All required", "phone both optional": a requirement with its scope, maybe behind one more field. */
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

/** A list with its next item. */
const withItem = (read: ListRead, item: string, list: FieldList, ofNext: boolean | undefined): ListRead => {
  const { fields } = read
  const isRequired = requirementIn(item)
  const inBrackets = /\(([^()]{3,60})\)/.exec(item)?.[1] ?? ""
  if (isOfAsker(item)) return { ...read, remarks: [...read.remarks, item] }
  if (isTick(item)) return { ...read, fields: withField(fields, tickIn(item)) }
  if (isRequired !== undefined && hasScope(item) && inBrackets === "") return withScoped(read, item)
  if (isRequired !== undefined && refersToLast(item))
    return { ...read, fields: setRequired(fields, fields.slice(-1), isRequired) }
  const spoken = isRequired === undefined ? [] : spokenOf(item, fields)
  if (spoken.length === 1) return { ...read, fields: setRequired(fields, spoken, isRequired ?? true) }
  if (isRequired === undefined && isDenied(item)) {
    const isContrary = spokenOf(item, fields).length > 0 || !isExplained(item, [])
    return isContrary && fieldWordsOf(item).some(isNoun) && spokenOf(item, fields).length > 0
      ? { ...read, unread: [...read.unread, item] }
      : read
  }
  if (isRemark(item) || namesNothing(item) || isSecret(item)) return read
  const field = fieldIn(item)
  if (field === undefined) return { ...read, unread: [...read.unread, item] }
  const known = { ...field, isRequired: field.isRequired ?? ofNext ?? list.isRequired }
  const extended = withField(fields, known)
  const inner = requirementIn(inBrackets) !== undefined && hasScope(inBrackets)
  return {
    ...read,
    items: [...read.items, { item, field }],
    fields: inner ? withRequirements(inBrackets, extended).fields : extended
  }
}

/** The fields with those of a list. */
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
  return { ...read, unread: [...read.unread, ...doubtfulItems(read.items, list.isLabelled)] }
}

const mostWordsLeftOut = 10

/** "Nothing else, no name": of fields, though it asks for none. */
const isLeftOut = (text: string): boolean =>
  isDenied(text) && fieldWordsOf(text).some(isNoun) && fieldWordsOf(text).length <= mostWordsLeftOut

/** A form as a description asks for it. */
export interface AskedForm {
  /** Empty where it asks for none. */
  readonly fields: Fields
  /** Of each statement what does not speak of fields; empty where all of it does. */
  readonly rest: ReadonlyArray<string>
  /** Of what speaks of fields what was not read for certain. */
  readonly unread: ReadonlyArray<string>
}

interface StatementRead extends FieldsRead {
  readonly rest: string
}

/** Short items before the first one that is known for a field may be fields too. */
const mayBeginBefore = ({ before, isAsked, isLabelled }: FieldList): boolean =>
  before !== "" &&
  !isLabelled &&
  (fieldWordsOf(before).some((word) => /^(?:saber|know)$/.test(word)) ||
    (!isAsked && itemsOf(before).every((item) => fieldWordsOf(item).length <= 2)))

/** What a list adds to the fields that were asked for before it. */
const readList = (before: Fields, statement: Statement, list: FieldList): StatementRead => {
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
    unread: isCut ? [...read.unread, statement.text] : read.unread
  }
}

/** What a statement adds to the fields that were asked for before it, and what it says of other things. */
const readFields = (before: Fields, statement: Statement): StatementRead => {
  const { label, text } = statement
  const labelled = label === "" ? text : `${label}: ${text}`
  const answers = answersOf(text)
  if (before.length > 0 && answers.length > 1) return { fields: withAnswers(before, answers), rest: "", unread: [] }
  const isOnlyTick = isTick(labelled) && itemsOf(labelled).every((item) => isTick(item) || begins(item) === undefined)
  const tick = isOnlyTick ? tickIn(labelled) : undefined
  const listed = tick === undefined ? listIn(statement, before) : undefined
  if (listed !== undefined && !isAboutOther(listed.items[0] ?? "")) return readList(before, statement, listed)
  const withChoice = before.length > 0 ? (choiceIn(statement, before) ?? withOptional(text, before)) : before
  const own = withField(withChoice, tick)
  const required = isAboutOther(text) ? { fields: own, isRead: false, unread: [] } : withRequirements(labelled, own)
  const { fields } = required
  if (fields !== before || required.isRead) {
    const isWhole = tick !== undefined || isExplained(labelled, fields)
    return { fields, rest: "", unread: isWhole ? required.unread : [...required.unread, text] }
  }
  if (isLeftOut(text)) return { fields, rest: "", unread: spokenOf(text, fields).length > 0 ? [text] : [] }
  // Of fields that come behind it, or of none: "optional if you are a member".
  const isOfField =
    !isAboutOther(text) && fieldWordsOf(text).length <= mostWordsLeftOut && spokenOf(text, fields).length > 0
  const unread = required.unread.length > 0 || isOfField || speaksOfFields(text) ? [text] : []
  return { fields, rest: text, unread }
}

/** Reads which fields a description asks for, and what else it says. */
export const askedForm = (statements: ReadonlyArray<Statement>): AskedForm => {
  let fields: Fields = []
  const rest: Array<string> = []
  const unread: Array<string> = []
  for (const statement of statements) {
    const read = readFields(fields, statement)
    fields = read.fields
    rest.push(read.rest)
    unread.push(...read.unread)
  }
  return { fields: fields.slice(0, mostFields), rest, unread: [...new Set(unread)] }
}

export const askedFieldsIn = (description: string): Fields => askedForm(statementsOf(description)).fields

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
