import { languageOf } from "../../Text/Language.ts"
import { fieldNamed } from "../Material/AskedForms.ts"
import { itemsIn, within, withoutEnd } from "../Material/MaterialText.ts"
import type { SiteBlock, SiteField } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import { siteWords } from "../Writing/SitePhrases.ts"
import type { ChangeDesk } from "./ChangeDesk.ts"
import { type Block, blocksOfKind, type PlacedBlock } from "./ChangeTargets.ts"
import { change, failure, type Outcome, type Reading, severalFound } from "./WishOutcome.ts"
import { bare, contentOf, sameWord, unexplained, wordsOf } from "./WishTokens.ts"
import { copulas, isNoun, verbs } from "./WishWords.ts"

type Form = Block<"Form">

/** The form with other fields, and its collection with the same. */
const withFields = (
  { block, page }: PlacedBlock<Form>,
  fields: ReadonlyArray<SiteField>,
  { site }: ChangeDesk
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

const denied: ReadonlySet<string> = new Set("nao not no longer don't doesn't".split(" "))
const modal: ReadonlySet<string> = new Set(
  "ser be as it longer deixar dejar must precisa deve debe sea seja passe mandatory stay ficar field campo".split(" ")
)

/** "Deixe o telefone obrigatório", "the e-mail is optional". */
export const requiring = ({ act }: Reading, desk: ChangeDesk, text: string): Outcome | undefined => {
  const { notes, site } = desk
  const words = wordsOf(text)
  const wantsRequired = words.some((word) => isNoun(word, "required"))
  const wantsOptional = words.some((word) => isNoun(word, "optional"))
  if (wantsRequired === wantsOptional || act === "remove") return undefined
  const isDenied = words.some((word) => denied.has(word)) || /\b(?:deix\p{L}+|dej\p{L}+) de ser\b/iu.test(text)
  const isRequired = wantsRequired !== isDenied
  const rest = words.filter(
    (word) =>
      !isNoun(word, "required", "optional", "form") &&
      !denied.has(word) &&
      !modal.has(word) &&
      !copulas.has(word) &&
      !verbs.some(([kind, list]) => kind !== "remove" && list.has(word))
  )
  const content = contentOf(rest)
  const forms = blocksOfKind(site, "Form")
  if (forms.length === 0) return failure(notes.noForm, notes.nameIt)
  const finding = forms.flatMap((placed) =>
    placed.block.fields.filter((field) => isNamed(field, content)).map((field) => ({ placed, field }))
  )
  const [only] = finding
  if (finding.length > 1)
    return severalFound(
      desk,
      finding.map(({ field }) => field.label)
    )
  if (only === undefined || content.length === 0)
    return act === "add" ? undefined : failure(notes.notFound(within(text, 160)), notes.nameIt)
  const { field, placed } = only
  if (field.is_required === isRequired)
    return failure(
      notes.already(isRequired ? notes.fieldRequired(field.label) : notes.fieldOptional(field.label)),
      notes.oneByOne
    )
  return change(
    isRequired ? notes.fieldRequired(field.label) : notes.fieldOptional(field.label),
    withFields(
      placed,
      placed.block.fields.map((each) => (each === field ? { ...each, is_required: isRequired } : each)),
      desk
    ),
    { present: [field.label] }
  )
}

const isNamed = (field: SiteField, words: ReadonlyArray<string>): boolean => {
  const label = wordsOf(field.label)
  return (
    words.length > 0 &&
    words.every(
      (word) => label.some((each) => sameWord(each, word)) || isOfKind(field, word) || isNoun(word, "field")
    ) &&
    words.some((word) => label.some((each) => sameWord(each, word)) || isOfKind(field, word))
  )
}

const isOfKind = ({ kind }: SiteField, word: string): boolean =>
  (kind === "phone" && isNoun(word, "phone", "whatsapp", "number")) || (kind === "email" && isNoun(word, "email"))

/** "Add a field for the age", "pergunte também a cidade no formulário". */
export const addingField = ({ act, isStatement, object, value }: Reading, desk: ChangeDesk): Outcome | undefined => {
  const { notes, site } = desk
  if ((act !== "add" && act !== "set") || isStatement) return undefined
  const words = wordsOf(object)
  if (
    !words.some((word) => isNoun(word, "field")) &&
    !/\b(?:ao|no|to the|in the|al|en el)\s(?:formul[aá]rio|form|formulario)\b/i.test(object)
  )
    return undefined
  const [form] = blocksOfKind(site, "Form")
  if (form === undefined) return failure(notes.noForm, notes.nameIt)
  const plain = object
    .replace(/\s(?:ao|no|do|to|in|on|al|en|del)\s(?:o |the |el )?(?:formul[aá]rio|form|formulario)\b.*$/i, "")
    .replace(/\b(?:obrigat[oó]ri[oa]|required|obligatori[oa]|mandatory|opcional|optional)\b/gi, "")
  const label = bare(
    value ??
      plain
        .replace(
          /^(?:(?:um|uma|o|a|an?|the|un|una|mais um|another|outro|otro)\s)?(?:novo |nuevo |new )?(?:campos?|fields?)\s(?:(?:de|do|da|para|for|chamado|called|llamado|asking for|pedindo|com|with|con)\s)?/i,
          ""
        )
        .replace(/\s(?:field|campo)s?$/i, "")
  ).replace(/^[“"«']|[”"»']$/g, "")
  const labels = itemsIn(withoutEnd(label, "."))
    .map(bare)
    .filter((each) => each.length > 1 && each.length <= 60)
  if (labels.length === 0) return undefined
  const phrases = siteWords[languageOf(site.language)]
  const isRequired = words.some((word) => isNoun(word, "required"))
  let fields = form.block.fields
  const added: Array<SiteField> = []
  for (const each of labels) {
    const field = fieldNamed(
      each,
      phrases,
      fields.map(({ name }) => name)
    )
    if (field === undefined) return failure(notes.secret, notes.oneByOne)
    if (fields.some(({ name }) => name === field.name)) return failure(notes.already(field.label), notes.oneByOne)
    const newField = { ...field, is_required: isRequired }
    added.push(newField)
    fields = [...fields, newField]
  }
  if (fields.length > 12) return failure(notes.nothing, notes.oneByOne)
  return change(
    added.map((field) => notes.field(field.label)),
    withFields(form, fields, desk),
    { present: added.map((field) => field.label) }
  )
}

/** Another label for a field. */
export const renamingField = ({ act, object, value }: Reading, desk: ChangeDesk): Outcome | undefined => {
  if (act !== "change" || value === undefined || !wordsOf(object).some((word) => isNoun(word, "field")))
    return undefined
  const words = contentOf(wordsOf(object)).filter((word) => !isNoun(word, "field", "form", "text"))
  const finding = blocksOfKind(desk.site, "Form").flatMap((placed) =>
    placed.block.fields.filter((field) => isNamed(field, words)).map((field) => ({ placed, field }))
  )
  const [only] = finding
  if (
    finding.length !== 1 ||
    only === undefined ||
    unexplained(words, (word) => isNamed(only.field, [word])).length > 0
  )
    return undefined
  const label = within(bare(value), 120)
  return change(
    desk.notes.replaced(only.field.label, label),
    withFields(
      only.placed,
      only.placed.block.fields.map((each) => (each === only.field ? { ...each, label } : each)),
      desk
    ),
    { present: [label] }
  )
}
