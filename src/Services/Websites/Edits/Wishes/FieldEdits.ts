import { languageOf } from "../../../Text/Language.ts"
import { fieldNamed } from "../../Material/Fields/AskedForms.ts"
import { capitalised, within } from "../../Material/MaterialText.ts"
import type { SiteBlock, SiteField } from "../../Site.ts"
import type { SiteOperation } from "../../SiteOperations.ts"
import { siteWords } from "../../Writing/Phrases/SitePhrases.ts"
import { change, type EditDesk, failure, type Outcome, severalFound } from "../EditDesk.ts"
import { asks, type Clause, rawText, says, speaksOf, trimmed, unexplained, withTokens } from "../Reading/EditClause.ts"
import { has, isContent, isTypoOf, isWord, sameWord, type Token, wordsOf } from "../Reading/EditTokens.ts"
import { hasRole } from "../Reading/EditWords.ts"
import { type Block, blocksOfKind, type PlacedBlock } from "../SiteSections.ts"

type Form = Block<"Form">

/** The operations that give a form other fields and update its collection to match. */
export const withFields = (
  { block, page }: PlacedBlock<Form>,
  fields: ReadonlyArray<SiteField>,
  { site }: EditDesk
): ReadonlyArray<SiteOperation> => {
  const changed: SiteBlock = { ...block, fields }
  const collection = site.collections.find(({ id }) => id === block.collection)
  const more = fields.filter(({ name }) => !block.fields.some((each) => each.name === name))
  const sameFields = collection?.fields.map((each) => fields.find(({ name }) => name === each.name) ?? each) ?? []
  return [
    { _tag: "ReplaceBlock", page: page.id, variant: null, block: changed },
    ...(collection === undefined || sameFields.length + more.length > 20
      ? []
      : [{ _tag: "SetCollection", collection: { ...collection, fields: [...sameFields, ...more] } } as const])
  ]
}

const isOfKind = ({ kind }: SiteField, word: Token): boolean =>
  (kind === "phone" && has(word, "phone", "whatsapp", "mobile")) || (kind === "email" && has(word, "email"))

interface FieldFound {
  readonly placed: PlacedBlock<Form>
  readonly field: SiteField
}

/** The fields that the words name, by label or by what the field asks for. */
const fieldsNamed = ({ site }: EditDesk, tokens: ReadonlyArray<Token>): ReadonlyArray<FieldFound> => {
  const words = tokens.filter((token) => !has(token, "field", "form") || token.kind === "quote")
  if (words.length === 0) return []
  const all = blocksOfKind(site, "Form").flatMap((placed) => placed.block.fields.map((field) => ({ placed, field })))
  const isNamed = ({ field }: FieldFound, isSame: (one: string, other: string) => boolean): boolean => {
    const label = wordsOf(field.label)
    return words
      .flatMap((token) =>
        token.kind === "quote"
          ? wordsOf(token.text).map((word) => ({ ...token, kind: "word" as const, word }))
          : [token]
      )
      .every((token) => label.some((each) => isSame(each, token.word)) || isOfKind(field, token))
  }
  const exact = all.filter((each) => isNamed(each, sameWord))
  const named =
    exact.length > 0
      ? exact
      : all.filter((each) => isNamed(each, (one, other) => sameWord(one, other) || isTypoOf(one, other)))
  const whole = named.filter(({ field }) => wordsOf(field.label).length === words.length)
  return whole.length === 1 ? whole : named
}

const needing: ReadonlySet<string> = new Set(
  "needs need has have to must precisa precise deve tem necesita hace falta have-to no-need haga deje deja sea seja ser be".split(
    " "
  )
)

/**
 * Makes a field required or optional: "Deixe o telefone obrigatório", "the e-mail is optional", "o CNPJ não precisa ser
 * obrigatório".
 */
export const requiring = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, site } = desk
  const wantsRequired = says(clause, "required")
  const wantsOptional = says(clause, "optional")
  if (wantsRequired === wantsOptional || asks(clause, "remove")) return undefined
  const isDenied =
    says(clause, "negation") ||
    clause.tokens.some(({ word }, at) => /^(?:deix|dej)/.test(word) && clause.tokens[at + 1]?.word === "de")
  if (blocksOfKind(site, "Form").length === 0) return failure(notes.noForm, notes.nameIt)
  const rest = unexplained(
    clause,
    "required",
    "optional",
    "negation",
    "set",
    "change",
    "copula",
    "keep",
    "now",
    "anymore",
    (token) => needing.has(token.word)
  )
  const isAddition = clause.verb !== undefined && has(clause.verb, "addonly")
  if (isAddition) return undefined
  const named = fieldsNamed(desk, rest)
  const [only, ...others] = named
  if (others.length > 0)
    return severalFound(
      desk,
      named.map(({ field }) => field.label)
    )
  if (only === undefined)
    return clause.verb !== undefined && has(clause.verb, "add")
      ? undefined
      : failure(notes.notFound(within(clause.text, 160)), notes.nameIt)
  const { field, placed } = only
  const isRequired = wantsRequired !== isDenied
  const note = isRequired ? notes.fieldRequired(field.label) : notes.fieldOptional(field.label)
  if (field.is_required === isRequired) return failure(notes.already(note), notes.oneByOne)
  return change(
    "values",
    note,
    withFields(
      placed,
      placed.block.fields.map((each) => (each === field ? { ...each, is_required: isRequired } : each)),
      desk
    ),
    { present: [field.label], topic: field.label }
  )
}

const listMarks: ReadonlySet<string> = new Set([",", "e", "and", "y", ";", "/"])

/** Splits "name, city and phone" into its parts. */
export const listedTokens = (tokens: ReadonlyArray<Token>): ReadonlyArray<ReadonlyArray<Token>> => {
  const parts: Array<Array<Token>> = [[]]
  for (const token of tokens) {
    if (listMarks.has(token.word)) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts.map(trimmed).filter((part) => part.some(isContent))
}

const aroundLabel = (token: Token): boolean =>
  token.kind === "mark" ||
  (isWord(token) &&
    (has(
      token,
      "function",
      "field",
      "form",
      "ask",
      "now",
      "called",
      "required",
      "optional",
      "add",
      "negation",
      "set",
      "about"
    ) ||
      ["novo", "new", "nuevo", "outro", "another", "otro", "mais"].includes(token.word)))

/** The labels that a clause gives for new fields. */
const labelsIn = (clause: Clause, prompt: string): ReadonlyArray<string> => {
  const quotes = clause.tokens.filter(({ kind }) => kind === "quote")
  if (quotes.length > 0) {
    const left = clause.tokens.filter(
      (token) => !quotes.includes(token) && token !== clause.verb && !aroundLabel(token) && !listMarks.has(token.word)
    )
    return left.length > 0 ? [] : quotes.map(({ text }) => text.trim())
  }
  const body = clause.tokens.filter((token) => token !== clause.verb)
  const begin = body.findIndex((token) => !aroundLabel(token))
  const end = body.findLastIndex((token) => !aroundLabel(token))
  if (begin < 0) return []
  return listedTokens(body.slice(begin, end + 1)).map((part) => {
    const inner = part.filter((token, at) => !(at === 0 && isWord(token) && has(token, "function")))
    return rawText(prompt, inner)
  })
}

const longestLabel = 60
const mostFields = 12

const ordersField = (clause: Clause): boolean => {
  const { tokens, verb } = clause
  const isAsking = tokens[0] !== undefined && isWord(tokens[0]) && has(tokens[0], "ask")
  const isOrder = asks(clause, "add") || (verb === undefined && asks(clause, "set")) || isAsking
  const isDoubted = tokens.some((token) => isWord(token) && has(token, "limit", "only"))
  return isOrder && speaksOf(clause, "field", "form") && !asks(clause, "remove") && !isDoubted
}

interface ExtendedFields {
  readonly fields: ReadonlyArray<SiteField>
  readonly added: ReadonlyArray<SiteField>
}

/** The form's fields with the new ones, which go before a message field at the end. */
const extendedFields = (
  before: ReadonlyArray<SiteField>,
  labels: ReadonlyArray<string>,
  isRequired: boolean,
  { notes, site }: EditDesk
): ExtendedFields | Outcome => {
  const phrases = siteWords[languageOf(site.language)]
  let fields = before
  const added: Array<SiteField> = []
  for (const label of labels) {
    const field = fieldNamed(
      label,
      phrases,
      fields.map(({ name }) => name)
    )
    if (field === undefined) return failure(notes.secret, notes.oneByOne)
    if (fields.some(({ name }) => name === field.name)) return failure(notes.already(field.label), notes.oneByOne)
    const fresh = { ...field, is_required: isRequired }
    added.push(fresh)
    const message = fields.at(-1)?.kind === "long_text" ? fields.at(-1) : undefined
    fields = message === undefined ? [...fields, fresh] : [...fields.slice(0, -1), fresh, message]
  }
  return { fields, added }
}

/** Adds a field: "Add a field for the age", "pergunte também a cidade no formulário". */
export const addingField = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt, site } = desk
  if (!ordersField(clause)) return undefined
  const [form] = blocksOfKind(site, "Form")
  if (form === undefined) return says(clause, "field") ? failure(notes.noForm, notes.nameIt) : undefined
  const labels = labelsIn(clause, prompt).filter((each) => each.length > 1 && each.length <= longestLabel)
  const isSentence = labels.some(
    (label) =>
      wordsOf(label).length > 6 ||
      label.includes(":") ||
      wordsOf(label).some((word) => hasRole(word, "before", "after", "button", "field", "form", "negation", "question"))
  )
  if (labels.length === 0 || isSentence) return undefined
  const isRequired = says(clause, "required") && !says(clause, "negation")
  const extended = extendedFields(form.block.fields, labels, isRequired, desk)
  if ("_tag" in extended) return extended
  const { added, fields } = extended
  if (fields.length > mostFields) return failure(notes.nothing, notes.oneByOne)
  return change(
    "addition",
    added.map((field) => notes.field(field.label)),
    withFields(form, fields, desk),
    {
      present: added.map((field) => field.label),
      topic: added.at(-1)?.label ?? ""
    }
  )
}

/** Renames a field: "No formulário troca “tel” por “WhatsApp”". */
export const renamingField = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt } = desk
  if (!asks(clause, "change") || !speaksOf(clause, "field", "form")) return undefined
  const body = clause.tokens.filter((token) => token !== clause.verb)
  const seam = body.findIndex(
    (token, at) => at > 0 && isWord(token) && ["por", "para", "pra", "by", "with", "to", "a"].includes(token.word)
  )
  if (seam < 0) return undefined
  const clean = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> =>
    trimmed(
      tokens.filter(
        (token) =>
          token.kind === "quote" || !(isWord(token) && has(token, "field", "form", "function", "called", "text"))
      )
    )
  const [from, to] = [clean(body.slice(0, seam)), clean(body.slice(seam + 1))]
  const named = fieldsNamed(desk, from)
  const [only] = named
  const label = within(capitalised(rawText(prompt, to)), 120)
  if (only === undefined || named.length > 1 || to.length === 0 || wordsOf(label).length > 5) return undefined
  const { field, placed } = only
  const standard = fieldNamed(
    label,
    siteWords[languageOf(desk.site.language)],
    placed.block.fields.map(({ name }) => name)
  )
  if (standard === undefined) return failure(notes.secret, notes.oneByOne)
  const kind = standard.kind === "text" ? field.kind : standard.kind
  return change(
    "values",
    notes.replaced(field.label, label),
    withFields(
      placed,
      placed.block.fields.map((each) => (each === field ? { ...each, label, kind } : each)),
      desk
    ),
    { present: [label], topic: label }
  )
}

const choosing: ReadonlySet<string> = new Set(
  "elegir escoger escolher choose pick choice choices opcoes opciones options select selecionar seleccionar entre between lista list dropdown".split(
    " "
  )
)

/** Sets the choices that a field offers: "Que “día” sea para elegir entre lunes y martes". */
export const offeringChoices = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt } = desk
  if (!speaksOf(clause, "field", "form") || asks(clause, "remove")) return undefined
  const first = clause.tokens.findIndex(({ word }) => choosing.has(word))
  const last = clause.tokens.findLastIndex(({ word, text }, at) => at >= first && (choosing.has(word) || text === ":"))
  if (first < 1) return undefined
  const lead = withTokens(clause, clause.tokens.slice(0, first))
  const named = fieldsNamed(desk, unexplained(lead, "set", "change", "copula", "keep"))
  const [only] = named
  const choices = listedTokens(clause.tokens.slice(last + 1)).map((part) => rawText(prompt, part))
  if (
    only === undefined ||
    named.length > 1 ||
    choices.length < 2 ||
    choices.length > 30 ||
    choices.some((each) => wordsOf(each).length > 6)
  )
    return undefined
  const { field, placed } = only
  return change(
    "values",
    notes.choices(field.label, choices.join(", ")),
    withFields(
      placed,
      placed.block.fields.map((each) => (each === field ? { ...each, kind: "choice" as const, choices } : each)),
      desk
    ),
    { present: choices, topic: field.label }
  )
}
