import { fold } from "../../Text/PlainText.ts"
import { within, withoutEnd } from "../Material/MaterialText.ts"
import { done, only, quotesIn, type Reader } from "./ChangeWords.ts"

const titleBehind = (clause: string): string | undefined => {
  const title = withoutEnd(clause.slice(clause.indexOf(":") + 1).trim(), ".;")
  return clause.includes(":") && title.length >= 4 && title.length <= 160 ? title : undefined
}

/** Another opening of a page, of which each visitor meets one. */
export const variant: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (
    !/\b(?:variantes?|variant|variacao|variacion|versao (?:b|alternativa)|version (?:b|alternativa)|teste a\/b|a\/b|ab test|alternative version)\b/.test(
      folded
    )
  )
    return undefined
  const page = site.pages.find(({ blocks }) => blocks.some(({ _tag }) => _tag === "Form")) ?? site.pages[0]
  if (page === undefined) return undefined
  const id = ["b", "c", "d"].find((each) => !page.variants.some((existing) => existing.id === each))
  if (id === undefined) return only(notes.nothing)
  const title = quotesIn(clause)[0] ?? titleBehind(clause)
  const heroes = page.blocks.filter(({ _tag }) => _tag === "Hero")
  const forms = page.blocks.filter(({ _tag }) => _tag === "Form")
  const rest = page.blocks.filter((block) => !heroes.includes(block) && !forms.includes(block))
  const retitled = heroes.map((block) => (title === undefined ? block : { ...block, title: within(title, 160) }))
  // Without a separate title it asks first and explains afterwards.
  const blocks =
    title === undefined
      ? [...retitled, ...forms, ...rest]
      : page.blocks.map((block) => (block._tag === "Hero" ? (retitled[heroes.indexOf(block)] ?? block) : block))
  if (JSON.stringify(blocks) === JSON.stringify(page.blocks)) return only(notes.notFound(within(clause, 160)))
  return done(notes.variant(id), { _tag: "AddVariant", page: page.id, id, blocks })
}
