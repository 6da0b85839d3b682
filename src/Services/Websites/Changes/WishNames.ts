import { languageOf } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { within, withoutEnd } from "../Material/MaterialText.ts"
import type { Site } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import { siteWords } from "../Writing/SitePhrases.ts"
import type { ChangeDesk } from "./ChangeDesk.ts"
import { replacingText, says, writtenAs } from "./SiteTexts.ts"
import { resolveThings } from "./SiteThings.ts"
import { change, failure, type Outcome, type Reading } from "./WishOutcome.ts"
import { bare, contentOf, sameWord, unexplained, wordsOf } from "./WishTokens.ts"
import { isNoun, wordList } from "./WishWords.ts"

/** Whether the site's name is only what its kind is called, since nothing gave its name. */
const isStandIn = (site: Site): boolean =>
  site.name === site.tagline || Object.values(siteWords[languageOf(site.language)].kinds).includes(site.name)

/** A new name wherever the site writes the old one. */
export const settingName = ({ notes, site }: ChangeDesk, name: string): Outcome => {
  // Said once more, the name that was guessed is sure.
  if (name === site.name)
    return site.questions?.includes("name") === true
      ? change(notes.renamed(name), [], { present: [name], answers: ["name"] })
      : failure(notes.already(name), notes.oneByOne)
  const everywhere = isStandIn(site)
    ? site.pages.flatMap(
        ({ description, id, label, title }): ReadonlyArray<SiteOperation> =>
          title.startsWith(site.name)
            ? [
                {
                  _tag: "DescribePage",
                  page: id,
                  label,
                  title: within(name + title.slice(site.name.length), 160),
                  description
                }
              ]
            : []
      )
    : replacingText(site, site.name, name).filter(({ _tag }) => _tag !== "Rename")
  const heroes = isStandIn(site)
    ? site.pages.flatMap(({ blocks, id }) =>
        blocks.flatMap(
          (block): ReadonlyArray<SiteOperation> =>
            block._tag === "Hero" && block.title === site.name && block.title !== site.tagline
              ? [{ _tag: "ReplaceBlock", page: id, variant: null, block: { ...block, title: within(name, 160) } }]
              : []
        )
      )
    : []
  const tagline = isStandIn(site) ? site.tagline : site.tagline.replaceAll(site.name, name)
  return change(
    notes.renamed(name),
    [{ _tag: "Rename", name: within(name, 120), tagline: within(tagline, 200) }, ...everywhere, ...heroes],
    {
      present: [name],
      answers: ["name"],
      absent:
        isStandIn(site) ||
        says(
          {
            ...site,
            name,
            tagline: "",
            pages: site.pages.map((page) => ({
              ...page,
              label: "",
              title: name,
              description: "",
              blocks: [],
              variants: []
            }))
          },
          site.name
        )
          ? []
          : [site.name]
    }
  )
}

const ofName = wordList(
  "e is es it's its se chama chamamos chama-se called llama llamamos llamado chamado chamada named agora now ahora correto correct correcto certo right real novo new nuevo nova verdadeiro fantasia nome name nombre passa passou ser somos are we're we gente nos nosotros renamed rename actually"
)

const namedOnly = (phrase: string): boolean => {
  const words = contentOf(wordsOf(phrase))
  return words.every((word) => isNoun(word, "name", "business", "page") || ofName.has(word))
}

const longestName = 80

const nowBehind =
  /,?\s(?:now|agora|ahora|instead|tamb[ée]m|tambi[ée]n|too|from now on|daqui em diante|no lugar|en su lugar)$/i

const cleanName = (value: string): string =>
  withoutEnd(bareName(value), " .;,").replace(/\s+/g, " ").replace(nowBehind, "").trim()

const bareName = (value: string): string => {
  const quoted = /^[“"«']([^“”"«»]+)[”"»']/.exec(value.trim())?.[1]
  return quoted ?? value.trim()
}

const calls =
  /\b(?:chama|chamamos|chamar|chame|chamada|chamado|called|call|llama|llamamos|llamar|llame|named|rename|renomei\w+|renombr\w+|rebatiz\w+)\b/

/** The name of the business in all natural forms: "O nome da empresa é X", "a gente chama X", "The business is called X". */
export const naming = (
  { act, isStatement, object, value }: Reading,
  desk: ChangeDesk,
  text: string
): Outcome | undefined => {
  const { site } = desk
  if (act === "remove" || act === "move" || value === undefined) return undefined
  const name = cleanName(value)
  const words = wordsOf(object)
  if (name.length < 2 || name.length > longestName || /[:;?!\n]/.test(name)) return undefined
  if (/^(?:muito|very|too|demais|so|mais|more|más)\b/i.test(name)) return undefined
  const speaksOfName = words.some((word) => isNoun(word, "name")) || calls.test(fold(text))
  const isBusiness =
    namedOnly(object) &&
    (speaksOfName || (words.some((word) => isNoun(word, "business")) && isStatement && /^\p{Lu}/u.test(name)))
  if (isBusiness && startsLikeName(name)) return settingName(desk, name)
  // "Corrija: é Nogueira, Prado & Lima": a value like the name that the site has is the name.
  const isBare = contentOf(words).length === 0
  const shared = contentOf(wordsOf(site.name)).filter((word) => wordsOf(name).some((each) => sameWord(each, word)))
  if (
    isBare &&
    /^\p{Lu}/u.test(name) &&
    shared.length >= Math.min(2, contentOf(wordsOf(site.name)).length) &&
    wordsOf(name).length <= 10
  )
    return settingName(desk, name)
  return undefined
}

const startsLikeName = (name: string): boolean => /^[\p{Lu}\d“"'«@]/u.test(name) || name.split(" ").length <= 5

const sumShape = /[$€£]\s?\d|\d\s?(?:€|reais|euros?)/i

/** Whether a phrase can be a text of the site: neither a noun such as "phone", nor nothing. */
const isText = (from: string, to: string, isQuoted: boolean): boolean => {
  const words = contentOf(wordsOf(from))
  if (from === "" || to === "" || to.length > 2000 || (sumShape.test(to) && !sumShape.test(from))) return false
  return isQuoted || (words.length > 0 && !words.every(isAnyNoun))
}

/** One text of the site for another: "troca Lucía Ferrer por Lucía Ferrer Mas". */
export const replacing = ({ act, object, value }: Reading, desk: ChangeDesk): Outcome | undefined => {
  const { notes, site } = desk
  if ((act !== "change" && act !== "set") || value === undefined) return undefined
  const isQuoted = /^\s*[“"«'‘]/.test(object)
  const from = cleanFrom(object)
  const to = cleanName(value)
  if (!isText(from, to, isQuoted)) return undefined
  const spelling = writtenAs(site, from)
  if (spelling === undefined)
    return isQuoted ? failure(notes.notFound(within(from, 160)), notes.nameIt) : renamingThing(from, to, desk)
  if (spelling === to) return failure(notes.already(to), notes.oneByOne)
  // A word of a longer text is replaced only where it is a name or is in quotation marks.
  const isNamed = isQuoted || /^\p{Lu}|\d/u.test(from) || contentOf(wordsOf(from)).length > 1
  if (!isNamed && resolveThings(site, from)._tag !== "Things") return undefined
  const isCapital = /^\p{Lu}/u.test(spelling) && /^\p{Ll}/u.test(to) && !isQuoted
  const next = isCapital ? to.charAt(0).toLocaleUpperCase() + to.slice(1) : to
  const operations = replacingText(site, spelling, next)
  if (operations.length === 0) return undefined
  return change(notes.replaced(within(spelling, 120), within(next, 120)), operations, {
    present: [next],
    absent: fold(next).includes(fold(spelling)) ? [] : [spelling]
  })
}

const cleanFrom = (object: string): string =>
  bare(
    object.replace(
      /^(?:onde (?:se )?l[eê]|where it says|donde dice|a palavra|o texto|a frase|the words?|the text|la palabra|el texto|la frase)\s+/i,
      ""
    )
  )

const isAnyNoun = (word: string): boolean =>
  isNoun(
    word,
    "phone",
    "number",
    "whatsapp",
    "email",
    "address",
    "hours",
    "contact",
    "link",
    "network",
    "name",
    "business",
    "headline",
    "main",
    "subtitle",
    "text",
    "sentence",
    "price",
    "button",
    "field",
    "form",
    "section",
    "list",
    "page",
    "picture"
  )

/** An item that is named in part gets another name. */
const renamingThing = (from: string, to: string, desk: ChangeDesk): Outcome | undefined => {
  const finding = resolveThings(desk.site, from)
  if (finding._tag !== "Things") return undefined
  const [thing] = finding.things
  if (thing === undefined || thing.kind === "field" || thing.kind === "button") return undefined
  const isWhole =
    unexplained(wordsOf(thing.name), (word) => wordsOf(from).some((each) => sameWord(each, word))).length === 0
  if (!isWhole) return undefined
  const { notes, site } = desk
  return change(notes.replaced(within(thing.name, 120), within(to, 120)), replacingText(site, thing.name, to), {
    present: [to],
    absent: fold(to).includes(fold(thing.name)) ? [] : [thing.name]
  })
}
