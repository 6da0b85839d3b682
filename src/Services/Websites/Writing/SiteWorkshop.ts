import { shareOf } from "../../Text/PlainText.ts"
import { kindOf } from "../Material/MaterialLabels.ts"
import type { ReadMaterial } from "../Material/MaterialReader.ts"
import { within } from "../Material/MaterialText.ts"
import type { SiteBlock, SitePicture, SiteTheme } from "../Site.ts"
import type { FormPurpose, SiteWords } from "./SiteWords.ts"
import type { SiteMaterial } from "./SiteWriter.ts"

export type Block<Tag extends SiteBlock["_tag"]> = Extract<SiteBlock, { readonly _tag: Tag }>
export type PageId = "home" | "offers" | "about" | "contact"

/** What the parts of one site are made of. */
export interface Workshop {
  readonly material: SiteMaterial
  readonly read: ReadMaterial
  readonly words: SiteWords
  readonly theme: SiteTheme
  readonly purpose: FormPurpose | undefined
  readonly isCapture: boolean
  readonly seed: string
}

export const shareFor = ({ seed }: Workshop, of: string): number => shareOf(`${seed}\n${of}`)

const joined = (items: ReadonlyArray<string>, and: string): string =>
  items.length < 2 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} ${and} ${items.at(-1) ?? ""}`

/** In the middle of a sentence: a word that only its place made begin large is small again. */
const lowered = (text: string): string =>
  /^\p{Lu}[\p{Ll}]/u.test(text) ? text.charAt(0).toLocaleLowerCase() + text.slice(1) : text

export const offersHeading = ({ read, words }: Workshop): string => {
  const said = read.offersLabel
  // Who sells journeys offers no stay.
  const isTravel =
    read.sector === "lodging" && /\b(?:agencia|agency|tours?|turismo|passeios|paseos)\b/.test(read.wishes)
  return said !== "" && said.length <= 32
    ? said
    : isTravel
      ? words.services
      : (words.offers[read.sector] ?? words.services)
}

export const pricesHeading = ({ read, words }: Workshop): string => {
  if (read.pricesLabel !== "" && read.pricesLabel.length <= 32) return read.pricesLabel
  if (read.sector === "food") return words.menu
  return read.prices.some(({ includes }) => includes.length > 0) ? words.plans : words.prices
}

/** "Breads, cakes and coffee". */
export const offersAsTitle = ({ read, words }: Workshop): string => {
  const titles = read.offers.map(({ title }) => title).slice(0, 3)
  // "Certifications" say nothing of what it does.
  if (read.offersLabel !== "" && !read.offersLabel.includes(" ") && kindOf(read.offersLabel) === undefined) return ""
  const text = joined(
    titles.map((title, index) => (index === 0 ? title : lowered(title))),
    words.and
  )
  return titles.length >= 2 && text.length <= 90 ? text : ""
}

export const subjectOf = ({ read, words }: Workshop): string =>
  read.about ||
  joined(
    read.offers.slice(0, 2).map(({ title }, index) => (index === 0 ? title : lowered(title))),
    words.and
  ) ||
  read.name ||
  words.kinds[read.sector]

export const pictureFor = (shop: Workshop, id: string, shape: SitePicture["shape"], of: string): SitePicture => ({
  id,
  prompt: within(
    `${of}. ${subjectOf(shop)}. ${shop.read.offers
      .slice(0, 3)
      .map(({ title }) => title)
      .join(", ")}. No text. Colors ${shop.theme.brand}.`,
    1000
  ),
  shape
})

export const heroShapes: {
  readonly [L in SiteTheme["layout"]]: readonly [shape: SitePicture["shape"], share: number]
} = {
  harbour: ["wide", 0.85],
  atelier: ["wide", 0.9],
  ledger: ["tall", 0.5],
  meadow: ["square", 0.9],
  signal: ["wide", 0.5],
  column: ["wide", 0.6],
  split: ["wide", 0.7],
  tiles: ["wide", 0.7]
}

export const nameOf = ({ isCapture, read, words }: Workshop): string =>
  within(read.name || (isCapture ? read.slogan : "") || read.about || words.kinds[read.sector], 120)

/** What stands at the top where the material says nothing of what it is. */
export const headingOf = (shop: Workshop): string =>
  shop.read.name === "" && shop.read.about === "" && shop.purpose !== undefined
    ? shop.purpose === "contact" || shop.purpose === "lead"
      ? shop.words.talk
      : shop.words.forms[shop.purpose].title
    : nameOf(shop)

export const homeTitle = (shop: Workshop): string => {
  const name = nameOf(shop)
  const { about, slogan } = shop.read
  const more = about || slogan
  return more === "" || name.includes(more) ? name : within(`${name} · ${more}`, 90)
}
