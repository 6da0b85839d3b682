import { fold } from "../../Text/PlainText.ts"
import type { Site, SiteBlock } from "../Site.ts"
import { textsOf } from "../Writing/SiteCheck.ts"
import { blockNamed, kindNamed } from "./ChangeTargets.ts"
import { wordsOf } from "./WishTokens.ts"
import { isNoun } from "./WishWords.ts"

/** What a prompt asks to leave as it is. */
export interface ChangeGuard {
  readonly text: string
  readonly isKept: (before: Site, after: Site) => boolean
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const blocksOf = (site: Site): ReadonlyArray<SiteBlock> => site.pages.flatMap(({ blocks }) => blocks)

const tagsOf = (site: Site) => blocksOf(site).map(({ _tag }) => _tag)

const looks =
  /\b(?:cor|cores|colou?rs?|colores|visual|look|layout|design|diseno|aparencia|apariencia|estilo|style|fontes?|fonts?|tema|theme|fundo|fondo|background)\b/
const texts = /\b(?:textos?|texts?|conteudos?|contenidos?|content|wording|copy|palavras|palabras|words)\b/
const removal = /\b(?:remov\w+|tir\w+|apag\w+|exclu\w+|retir\w+|delet\w+|take|drop|quit\w+|elimin\w+|borr\w+)\b/

/** What is to stay by a sentence such as "don't touch the colours"; undefined where it names nothing that is known. */
export const guardOf = (text: string, site: Site): ChangeGuard | undefined => {
  const folded = fold(text)
  if (looks.test(folded)) return { text, isKept: (before, after) => same(before.theme, after.theme) }
  if (texts.test(folded))
    return {
      text,
      isKept: (before, after) => same(blocksOf(before).flatMap(textsOf), blocksOf(after).flatMap(textsOf))
    }
  const detail = (["address", "email", "phone", "hours"] as const).find((each) =>
    wordsOf(text).some((word) => isNoun(word, each))
  )
  if (detail !== undefined) {
    const detailsOf = (each: Site) =>
      blocksOf(each).flatMap((block) => (block._tag === "Contact" ? [block[detail]] : []))
    return { text, isKept: (before, after) => same(detailsOf(before), detailsOf(after)) }
  }
  const named = blockNamed(site, text)
  if (named === undefined)
    return kindNamed(text) === undefined
      ? undefined
      : { text, isKept: (before, after) => same(tagsOf(before), tagsOf(after)) }
  const { id } = named.block
  const find = (each: Site) => blocksOf(each).find((block) => block.id === id)
  return {
    text,
    isKept: (before, after) =>
      removal.test(folded)
        ? (find(before) === undefined) === (find(after) === undefined)
        : same(find(before), find(after))
  }
}
