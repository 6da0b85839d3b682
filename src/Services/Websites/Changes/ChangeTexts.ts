import { fold } from "../../Text/PlainText.ts"
import { within } from "../Material/MaterialText.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import { allBlocks, blockNamed, blocksOfKind, nameOfBlock } from "./ChangeTargets.ts"
import { changedBlock, done, newValue, only, quotesIn, type Reader, replaceBlock, swaps } from "./ChangeWords.ts"

export const renames: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (
    !/\b(?:renome\w+|rename\w*|renombr\w+)\b|\b(?:nome|name|nombre) (?:do|da|of|del|de la|the)? ?(?:\w+ )?(?:site|sitio|empresa|negocio|website|business|company|marca|brand|loja|to|para|por|a)\b|\b(?:se chama|is called|se llama)\b/.test(
      folded
    )
  )
    return undefined
  if (/\b(?:campo|field|pagina|page|secao|section)\b/.test(folded)) return undefined
  const name = newValue(clause)
  if (name === undefined || name.length > 120) return undefined
  const titled = site.pages
    .filter(({ title }) => title.includes(site.name))
    .map(
      ({ description, id, label, title }): SiteOperation => ({
        _tag: "DescribePage",
        page: id,
        label,
        title: within(title.replaceAll(site.name, name), 160),
        description
      })
    )
  const spoken = allBlocks(site).flatMap(({ block, page }) => {
    const changed = changedBlock(block, site.name, name)
    return changed === undefined ? [] : [replaceBlock({ block, page }, changed)]
  })
  return done(notes.renamed(name), { _tag: "Rename", name, tagline: site.tagline }, ...titled, ...spoken)
}

export const replacing: Reader = (clause, { notes, site }) => {
  const [from, to] = quotesIn(clause)
  if (from === undefined || to === undefined || !swaps.test(fold(clause))) return undefined
  const operations = allBlocks(site).flatMap(({ block, page }) => {
    const changed = changedBlock(block, from, to)
    return changed === undefined ? [] : [replaceBlock({ block, page }, changed)]
  })
  const described = site.pages.flatMap(
    ({ description, id, label, title }): ReadonlyArray<SiteOperation> =>
      title.includes(from) || label.includes(from)
        ? [
            {
              _tag: "DescribePage",
              page: id,
              label: within(label.replaceAll(from, to), 40),
              title: within(title.replaceAll(from, to), 160),
              description
            }
          ]
        : []
  )
  return operations.length + described.length === 0
    ? only(notes.notFound(from))
    : done(notes.replaced(within(from, 120), within(to, 120)), ...operations, ...described)
}

/** A block with another text in the place that the prompt names. */
export const retexting: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (!swaps.test(folded)) return undefined
  const value = newValue(clause)
  if (value === undefined || value.length < 2) return undefined
  const ofTitle = /\b(?:titulo|title|heading|headline|manchete|encabezado|titular|chamada principal)\b/.test(folded)
  const ofText =
    /\b(?:subtitulo|subtitle|texto|text|paragrafo|paragraph|parrafo|descricao|description|frase|copy)\b/.test(folded)
  const ofButton = /\b(?:botao|button|boton|cta)\b/.test(folded)
  if (!ofTitle && !ofText && !ofButton) return undefined
  const before = clause.slice(0, clause.lastIndexOf(value))
  const named = blockNamed(site, before)
  const [hero] = blocksOfKind(site, "Hero")
  const placed = named ?? hero
  if (placed === undefined) return only(notes.notFound(within(clause, 160)))
  const { block } = placed
  if (ofButton) {
    if (block._tag === "Form")
      return done(notes.text(nameOfBlock(block), value), replaceBlock(placed, { ...block, submit: within(value, 60) }))
    const [first] = "actions" in block ? block.actions : []
    if (first === undefined) return only(notes.notFound(within(clause, 160)))
    // The same button stands in several places.
    const operations = allBlocks(site).flatMap((each): ReadonlyArray<SiteOperation> => {
      const at = each.block
      if ((at._tag === "Hero" || at._tag === "CallToAction") && at.actions.some(({ label }) => label === first.label))
        return [
          replaceBlock(each, {
            ...at,
            actions: at.actions.map((action) =>
              action.label === first.label ? { ...action, label: within(value, 80) } : action
            )
          })
        ]
      return at._tag === "Form" && at.submit === first.label
        ? [replaceBlock(each, { ...at, submit: within(value, 60) })]
        : []
    })
    return done(notes.text(notes.button, value), ...operations)
  }
  if (ofTitle && !/\b(?:subtitulo|subtitle)\b/.test(folded))
    return done(
      notes.text(block._tag === "Hero" ? notes.opening : nameOfBlock(block), value),
      replaceBlock(placed, { ...block, title: within(value, 160) })
    )
  return "text" in block
    ? done(
        notes.text(nameOfBlock(block), within(value, 200)),
        replaceBlock(placed, { ...block, text: within(value, 4000) })
      )
    : only(notes.notFound(within(clause, 160)))
}
