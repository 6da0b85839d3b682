import { within, withoutEnd } from "../../Material/MaterialText.ts"
import { change, type EditDesk, failure, type Outcome } from "../EditDesk.ts"
import { asks, type Clause, rawText, unexplained, valuesOf } from "../Reading/EditClause.ts"
import { has, isWord } from "../Reading/EditTokens.ts"

const variantWords: ReadonlySet<string> = new Set(
  "variante variantes variant variants variacao variacion variation versao version alternativa alternative teste test a/b ab".split(
    " "
  )
)

/** Adds a variant of a page. Each visitor sees one of the variants. */
export const addingVariant = (clause: Clause, { notes, prompt, site }: EditDesk): Outcome | undefined => {
  if (!asks(clause, "add") || !clause.tokens.some(({ word }) => variantWords.has(word))) return undefined
  const page = site.pages.find(({ blocks }) => blocks.some(({ _tag }) => _tag === "Form")) ?? site.pages[0]
  if (page === undefined) return undefined
  const quote = valuesOf(clause, "quote")[0]
  const colon = clause.tokens.findIndex(({ text }) => text === ":")
  const behind = colon < 0 || quote !== undefined ? [] : clause.tokens.slice(colon + 1)
  const left = unexplained(
    clause,
    (token) =>
      token === quote ||
      behind.includes(token) ||
      variantWords.has(token.word) ||
      (isWord(token) && has(token, "headline", "now", "page", "main"))
  )
  const id = ["b", "c", "d"].find((each) => !page.variants.some((existing) => existing.id === each))
  if (left.length > 0) return undefined
  if (id === undefined) return failure(notes.nothing, notes.oneByOne)
  const title = quote?.text.trim() ?? withoutEnd(rawText(prompt, behind), ".;")
  const heroes = page.blocks.filter(({ _tag }) => _tag === "Hero")
  const forms = page.blocks.filter(({ _tag }) => _tag === "Form")
  const rest = page.blocks.filter((block) => !heroes.includes(block) && !forms.includes(block))
  // A variant without a new title shows the form first and the explanations after it.
  const blocks =
    title === ""
      ? [...heroes, ...forms, ...rest]
      : page.blocks.map((block) => (block._tag === "Hero" ? { ...block, title: within(title, 160) } : block))
  if (JSON.stringify(blocks) === JSON.stringify(page.blocks))
    return failure(notes.notFound(within(clause.text, 160)), notes.nameIt)
  return change("addition", notes.variant(id), [{ _tag: "AddVariant", page: page.id, id, blocks }])
}
