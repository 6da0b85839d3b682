import { Either, Schema } from "effect"
import { languageOf } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { capitalised, sentencesIn, within, withoutEnd } from "../Material/MaterialText.ts"
import { Site, SiteBlock } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import { siteWords } from "../Writing/Phrases/SitePhrases.ts"
import { textsOf } from "../Writing/SiteCheck.ts"
import { boundedPattern, wordsOf } from "./Reading/EditTokens.ts"
import { allBlocks } from "./SiteSections.ts"

/** All texts that visitors can see, and the titles and descriptions of the pages. */
export const visibleTexts = (site: Site): ReadonlyArray<string> => [
  site.name,
  site.tagline,
  ...site.pages.flatMap(({ blocks, description, label, title }) => [
    label,
    title,
    description,
    ...blocks.flatMap(textsOf)
  ])
]

const keptKeys: ReadonlySet<string> = new Set(["_tag", "id", "kind", "collection", "shows", "page", "block", "url"])

/** Returns a copy with every text changed. Keys and addresses stay. */
const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) =>
      keptKeys.has(key) || (key === "picture" && typeof each === "string") || (key === "name" && "kind" in value)
        ? [key, each]
        : [key, mapTexts(each, change)]
    )
  )
}

const decodeBlock = Schema.decodeUnknownEither(SiteBlock)

export const changedTexts = (block: SiteBlock, change: (text: string) => string): SiteBlock | undefined => {
  const changed = Either.getOrUndefined(decodeBlock(mapTexts(block, change)))
  return changed === undefined || JSON.stringify(changed) === JSON.stringify(block) ? undefined : changed
}

/** The operations that change every text of the blocks and every title and description of the pages. */
export const changingTexts = (site: Site, change: (text: string) => string): ReadonlyArray<SiteOperation> => {
  const blocks = allBlocks(site).flatMap(({ block, page }): ReadonlyArray<SiteOperation> => {
    const changed = changedTexts(block, change)
    return changed === undefined ? [] : [{ _tag: "ReplaceBlock", page: page.id, variant: null, block: changed }]
  })
  const variants = site.pages.flatMap((page) =>
    page.variants.flatMap((variant) =>
      variant.blocks.flatMap((block): ReadonlyArray<SiteOperation> => {
        const changed = changedTexts(block, change)
        return changed === undefined
          ? []
          : [{ _tag: "ReplaceBlock", page: page.id, variant: variant.id, block: changed }]
      })
    )
  )
  const pages = site.pages.flatMap(({ description, id, label, title }): ReadonlyArray<SiteOperation> => {
    const next = {
      label: within(change(label), 40),
      title: within(change(title), 160),
      description: within(change(description), 300)
    }
    return next.label === label && next.title === title && next.description === description
      ? []
      : [{ _tag: "DescribePage", page: id, ...next }]
  })
  const named = { name: within(change(site.name), 120), tagline: within(change(site.tagline), 200) }
  const rename: ReadonlyArray<SiteOperation> =
    named.name === site.name && named.tagline === site.tagline ? [] : [{ _tag: "Rename", ...named }]
  return [...rename, ...pages, ...blocks, ...variants]
}

const lowered = (text: string): string =>
  /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLocaleLowerCase() + text.slice(1) : text

/** Replaces a text wherever it occurs as whole words. */
export const replacingText = (site: Site, from: string, to: string): ReadonlyArray<SiteOperation> => {
  if (from.trim() === "") return []
  const pattern = new RegExp(boundedPattern(from).source, "giu")
  const isSame = (occurrence: string): boolean => occurrence.charAt(0) === from.charAt(0)
  return changingTexts(site, (text) =>
    text.replace(pattern, (occurrence) =>
      isSame(occurrence) || !/^\p{Lu}/u.test(occurrence) ? (isSame(occurrence) ? to : lowered(to)) : capitalised(to)
    )
  )
}

/** The site's own spelling of a phrase, ignoring case and accents. Undefined if the site does not contain it. */
export const writtenAs = (site: Site, phrase: string): string | undefined => {
  const needle = fold(phrase).trim()
  if (needle.length < 2) return undefined
  const pattern = boundedPattern(needle)
  for (const text of visibleTexts(site)) {
    const folded = fold(text)
    if (folded.length !== text.length) {
      if (text.includes(phrase)) return phrase
      continue
    }
    pattern.lastIndex = 0
    const match = pattern.exec(folded)
    if (match !== null) return text.slice(match.index, match.index + needle.length)
  }
  return undefined
}

/** True if the site contains the text as whole words. */
export const says = (site: Site, phrase: string): boolean => {
  const needle = fold(phrase).trim()
  if (needle === "") return false
  const pattern = boundedPattern(needle)
  return visibleTexts(site).some((text) => {
    pattern.lastIndex = 0
    return pattern.test(fold(text))
  })
}

const joint = /(,\s+|\s+(?:e|and|y|&)\s+)/u

/** The largest number of words in a list entry. */
const longestListed = 4

const withoutArticle = (words: ReadonlyArray<string>): string =>
  (words.length > 1 && ["o", "a", "os", "as", "the", "el", "la", "los", "las"].includes(words[0] ?? "")
    ? words.slice(1)
    : words
  ).join(" ")

/** Removes an entry from the list in a sentence. Returns the sentence unchanged if it does not list the entry. */
export const withoutListed = (sentence: string, item: string, language: string): string => {
  const mark = /[.!]$/.exec(sentence)?.[0] ?? ""
  const pieces = withoutEnd(sentence, ".!").split(joint)
  // The pieces alternate: entry, separator, entry, …
  const parts = pieces.filter((_, index) => index % 2 === 0)
  const between = pieces.filter((_, index) => index % 2 === 1)
  if (parts.length < 2) return sentence
  const needle = wordsOf(item).join(" ")
  const at = parts.findIndex((part, index) => {
    const words = wordsOf(part).join(" ")
    return (
      words === needle ||
      (index > 0 && withoutArticle(wordsOf(part)) === needle) ||
      (index === 0 && words.endsWith(` ${needle}`))
    )
  })
  // A longer part is the rest of the sentence, not a list entry.
  if (at < 0 || wordsOf(parts[at + 1] ?? "").length > longestListed) return sentence
  const [first = ""] = parts
  const beginning = at === 0 ? first.slice(0, Math.max(0, fold(first).lastIndexOf(fold(item)))) : ""
  const rest = parts.filter((_, index) => index !== at)
  const joints = between.filter((_, index) => index !== (at === 0 ? 0 : at - 1))
  const and = ` ${siteWords[languageOf(language)].and} `
  const isEnd = at === parts.length - 1 && !(between.at(-1) ?? "").startsWith(",")
  if (isEnd && joints.length > 0) joints[joints.length - 1] = and
  const list = rest.map((part, index) => `${index === 0 ? "" : (joints[index - 1] ?? "")}${part}`).join("")
  const text = `${beginning}${list}`
  return `${/^\p{Lu}/u.test(sentence) ? capitalised(text) : text}${mark}`
}

/** The sentences of a text, each paragraph by itself. */
const paragraphsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> => text.split("\n").map(sentencesIn)

export const changingSentences = (text: string, change: (sentence: string) => string): string =>
  paragraphsOf(text)
    .map((sentences) =>
      sentences
        .map(change)
        .filter((sentence) => sentence !== "")
        .join(" ")
    )
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()

/** The distinct sentences in the site's running texts: openings, text sections, answers and the like. */
export const sentencesOfSite = (site: Site): ReadonlyArray<string> => [
  ...new Set(
    allBlocks(site)
      .flatMap(({ block }) => {
        switch (block._tag) {
          case "Hero":
          case "CallToAction":
          case "Prose":
            return [block.title, block.text]
          case "Features":
            return [block.text, ...block.items.flatMap(({ text, title }) => [title, text])]
          case "Steps":
            return block.items.flatMap(({ text, title }) => [title, text])
          case "People":
            return block.items.flatMap(({ role, text }) => [role, text])
          case "Prices":
            return block.items.flatMap(({ includes, text }) => [text, ...includes])
          case "Questions":
            return block.items.flatMap(({ answer }) => [answer])
          case "Contact":
            return [block.text]
          default:
            return []
        }
      })
      .flatMap((text) => paragraphsOf(text).flat())
      .filter((sentence) => sentence !== "")
  )
]

const decodeSite = Schema.decodeUnknownEither(Site)

/** True if a site satisfies the schema and its limits. */
export const isStorable = (site: Site): boolean => Either.isRight(decodeSite(site))
