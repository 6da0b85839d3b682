import { languageOf } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { fieldsFor, purposeIn } from "../Material/AskedForms.ts"
import { capitalised, keyFor, within } from "../Material/MaterialText.ts"
import type { Site, SiteBlock, SitePage } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import { sectionsFor } from "../Writing/ComposeSite.ts"
import { siteWords } from "../Writing/SitePhrases.ts"
import type { ChangeDesk, ReadChange } from "./ChangeDesk.ts"
import { blocksOfKind, kindNamed, nameOfBlock, pageNamed } from "./ChangeTargets.ts"

/** The ids of all blocks of a site. */
export const keysOf = (site: Site): ReadonlyArray<string> =>
  site.pages.flatMap(({ blocks }) => blocks.map(({ id }) => id))

const replace = (page: SitePage, block: SiteBlock): SiteOperation => ({
  _tag: "ReplaceBlock",
  page: page.id,
  variant: null,
  block
})

/** Where a new section goes: before the form, the call and the contact at the end of the page. */
export const placeOn = (page: SitePage): string | null => {
  const last = page.blocks.findIndex(
    ({ _tag }) => _tag === "Form" || _tag === "CallToAction" || _tag === "Contact" || _tag === "Records"
  )
  return (last < 0 ? page.blocks.at(-1) : page.blocks[last - 1])?.id ?? null
}

/** One block's items behind the other's; undefined where they are of different kinds. */
const merged = (there: SiteBlock, more: SiteBlock): SiteBlock | undefined => {
  switch (there._tag) {
    case "Features":
      return more._tag === "Features" ? { ...there, items: [...there.items, ...more.items].slice(0, 12) } : undefined
    case "Steps":
      return more._tag === "Steps" ? { ...there, items: [...there.items, ...more.items].slice(0, 8) } : undefined
    case "Prices":
      return more._tag === "Prices" ? { ...there, items: [...there.items, ...more.items].slice(0, 24) } : undefined
    case "Questions":
      return more._tag === "Questions" ? { ...there, items: [...there.items, ...more.items].slice(0, 20) } : undefined
    case "Quotes":
      return more._tag === "Quotes" ? { ...there, items: [...there.items, ...more.items].slice(0, 6) } : undefined
    case "People":
      return more._tag === "People" ? { ...there, items: [...there.items, ...more.items].slice(0, 12) } : undefined
    case "Figures":
      return more._tag === "Figures" ? { ...there, items: [...there.items, ...more.items].slice(0, 6) } : undefined
    case "Clients":
      return more._tag === "Clients" ? { ...there, names: [...there.names, ...more.names].slice(0, 24) } : undefined
    case "Prose":
      return more._tag === "Prose" ? { ...there, text: within(`${there.text}\n\n${more.text}`, 4000) } : undefined
    default:
      return undefined
  }
}

const leading =
  /^(?:por favor,? |please,? )?(?:(?:quero|queremos|i want to|we want to|quiero) )?\p{L}+(?: (?:uma?|an?|una?|o|a|os|as|the|el|la|los|las|mais|more|más|outr[oa]|another|otr[oa]|um novo|uma nova|a new|un nuevo|una nueva|new))*\s/iu
const sectionOf =
  /^(?:se[çc][ãa]o|section|secci[óo]n|bloco|block|bloque|lista|list)(?: (?:de|com|sobre|of|with|about|para|for|con))?\s/i
const toWhere =
  /\s(?:na|no|à|ao|às|aos|to|in|on|a la|al|en)\s(?:(?:o|a|os|as|the|el|la|los|las)\s)?(?:site|página|page|sitio|se[çc][ãa]o|section|secci[óo]n|lista|list|cardápio|carta|menu|tabela|p[áa]gina inicial|home)[^.:]{0,40}$/i

const quoteAsked =
  /\b(?:pergunta|question|pregunta|faq|d[úu]vida)\b[^:?]{0,40}:\s?[“"«]?([^?]{3,280}\?)[”"»]?\s?(?:r:|resposta:|answer:|respuesta:)?\s?[“"«]?(.{2,1500})$/is

const labelsOf: { readonly [Tag in SiteBlock["_tag"]]?: string } = {
  Features: "Services",
  Steps: "Steps",
  Prices: "Prices",
  People: "Team",
  Clients: "Clients",
  Figures: "Numbers",
  Prose: ""
}

/** The blocks that a sentence of the owner's holds, read as a description would be. */
const itemWord =
  /^(?:o |a |um |uma |the |an? |el |la |un |una )?(?:item|produto|prato|op[çc][ãa]o|product|dish|option|producto|plato|opci[óo]n)\s/i

const blocksIn = (content: string, kind: SiteBlock["_tag"] | undefined, desk: ChangeDesk): ReadonlyArray<SiteBlock> => {
  const at = content.indexOf(":")
  const told = (at > 0 && at < 60 ? content.slice(at + 1).trim() : content).replace(itemWord, "")
  const label = kind === undefined ? undefined : labelsOf[kind]
  const lines = told
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
  const text =
    label === undefined || label === ""
      ? told
      : lines.length > 1
        ? `${label}:\n${lines.map((line) => (/^[-*•]|^\d{1,2}[.)]/.test(line) ? line : `- ${line}`)).join("\n")}`
        : `${label}: ${told}`
  const sections = sectionsFor(
    { ...desk.material, description: text, guidelines: "", businessName: desk.site.name, facts: [], campaigns: [] },
    desk.site.theme
  )
  return kind === undefined ? sections : sections.filter(({ _tag }) => _tag === kind)
}

const newPage = (clause: string, desk: ChangeDesk): ReadChange | undefined => {
  const { notes, site } = desk
  const words = siteWords[languageOf(site.language)]
  const folded = fold(clause)
  const match =
    /\b(?:p[áa]gina|page)\s(?:nova\s|new\s|nueva\s)?(?:de |sobre |chamada |para |called |about |for |con |com |of |llamada )?[“"«]?([^.:;”"»]{2,38})/iu.exec(
      clause
    ) ?? /\b(?:an?|the)\s([^.:;”"»]{2,30}?)\spage\b/i.exec(clause)
  if (match === null) return undefined
  const label = within(capitalised((match[1] ?? "").trim()), 40)
  if (pageNamed(site, label) !== undefined) return { operations: [], notes: [notes.nothing] }
  const kind = kindNamed(label) ?? "Prose"
  const at = clause.indexOf(":")
  const own = at < 0 ? [] : blocksIn(clause.slice(at + 1).trim(), kind, desk)
  const taken = keysOf(site)
  const fromMaterial = own.length > 0 ? own : sectionsFor(desk.material, site.theme).filter(({ _tag }) => _tag === kind)
  const fresh = fromMaterial
    .filter((block) => kind !== "Prose" || block._tag === "Prose")
    .filter((block) => !isShown(site, block))
  if (fresh.length === 0) return { operations: [], notes: [notes.noMaterial(within(clause, 160))] }
  const blocks = fresh.map((block) => ({ ...block, id: keyFor(block.id, taken) }))
  const first = blocks[0]
  const page: SitePage = {
    id: keyFor(
      label,
      site.pages.map(({ id }) => id)
    ),
    path: keyFor(
      label,
      site.pages.map(({ path }) => path)
    ),
    label,
    title: label,
    description: within(first !== undefined && "text" in first ? first.text : "", 155),
    blocks,
    variants: []
  }
  return folded === ""
    ? undefined
    : { operations: [{ _tag: "AddPage", page }], notes: [notes.addedPage(words.home === label ? words.about : label)] }
}

/** Whether the site says that already. */
const isShown = (site: Site, block: SiteBlock): boolean => {
  const shown = JSON.stringify(site.pages)
  const texts =
    block._tag === "Prose"
      ? [block.text.split("\n")[0] ?? ""]
      : "items" in block
        ? block.items.map((item) =>
            "title" in item ? item.title : "name" in item ? item.name : "question" in item ? item.question : item.label
          )
        : block._tag === "Clients"
          ? block.names
          : []
  return texts.length > 0 && texts.every((text) => shown.includes(JSON.stringify(text).slice(1, -1)))
}

const newForm = (clause: string, desk: ChangeDesk): ReadChange | undefined => {
  const { material, notes, site } = desk
  const folded = fold(clause)
  if (
    !/\b(?:formularios?|forms?|agendamento|booking|newsletter|lista de espera|waitlist|inscricoes|sign-?up)\b/.test(
      folded
    )
  )
    return undefined
  const words = siteWords[languageOf(site.language)]
  const page = site.pages.at(-1)
  if (page === undefined || blocksOfKind(site, "Form").length > 0) return undefined
  const purpose = purposeIn(folded, "general") ?? "contact"
  const form = words.forms[purpose]
  const isCapture = material.type === "LeadCapturePage"
  const fields = fieldsFor(purpose, clause, folded, words, [], isCapture)
  const id = keyFor("form", keysOf(site))
  const collection = keyFor(
    "requests",
    site.collections.map((each) => each.id)
  )
  const block: SiteBlock = {
    _tag: "Form",
    id,
    title: form.title,
    text: "",
    fields,
    submit: form.submit,
    thanks: { title: form.thanksTitle, text: form.thanks },
    collection: isCapture ? null : collection
  }
  const contactAt = page.blocks.findIndex(({ _tag }) => _tag === "Contact")
  const after = (contactAt < 0 ? page.blocks.at(-1) : page.blocks[contactAt - 1])?.id ?? null
  return {
    operations: [
      ...(isCapture
        ? []
        : [
            {
              _tag: "SetCollection",
              collection: { id: collection, label: form.collection, fields, is_public: false }
            } as const
          ]),
      { _tag: "AddBlock", page: page.id, after, block }
    ],
    notes: [notes.addedBlock(form.title)]
  }
}

/** A question with its answer, as an item of the site's questions. */
const newQuestion = (clause: string, { notes, site }: ChangeDesk, home: SitePage): ReadChange | undefined => {
  const asked = quoteAsked.exec(clause)
  if (asked === null) return undefined
  const item = {
    question: within((asked[1] ?? "").trim(), 300),
    answer: within((asked[2] ?? "").replace(/[”"»]$/, "").trim(), 4000)
  }
  const [questions] = blocksOfKind(site, "Questions")
  if (questions === undefined) {
    const page = site.pages.at(-1) ?? home
    const title = siteWords[languageOf(site.language)].questions
    const block: SiteBlock = { _tag: "Questions", id: keyFor("questions", keysOf(site)), title, items: [item] }
    return {
      operations: [{ _tag: "AddBlock", page: page.id, after: placeOn(page), block }],
      notes: [notes.addedBlock(title)]
    }
  }
  if (questions.block.items.length >= 20) return { operations: [], notes: [notes.nothing] }
  return {
    operations: [replace(questions.page, { ...questions.block, items: [...questions.block.items, item] })],
    notes: [notes.added(item.question, nameOfBlock(questions.block))]
  }
}

/** What is to be added, and of which kind it is. */
interface Content {
  readonly text: string
  readonly kind: ReturnType<typeof kindNamed>
  readonly hasPrice: boolean
  readonly hasQuote: boolean
}

const contentOf = (clause: string, isOrder: boolean): Content => {
  const text = isOrder ? clause.replace(leading, "").replace(sectionOf, "").replace(toWhere, "") : clause
  const hasPrice = /(?:R\$|US\$|€|£|\$)\s?\d/.test(text)
  const hasQuote = /[“"«][^”"»]{12,}[”"»]\s?[—–-]/.test(text)
  const kind = hasQuote ? "Quotes" : hasPrice ? "Prices" : kindNamed(text.split(":")[0] ?? text)
  return { text, kind, hasPrice, hasQuote }
}

/** The blocks that the content itself fills. */
const blocksOf = ({ hasPrice, hasQuote, kind, text }: Content, desk: ChangeDesk): ReadonlyArray<SiteBlock> => {
  if (!text.includes(":") && !hasPrice && !hasQuote) return []
  const isLabelOutside = hasQuote || (hasPrice && !text.includes("\n") && !/^[^:]{3,30}:/.test(text))
  return blocksIn(isLabelOutside ? text.replace(/^[^:]{0,40}:\s/, "") : text, kind, desk)
}

/** A heading and a text of no known kind. */
const newProse = ({ kind, text }: Content, { notes, site }: ChangeDesk, home: SitePage): ReadChange | undefined => {
  const heading = text.slice(0, text.indexOf(":")).trim()
  const prose = text.slice(text.indexOf(":") + 1).trim()
  if (kind !== undefined || !text.includes(":")) return undefined
  if (heading.length < 3 || heading.length > 60 || prose.length < 15) return undefined
  const title = capitalised(heading.replace(/[“”"«»]/g, ""))
  const block: SiteBlock = {
    _tag: "Prose",
    id: keyFor(title, keysOf(site)),
    title,
    text: within(prose, 4000),
    picture: null
  }
  return {
    operations: [{ _tag: "AddBlock", page: home.id, after: placeOn(home), block }],
    notes: [notes.addedBlock(title)]
  }
}

/** What a block adds to another, for the owner. */
const namesIn = (block: SiteBlock): string => {
  if (block._tag === "Clients") return block.names.join(", ")
  if (!("items" in block)) return nameOfBlock(block)
  return block.items
    .map((item) =>
      "title" in item ? item.title : "name" in item ? item.name : "question" in item ? item.question : item.label
    )
    .join(", ")
}

/** Adds the block, or its items to a block of the same kind. */
const withBlock = (block: SiteBlock, { notes, site }: ChangeDesk, home: SitePage): ReadChange => {
  const similar = site.pages
    .flatMap((page) => page.blocks.map((each) => ({ page, block: each })))
    .find((each) => each.block._tag === block._tag && (each.block.id === "benefits") === (block.id === "benefits"))
  const more = similar === undefined ? undefined : merged(similar.block, block)
  if (similar !== undefined && more !== undefined) {
    return {
      operations: [replace(similar.page, more)],
      notes: [notes.added(within(namesIn(block), 160), nameOfBlock(similar.block))]
    }
  }
  const added = { ...block, id: keyFor(block.id, keysOf(site)) }
  return {
    operations: [{ _tag: "AddBlock", page: home.id, after: placeOn(home), block: added }],
    notes: [notes.addedBlock(nameOfBlock(block))]
  }
}

/** What a sentence adds: a page, a form, items of a block that is there, or a new block of them. */
export const changeAdding = (clause: string, desk: ChangeDesk, isOrder: boolean): ReadChange | undefined => {
  const { material, notes, site } = desk
  const folded = fold(clause)
  const isAboutPage = /\b(?:pagina|page)\b/.test(folded)
  const isOnPage = /\b(?:na|no|to the|in the|on the|en la|a la|na sua) (?:pagina|page)/.test(folded)
  if (isOrder && isAboutPage && !isOnPage) return newPage(clause, desk)
  const [home] = site.pages
  if (home === undefined) return undefined
  const change = newQuestion(clause, desk, home) ?? (isOrder ? newForm(clause, desk) : undefined)
  if (change !== undefined) return change
  const content = contentOf(clause, isOrder)
  if (!isOrder && !content.text.includes(":")) return undefined
  const blocks = blocksOf(content, desk)
  const prose = isOrder ? newProse(content, desk, home) : undefined
  if (prose !== undefined) return prose
  const { kind } = content
  // A section that is ordered without a text is written from the material.
  const ofMaterial = isOrder && kind !== undefined && blocks.length === 0
  const [block] = ofMaterial
    ? sectionsFor(material, site.theme).filter((each) => each._tag === kind && !isShown(site, each))
    : blocks
  if (block !== undefined) return withBlock(block, desk, home)
  return ofMaterial ? { operations: [], notes: [notes.noMaterial(within(clause, 160))] } : undefined
}
