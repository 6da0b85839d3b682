import { detectLanguage, languageOf } from "../../Text/Language.ts"
import { fold, stringsIn } from "../../Text/PlainText.ts"
import { stemOf } from "../../Text/WordStems.ts"
import type { Site, SiteBlock } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import { withoutKinds } from "./ChangeTargets.ts"

// Words that join others and carry no wish. No negation is among them, and no word of extent such as "all" or "both".
const joining: ReadonlySet<string> = new Set(
  (
    "a o as os um uma uns umas de do da dos das em na nas nos ao aos pelo pela pelos pelas por para pra pro com e ou que se seu sua " +
    "seus suas meu minha meus minhas nosso nossa nossos nossas este esta esse essa aquele aquela favor quero queremos gostaria agora " +
    "tambem ja ser fica aqui ali gente que vamos preciso precisamos so apenas ola oi obrigado obrigada " +
    "the an of in on at to for from with by and or our your my its this that these those is are be was please now also will would " +
    "i we you want like there here just only into it's thanks hi hello can could need have has as " +
    "el la los las un unas unos una del al en con y su sus mi mis nuestro nuestra nuestros nuestras ese esa es son ahora tambien " +
    "quiero queremos ya solo gracias hola puede podria favor como " +
    "site sitio website web"
  ).split(" ")
)

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The strings by which two states of a part differ; of a list those of the items that differ. */
const differenceOf = (before: unknown, after: unknown): ReadonlyArray<string> => {
  if (same(before, after)) return []
  if (Array.isArray(before) && Array.isArray(after)) {
    const removed = before.filter((each) => !after.some((other) => same(each, other)))
    const fresh = after.filter((each) => !before.some((other) => same(each, other)))
    return [...stringsIn(removed), ...stringsIn(fresh)]
  }
  if (isRecord(before) && isRecord(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      differenceOf(before[key], after[key])
    )
  return [...stringsIn(before), ...stringsIn(after)]
}

interface Touched {
  readonly texts: ReadonlyArray<string>
  readonly kinds: ReadonlyArray<SiteBlock["_tag"]>
}

const nameOf = (block: SiteBlock | undefined): Touched =>
  block === undefined ? { texts: [], kinds: [] } : { texts: [block.title], kinds: [block._tag] }

const joined = (parts: ReadonlyArray<Touched>): Touched => ({
  texts: parts.flatMap(({ texts }) => texts),
  kinds: parts.flatMap(({ kinds }) => kinds)
})

const blockOf = (site: Site, id: string | null): SiteBlock | undefined =>
  site.pages.flatMap(({ blocks }) => blocks).find((block) => block.id === id)

const pageOf = (site: Site, page: string) => site.pages.find(({ id }) => id === page)

/** The moved block, and those that it is between afterwards. */
const touchedByMove = (
  { block, to }: Extract<SiteOperation, { readonly _tag: "MoveBlock" }>,
  before: Site,
  after: Site
): Touched => {
  const blocks = pageOf(after, to)?.blocks ?? []
  const at = blocks.findIndex(({ id }) => id === block)
  return joined([nameOf(blockOf(before, block)), nameOf(blocks[at - 1]), nameOf(blocks[at + 1])])
}

/** What an operation speaks of: the texts that it changed, and the names of the parts that it changed or goes by. */
const touchedBy = (operation: SiteOperation, before: Site, after: Site): Touched => {
  switch (operation._tag) {
    case "ReplaceBlock": {
      const [old, fresh] = [blockOf(before, operation.block.id), operation.block]
      return joined([nameOf(old), { texts: differenceOf(old, fresh), kinds: [] }])
    }
    case "AddBlock":
      return { texts: stringsIn(operation.block), kinds: [operation.block._tag] }
    case "RemoveBlock":
      // Only its name: of "the focaccia from the menu" the menu's items are no part of what it is called.
      return nameOf(blockOf(before, operation.block))
    case "MoveBlock":
      return touchedByMove(operation, before, after)
    case "AddPage":
      return { texts: stringsIn(operation.page), kinds: operation.page.blocks.map(({ _tag }) => _tag) }
    case "RemovePage": {
      const page = pageOf(before, operation.page)
      return { texts: stringsIn([page?.label, page?.title]), kinds: [] }
    }
    case "DescribePage": {
      const page = pageOf(before, operation.page)
      return { texts: [...stringsIn(operation), ...stringsIn([page?.label, page?.title])], kinds: [] }
    }
    case "Rename":
      return { texts: [before.name, after.name], kinds: [] }
    case "AddVariant":
      return {
        texts: differenceOf(pageOf(before, operation.page)?.blocks, operation.blocks),
        kinds: []
      }
    case "SetPicture":
      return { texts: [operation.picture.prompt], kinds: [] }
    case "SetCollection":
      return {
        texts: differenceOf(before.collections, after.collections),
        kinds: []
      }
    case "RemoveVariant":
    case "SetTheme":
      return { texts: [], kinds: [] }
  }
}

const tokensOf = (text: string): ReadonlyArray<string> => text.split(/[^\p{L}\d]+/u).filter((word) => word !== "")

/**
 * The words of a wish that what was done for it does not account for. A wish is done only where there are none: what it
 * says besides might be the part that matters.
 */
export const unaccounted = (
  wish: string,
  {
    after,
    before,
    operations,
    vocabulary
  }: {
    readonly before: Site
    readonly after: Site
    readonly operations: ReadonlyArray<SiteOperation>
    /** The words by which the operation is asked for, folded. */
    readonly vocabulary: RegExp
  }
): ReadonlyArray<string> => {
  const { kinds, texts } = joined(operations.map((operation) => touchedBy(operation, before, after)))
  const isPortuguese = (detectLanguage(wish) ?? languageOf(before.language)) === "pt-BR"
  const phrases = texts.map(fold).filter((text) => text.length > 1)
  const named = phrases
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, phrase) => (phrase.includes(" ") ? text.replaceAll(phrase, " ") : text), fold(wish))
  const rest = withoutKinds(named.replace(new RegExp(vocabulary.source, "gu"), " "), new Set(kinds))
  const touchedWords = new Set(phrases.flatMap(tokensOf))
  const stems = new Set([...touchedWords].map(stemOf))
  return [
    ...new Set(
      tokensOf(rest).filter((word) => {
        if (joining.has(word) || touchedWords.has(word)) return false
        // "No" is "in the" in Portuguese, and a negation in the two other languages.
        if (word === "no" && isPortuguese) return false
        return /\d/.test(word) || !stems.has(stemOf(word))
      })
    )
  ]
}
