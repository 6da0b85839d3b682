import { fold } from "../../Text/PlainText.ts"
import { within } from "../Material/MaterialText.ts"
import type { SiteBlock } from "../Site.ts"
import { allBlocks, blockNamed, blocksOfKind, kindNamed, nameOfBlock, pageNamed } from "./ChangeTargets.ts"
import { done, only, type Reader, removes, replaceBlock } from "./ChangeWords.ts"

/** A block without one of its items; undefined where it has none that the text names. */
const withoutItem = (
  block: SiteBlock,
  folded: string
): { readonly block: SiteBlock; readonly item: string } | undefined => {
  const cut = <A>(
    items: ReadonlyArray<A>,
    nameOf: (item: A) => string
  ): { readonly rest: ReadonlyArray<A>; readonly item: string } | undefined => {
    const whole = items
      .filter((item) => nameOf(item).length > 2 && folded.includes(fold(nameOf(item))))
      .toSorted((one, other) => nameOf(other).length - nameOf(one).length)[0]
    // The first word alone is enough where only one item begins with it.
    const begun = items.filter((item) => {
      const [word = ""] = fold(nameOf(item)).split(" ")
      return word.length > 4 && kindNamed(word) === undefined && folded.split(/[^a-z0-9]+/).includes(word)
    })
    const found = whole ?? (begun.length === 1 ? begun[0] : undefined)
    return found === undefined ? undefined : { rest: items.filter((item) => item !== found), item: nameOf(found) }
  }
  const cutTo = <A>(
    items: ReadonlyArray<A>,
    nameOf: (item: A) => string,
    make: (rest: ReadonlyArray<A>) => SiteBlock
  ) => {
    const done = cut(items, nameOf)
    return done === undefined ? undefined : { block: make(done.rest), item: done.item }
  }
  switch (block._tag) {
    case "Features":
    case "Steps":
      return block._tag === "Features"
        ? cutTo(
            block.items,
            ({ title }) => title,
            (items) => ({ ...block, items })
          )
        : cutTo(
            block.items,
            ({ title }) => title,
            (items) => ({ ...block, items })
          )
    case "Prices":
      return cutTo(
        block.items,
        ({ name }) => name,
        (items) => ({ ...block, items })
      )
    case "People":
      return cutTo(
        block.items,
        ({ name }) => name,
        (items) => ({ ...block, items })
      )
    case "Quotes":
      return cutTo(
        block.items,
        ({ name }) => name,
        (items) => ({ ...block, items })
      )
    case "Questions":
      return cutTo(
        block.items,
        ({ question }) => question.replace(/[¿?]/g, ""),
        (items) => ({ ...block, items })
      )
    case "Clients":
      return cutTo(
        block.names,
        (name) => name,
        (names) => ({ ...block, names })
      )
    case "Form":
      return block.fields.length > 1
        ? cutTo(
            block.fields,
            ({ label }) => label,
            (fields) => ({ ...block, fields })
          )
        : undefined
    default:
      return undefined
  }
}

const isEmptied = (block: SiteBlock): boolean =>
  ("items" in block && block.items.length === 0) || (block._tag === "Clients" && block.names.length === 0)

const contactParts: ReadonlyArray<readonly ["phone" | "email" | "address" | "hours", RegExp]> = [
  ["phone", /\b(?:telefone|phone|whatsapp|celular|telefono)\b/],
  ["email", /\b(?:e-?mail|correo)\b/],
  ["address", /\b(?:endereco|address|direccion)\b/],
  ["hours", /\b(?:horarios?|hours)\b/]
]

const fillers: ReadonlySet<string> = new Set(
  "a o as os the el la los las um uma un una de do da dos das del of from no na nos nas in on en site sitio website pagina page secao section seccion bloco block bloque inteira inteiro toda todo all whole entire por favor please inicial home lista list esta este this that essa esse".split(
    " "
  )
)

const isAllNamed = (folded: string, block: SiteBlock): boolean => {
  const rest = folded.replace(removes, " ").replace(fold(block.title), " ")
  const words = rest.split(/[^\p{L}\d]+/u).filter((word) => word !== "" && !fillers.has(word))
  const said = words.join(" ")
  return said === "" || kindNamed(said) === block._tag
    ? words.filter((word) => kindNamed(word) === undefined && !isOfKind(said, word)).length === 0
    : false
}

/** Whether the word only makes up a kind's name of several words: "perguntas frequentes". */
const isOfKind = (said: string, word: string): boolean =>
  kindNamed(said) !== undefined &&
  /^(?:frequentes|frecuentes|asked|frequently|questions|funciona|como|how|it|works|somos|quem|us|nos|acao|action|call|to|chamada|final|precos|estamos|onde)$/.test(
    word
  )

export const removal: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (!removes.test(folded)) return undefined
  if (/\b(?:pagina|page)\b/.test(folded)) {
    const page = pageNamed(site, clause)
    if (page === undefined) return only(notes.notFound(within(clause, 160)))
    return done(notes.removedPage(page.label), { _tag: "RemovePage", page: page.id })
  }
  const isWhole = /\b(?:secao|section|seccion|bloco|block|bloque|toda|whole|inteir[oa])\b/.test(folded)
  if (!isWhole) {
    const speaksOfField = /\b(?:campo|field)\b/.test(folded)
    for (const placed of allBlocks(site)) {
      if (speaksOfField !== (placed.block._tag === "Form")) continue
      const without = withoutItem(placed.block, folded)
      if (without === undefined) continue
      return done(
        notes.removed(without.item),
        isEmptied(without.block)
          ? { _tag: "RemoveBlock", page: placed.page.id, block: placed.block.id }
          : replaceBlock(placed, without.block)
      )
    }
    const part = contactParts.find(([, words]) => words.test(folded))?.[0]
    const there = part === undefined ? [] : blocksOfKind(site, "Contact").filter(({ block }) => block[part] !== null)
    if (part !== undefined && there.length > 0)
      return done(
        notes.removed(notes[part]),
        ...there.map((placed) => replaceBlock(placed, { ...placed.block, [part]: null }))
      )
    if (/\b(?:imagem|foto|picture|image|imagen|ilustracao)\b/.test(folded)) {
      const [hero] = blocksOfKind(site, "Hero").filter(({ block }) => block.picture !== null)
      if (hero !== undefined)
        return done(notes.removed(notes.opening), replaceBlock(hero, { ...hero.block, picture: null }))
    }
  }
  const named = blockNamed(site, clause)
  // A whole section goes only where nothing but it is named: of "the focaccia from the menu" the menu stays.
  if (named === undefined || named.block._tag === "Hero" || !isAllNamed(folded, named.block))
    return only(notes.notFound(within(clause, 160)))
  return done(notes.removed(nameOfBlock(named.block)), {
    _tag: "RemoveBlock",
    page: named.page.id,
    block: named.block.id
  })
}
