import { isForeign, languageOf } from "../../../Text/Language.ts"
import { fold } from "../../../Text/PlainText.ts"
import { fieldNamed, fieldsFor, purposeIn } from "../../Material/Fields/AskedForms.ts"
import { capitalised, keyFor, within, withoutEnd } from "../../Material/MaterialText.ts"
import type { Site, SiteBlock, SiteField, SitePage } from "../../Site.ts"
import type { SiteOperation } from "../../SiteOperations.ts"
import { sectionsFor } from "../../Writing/ComposeSite.ts"
import { siteWords } from "../../Writing/Phrases/SitePhrases.ts"
import { change, type EditDesk, failure, type Outcome } from "../EditDesk.ts"
import {
  asks,
  type Clause,
  rawText,
  says,
  trimmed,
  unexplained,
  withTokens,
  writtenText
} from "../Reading/EditClause.ts"
import { has, isContent, isWord, type Token, wordsOf } from "../Reading/EditTokens.ts"
import type { Role } from "../Reading/EditWords.ts"
import { allBlocks, blocksOfKind, keysOf, nameOfBlock, pageNamed, placeOn, replaceBlock } from "../SiteSections.ts"
import { listedTokens } from "./FieldEdits.ts"
import { personIn } from "./TeamEdits.ts"

/** The tokens before and after a colon. */
interface Labelled {
  readonly label: ReadonlyArray<Token>
  readonly content: ReadonlyArray<Token>
}

const labelledOf = (clause: Clause): Labelled => {
  const body = clause.tokens.filter((token) => token !== clause.verb)
  const colon = body.findIndex(({ text }) => text === ":")
  return colon < 0
    ? { label: body, content: [] }
    : { label: body.slice(0, colon), content: trimmed(body.slice(colon + 1)) }
}

/** True if the tokens contain one of these nouns and otherwise only small words. */
const isOnly = (clause: Clause, tokens: ReadonlyArray<Token>, ...nouns: ReadonlyArray<Role>): boolean =>
  tokens.some((token) => isWord(token) && has(token, ...nouns)) &&
  unexplained(withTokens(clause, tokens), ...nouns, "now", "section", "set", "add").length === 0

const fieldSeams: ReadonlySet<string> = new Set(["com", "with", "con", ":"])

/** The fields that a wish for a form lists. Undefined if a listed part is not a field. */
const listedFields = (clause: Clause, { prompt, site }: EditDesk): ReadonlyArray<SiteField> | undefined => {
  const seam = clause.tokens.findIndex(({ word }) => fieldSeams.has(word))
  if (seam < 0) return []
  const phrases = siteWords[languageOf(site.language)]
  const fields: Array<SiteField> = []
  for (const part of listedTokens(clause.tokens.slice(seam + 1))) {
    const label = rawText(prompt, part)
    const field = fieldNamed(
      label,
      phrases,
      fields.map(({ name }) => name)
    )
    if (field === undefined || wordsOf(label).length > 6) return undefined
    fields.push({ ...field, is_required: true })
  }
  return fields
}

/** Adds a form: "Adicione um formulário de encomendas", "agregue un formulario con nombre, fecha y correo". */
export const addingForm = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { material, notes, site } = desk
  if (
    !asks(clause, "add") ||
    clause.verb === undefined ||
    !says(clause, "form") ||
    blocksOfKind(site, "Form").length > 0
  )
    return undefined
  const seam = clause.tokens.findIndex(({ word }) => fieldSeams.has(word))
  const lead = withTokens(clause, clause.tokens.slice(0, seam < 0 ? undefined : seam))
  const folded = fold(clause.text)
  const purpose = purposeIn(fold(lead.tokens.map(({ text }) => text).join(" ")), "general") ?? "contact"
  const left = unexplained(lead, "form", "contact", "now", "section", "booking", "page")
  if (left.length > (purpose === "contact" ? 0 : 2) || says(clause, "negation", "limit")) return undefined
  const page = site.pages.at(-1)
  const listed = listedFields(clause, desk)
  if (page === undefined || listed === undefined) return undefined
  const words = siteWords[languageOf(site.language)]
  const form = words.forms[purpose]
  const isCapture = material.type === "LeadCapturePage"
  const fields = listed.length > 0 ? listed : fieldsFor(purpose, clause.text, folded, words, [], isCapture)
  const collection = keyFor(
    "requests",
    site.collections.map(({ id }) => id)
  )
  const block: SiteBlock = {
    _tag: "Form",
    id: keyFor("form", keysOf(site)),
    title: form.title,
    text: "",
    fields,
    submit: form.submit,
    thanks: { title: form.thanksTitle, text: form.thanks },
    collection: isCapture ? null : collection
  }
  const contactAt = page.blocks.findIndex(({ _tag }) => _tag === "Contact")
  const after = (contactAt < 0 ? page.blocks.at(-1) : page.blocks[contactAt - 1])?.id ?? null
  const storage: ReadonlyArray<SiteOperation> = isCapture
    ? []
    : [{ _tag: "SetCollection", collection: { id: collection, label: form.collection, fields, is_public: false } }]
  return change(
    "addition",
    notes.addedBlock(form.title),
    [...storage, { _tag: "AddBlock", page: page.id, after, block }],
    {
      present: fields.map(({ label }) => label),
      topic: form.title
    }
  )
}

const added = (
  desk: EditDesk,
  block: SiteBlock,
  title: string,
  present: ReadonlyArray<string>
): Outcome | undefined => {
  const [home] = desk.site.pages
  return home === undefined
    ? undefined
    : change(
        "addition",
        desk.notes.addedBlock(title),
        [
          {
            _tag: "AddBlock",
            page: home.id,
            after: placeOn(home),
            block: { ...block, id: keyFor(block.id, keysOf(desk.site)) }
          }
        ],
        { present, topic: title }
      )
}

/** Adds clients: "Add a client: Riverbank Ledger". */
export const addingClients = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt, site } = desk
  const { content, label } = labelledOf(clause)
  if (!asks(clause, "add") || !isOnly(clause, label, "client") || content.length === 0) return undefined
  const names = listedTokens(content).map((part) => withoutEnd(rawText(prompt, part), ".;"))
  if (names.some((name) => !/^[\p{Lu}\d]/u.test(name) || name.length > 60)) return undefined
  const [there] = blocksOfKind(site, "Clients")
  const title = there?.block.title ?? siteWords[languageOf(site.language)].clients
  if (there === undefined) return added(desk, { _tag: "Clients", id: "clients", title, names }, title, names)
  const same = names.find((name) => there.block.names.includes(name))
  if (same !== undefined || there.block.names.length + names.length > 24)
    return failure(notes.already(same ?? title), notes.oneByOne)
  return change(
    "addition",
    notes.added(names.join(", "), title),
    [replaceBlock(there, { ...there.block, names: [...there.block.names, ...names] })],
    { present: names }
  )
}

/** Adds people: "Add team: Rosa Lind - founder; Peter Hale - engineer". */
export const addingTeam = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt, site } = desk
  const { content, label } = labelledOf(clause)
  if (!asks(clause, "add") || !isOnly(clause, label, "team") || content.length === 0) return undefined
  const parts: Array<Array<Token>> = [[]]
  for (const token of content) {
    if (token.text === ";") parts.push([])
    else parts.at(-1)?.push(token)
  }
  const people = parts.filter((part) => part.length > 0).map((part) => personIn(prompt, part))
  const persons = people.flatMap((person) => (person === undefined ? [] : [person]))
  if (persons.length === 0 || persons.length !== people.length) return undefined
  const [there] = blocksOfKind(site, "People")
  const title = there?.block.title ?? siteWords[languageOf(site.language)].people
  const present = persons.map(({ name }) => name)
  if (there === undefined) return added(desk, { _tag: "People", id: "people", title, items: persons }, title, present)
  return there.block.items.length + persons.length > 12
    ? undefined
    : change(
        "addition",
        notes.added(present.join(", "), title),
        [replaceBlock(there, { ...there.block, items: [...there.block.items, ...persons] })],
        { present }
      )
}

/** Sections that can be written from the account's material. */
const materialKinds: ReadonlyArray<readonly [SiteBlock["_tag"], ReadonlyArray<Role>]> = [
  ["Questions", ["question"]],
  ["Quotes", ["quote"]],
  ["Clients", ["client"]],
  ["People", ["team"]],
  ["Gallery", ["gallery"]],
  ["Steps", ["steps"]],
  ["Prices", ["price"]],
  ["Prose", ["story"]],
  ["Features", ["service"]]
]

/** True if the site already has this section. */
const isShown = (site: Site, block: SiteBlock): boolean =>
  allBlocks(site).some((placed) => placed.block._tag === block._tag && placed.block.title === block.title)

/** Adds a section that is ordered without a text. Its content comes from the material. */
export const addingFromMaterial = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { material, notes, site } = desk
  const { content, label } = labelledOf(clause)
  if (!asks(clause, "add") || clause.verb === undefined || content.length > 0) return undefined
  const kind = materialKinds.find(([, nouns]) => isOnly(clause, label, ...nouns))
  if (kind === undefined) return undefined
  const [block] = sectionsFor(material, site.theme).filter((each) => each._tag === kind[0] && !isShown(site, each))
  return block === undefined
    ? failure(notes.noMaterial(within(clause.text, 160)), notes.giveFacts)
    : added(desk, block, nameOfBlock(block), [])
}

const shortestText = 15
const longestTitle = 60

/** Reads a heading with its text, such as "secção História: Começamos em 1998." */
const headedText = (
  prompt: string,
  { content, label }: Labelled
): { readonly title: string; readonly text: string } | undefined => {
  const begin = label.findLastIndex((token) => isWord(token) && has(token, "section", "page")) + 1
  if (label.some((token) => isWord(token) && has(token, "question", "quote", "price", "form"))) return undefined
  if (label.slice(begin).some(({ kind }) => kind === "mark") || content.some(({ text }) => text === "?"))
    return undefined
  const name = trimmed(label.slice(begin)).filter(
    (token, at, all) =>
      !(
        at === 0 &&
        all.length > 1 &&
        isWord(token) &&
        (has(token, "function", "called", "now", "about") || ["com", "with", "con"].includes(token.word))
      )
  )
  const title = capitalised(withoutEnd(rawText(prompt, name), ".;"))
  const text = writtenText(prompt, content)
  return title.length < 3 ||
    title.length > longestTitle ||
    text.length < shortestText ||
    name.filter(isContent).length === 0
    ? undefined
    : { title, text: within(text, 4000) }
}

const proseOf = (site: Site, title: string, text: string): SiteBlock => ({
  _tag: "Prose",
  id: keyFor("about", keysOf(site)),
  title,
  text,
  picture: null
})

/** Adds a section: "Agregue una sección Historia: Abrimos en 1998. Hoy somos nueve personas." */
export const addingSection = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { prompt, site } = desk
  const labelled = labelledOf(clause)
  if (
    !asks(clause, "add") ||
    clause.verb === undefined ||
    !labelled.label.some((token) => isWord(token) && has(token, "section"))
  )
    return undefined
  const headed = headedText(prompt, labelled)
  if (headed !== undefined && isForeign(headed.text, languageOf(site.language)))
    return failure(desk.notes.foreignText, desk.notes.inSiteLanguage)
  return headed === undefined
    ? undefined
    : added(desk, proseOf(site, headed.title, headed.text), headed.title, [headed.title])
}

/** Adds a page: "Adicione uma página Sobre: Começamos em 1998 com um forno só." */
export const addingPage = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt, site } = desk
  const labelled = labelledOf(clause)
  const isPage = labelled.label.some(({ word }) => word === "pagina" || word === "page")
  if (!asks(clause, "add") || clause.verb === undefined || !isPage) return undefined
  const headed = headedText(prompt, labelled)
  if (headed === undefined || headed.title.length > 40)
    return labelled.content.length === 0 && labelled.label.length < 6
      ? failure(notes.noMaterial(within(clause.text, 160)), notes.giveFacts)
      : undefined
  if (pageNamed(site, wordsOf(headed.title)) !== undefined) return failure(notes.already(headed.title), notes.oneByOne)
  const page: SitePage = {
    id: keyFor(
      headed.title,
      site.pages.map(({ id }) => id)
    ),
    path: keyFor(
      headed.title,
      site.pages.map(({ path }) => path)
    ),
    label: headed.title,
    title: headed.title,
    description: within(headed.text, 155),
    blocks: [proseOf(site, headed.title, headed.text)],
    variants: []
  }
  return change("addition", notes.addedPage(headed.title), [{ _tag: "AddPage", page }], {
    present: [headed.title],
    topic: headed.title
  })
}
