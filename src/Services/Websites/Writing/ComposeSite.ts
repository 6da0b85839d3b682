import type { Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { clausesOf, denies, isForMaker } from "../Material/Audience.ts"
import { briefWordsOf } from "../Material/BriefWords.ts"
import { purposeIn } from "../Material/Fields/AskedForms.ts"
import { isSecret } from "../Material/Fields/SecretFields.ts"
import { type ReadMaterial, readMaterial } from "../Material/MaterialReader.ts"
import { within, withoutEnd } from "../Material/MaterialText.ts"
import { mayNameOffer, namesOffer } from "../Material/Rules/JudgedText.ts"
import type { Site, SiteBlock, SitePage, SitePicture, SiteTheme } from "../Site.ts"
import { openWishes, seenOf } from "./CarriedOut.ts"
import { lostSentences } from "./LostFacts.ts"
import { omissionsOf } from "./Omissions.ts"
import { type LeftOut, questionsOf } from "./OpenQuestions.ts"
import { siteWords } from "./Phrases/SitePhrases.ts"
import { descriptionFrom, pagesOf } from "./SitePages.ts"
import { actionsTo, asksGallery, contactOf, formOf, type SectionName, sectionsOf, storesOf } from "./SiteSections.ts"
import {
  headingOf,
  heroShapes,
  homeTitle,
  nameOf,
  offersAsTitle,
  type PageId,
  pictureFor,
  shareFor,
  subjectOf,
  type Workshop
} from "./SiteWorkshop.ts"
import type { SiteMaterial } from "./SiteWriter.ts"
import { themeFor } from "./ThemeChoice.ts"

interface Opening {
  readonly title: string
  readonly text: string
  /** Statements that stand in it, so that no other block says them again. */
  readonly used: ReadonlyArray<string>
}

const longestOffer = 70

/** The offer in a sentence: the whole sentence if it is short, otherwise its first part. */
const offeredIn = (sentence: string, language: Language): string => {
  const [part = ""] = sentence.split(/,\s/)
  return (
    [withoutEnd(sentence, "."), part].find(
      (text) =>
        text.length <= longestOffer &&
        (namesOffer(text, language) || (text.split(" ").length > 3 && !/\d/.test(text) && mayNameOffer(text, language)))
    ) ?? ""
  )
}

const openingOf = (shop: Workshop): Opening => {
  const { read } = shop
  const fromOffers = offersAsTitle(shop)
  const isBare = read.statements.length === 0 && read.offers.length === 0
  // What a capture page offers first is short.
  const [first = ""] = read.statements
  const offered = shop.isCapture ? offeredIn(first, read.language) : ""
  const title = read.slogan || (isBare ? "" : read.about || fromOffers || offered) || headingOf(shop)
  const used: Array<string> = []
  for (const statement of read.statements) {
    if (used.length === 2 || [...used, statement].join(" ").length > 250) break
    if (withoutEnd(statement, ".") !== title) used.push(statement)
  }
  // Remaining statements that are too short for a separate part go to the top.
  const left = read.statements.filter((statement) => withoutEnd(statement, ".") !== title && !used.includes(statement))
  if (left.length > 0 && left.join(" ").length < 90 && [...used, ...left].join(" ").length <= 340) used.push(...left)
  // No part below the title repeats it.
  const said = read.statements.filter((statement) => withoutEnd(statement, ".") === title)
  if (used.length > 0) return { title: within(title, 160), text: used.join(" "), used: [...used, ...said] }
  const second = [read.about, fromOffers].find((text) => text !== "" && text !== title)
  return { title: within(title, 160), text: second === undefined ? "" : `${second}.`, used: said }
}

export const campaignIn = ({ campaigns, description }: SiteMaterial): string | null => {
  const folded = fold(description)
  const named = campaigns.filter((campaign) => campaign.trim().length > 2 && folded.includes(fold(campaign.trim())))
  return named.toSorted((one, other) => other.length - one.length)[0] ?? null
}

export interface ComposedSite extends LeftOut {
  readonly site: Site
  readonly notes: ReadonlyArray<string>
}

type Composition = Pick<ComposedSite, "site" | "notes">

const notesOf = (shop: Workshop, pages: ReadonlyArray<SitePage>, isSparse: boolean): ReadonlyArray<string> => {
  const { isCapture, material, read, words } = shop
  const { notes } = words
  const hasContact = contactOf(shop) !== undefined
  return [
    notes.pages(pages.length, pages.map(({ label }) => label).join(", ")),
    ...(read.name === "" ? [notes.noName] : []),
    ...(hasContact || isCapture ? [] : [notes.noContact]),
    ...(read.sector === "portfolio" && asksGallery.test(read.wishes) ? [notes.ownPictures] : []),
    ...(isSparse ? [notes.sparse] : []),
    ...(read.foreign > 0 ? [notes.foreign(read.foreign)] : []),
    ...(isSecret(material.description) && shop.purpose !== undefined ? [notes.notStored] : [])
  ]
}

/** The properties that every site has. */
const baseOf = (shop: Workshop): Pick<Site, "language" | "name" | "tagline" | "theme"> => ({
  language: shop.material.language,
  name: nameOf(shop),
  tagline: within(shop.read.about || shop.read.slogan, 200),
  theme: shop.theme
})

const composeCapture = (shop: Workshop): Composition => {
  const { read, theme, words } = shop
  const pictures: Array<SitePicture> = []
  const opening = openingOf(shop)
  const spare = read.statements.filter((statement) => !opening.used.includes(statement))
  const form = formOf({ ...shop, purpose: shop.purpose ?? "lead" })
  const sections = sectionsOf(shop, spare, pictures)
  const [shape, share] = heroShapes[theme.layout]
  const isPictured = shareFor(shop, "hero") < share
  if (isPictured) pictures.unshift(pictureFor(shop, "hero-picture", shape, opening.title))
  const hero: SiteBlock = {
    _tag: "Hero",
    id: "hero",
    title: opening.title,
    text: opening.text,
    actions: form === undefined ? [] : [{ label: form.submit, target: { _tag: "Block", page: "home", block: "form" } }],
    picture: isPictured ? { picture: "hero-picture", alt: words.illustration(within(subjectOf(shop), 200)) } : null
  }
  const order: ReadonlyArray<SectionName> = [
    "offers",
    "benefits",
    "steps",
    "figures",
    "prices",
    "quotes",
    "clients",
    "people",
    "about"
  ]
  const before = order.map((name) => sections.get(name)).filter((block) => block !== undefined)
  // What is short stands before the form, so that it is read; of what is long only the first.
  const ahead = before.length <= 2 ? before : before.slice(0, 1)
  const behind = before.slice(ahead.length)
  const questions = sections.get("questions")
  const contact = contactOf(shop)
  // Links alone would lead visitors away from the form.
  const isReachedHere =
    contact !== undefined &&
    [contact.phone, contact.email, contact.address, contact.hours].some((each) => each !== null)
  const blocks = [
    hero,
    ...ahead,
    ...(form === undefined ? [] : [form]),
    ...behind,
    ...(questions === undefined ? [] : [questions]),
    ...(isReachedHere ? [contact] : [])
  ]
  const page: SitePage = {
    id: "home",
    path: "",
    label: words.home,
    title: homeTitle(shop),
    description: descriptionFrom(opening.text, opening.title),
    blocks,
    variants: []
  }
  const made = { pages: [page], pictures, collections: [], campaign: campaignIn(shop.material) }
  return { site: { ...baseOf(shop), ...made }, notes: notesOf(shop, [page], before.length === 0) }
}

const composeWebsite = (shop: Workshop): Composition => {
  const { read, theme, words } = shop
  const pictures: Array<SitePicture> = []
  const opening = openingOf(shop)
  const spare = read.statements.filter((statement) => !opening.used.includes(statement))
  const [shape, share] = heroShapes[theme.layout]
  const isPictured = shareFor(shop, "hero") < share
  if (isPictured) pictures.push(pictureFor(shop, "hero-picture", shape, opening.title))
  const sections = sectionsOf(shop, spare, pictures)
  const form = formOf(shop)
  const contact = contactOf(shop)
  const stored = storesOf(shop, form)
  const offersBlock =
    read.prices.length > 0 && (read.offers.length === 0 || read.sector === "food") ? "prices" : "offers"
  const hero = (placed: ReadonlyMap<string, PageId>): SiteBlock => ({
    _tag: "Hero",
    id: "hero",
    title: opening.title,
    text: opening.text,
    actions: actionsTo(shop, placed, offersBlock),
    picture: isPictured ? { picture: "hero-picture", alt: words.illustration(within(subjectOf(shop), 200)) } : null
  })
  const last = [...stored.blocks, ...(form === undefined ? [] : [form]), ...(contact === undefined ? [] : [contact])]
  const pages = pagesOf(shop, hero, sections, last).map((page, index) =>
    index === 0 ? { ...page, description: descriptionFrom(opening.text, opening.title) } : page
  )
  const made = { pages, pictures, collections: stored.collections, campaign: null }
  return { site: { ...baseOf(shop), ...made }, notes: notesOf(shop, pages, sections.size < 2) }
}

/** What the owner wants of the look, without what it is not to be. */
const looksOf = ({ language, ownOrders }: ReadMaterial): ReadonlyArray<string> =>
  ownOrders.flatMap(({ text }) =>
    clausesOf(text).filter(
      (clause) => isForMaker(clause) && !briefWordsOf(clause).some((word) => denies(word, language))
    )
  )

const shopOf = (material: SiteMaterial, theme?: SiteTheme): Workshop => {
  const read = readMaterial(material)
  const isCapture = material.type === "LeadCapturePage"
  const seed = `${read.name}\n${material.description}`
  // A site may mention orders and bookings without wanting a form.
  const asked = purposeIn(isCapture || material.storesData ? read.wishes : read.orders, read.sector)
  return {
    material,
    read,
    words: siteWords[read.language],
    theme: theme ?? themeFor(read.sector, seed, `${material.description}\n${material.guidelines}`, looksOf(read)),
    purpose: isCapture
      ? asked === undefined || asked === "contact"
        ? "lead"
        : asked
      : (asked ?? (material.storesData ? "contact" : undefined)),
    isCapture,
    seed
  }
}

/** Looks that suit the material, the usual one first; what its owner wishes of the look holds for each. */
export const themesFor = (material: SiteMaterial, count: number): ReadonlyArray<SiteTheme> => {
  const { read, seed, theme } = shopOf(material)
  const text = `${material.description}\n${material.guidelines}`
  const found = new Map([[JSON.stringify(theme), theme]])
  for (let turn = 1; found.size < count && turn <= 8 * count; turn++) {
    const other = themeFor(read.sector, `${seed}\n${turn}`, text)
    found.set(JSON.stringify(other), other)
  }
  return [...found.values()]
}

/** The blocks that a material fills, without opening, form and contact: what a change can add. They show no pictures. */
export const sectionsFor = (material: SiteMaterial, theme: SiteTheme): ReadonlyArray<SiteBlock> => {
  const shop = shopOf(material, theme)
  return [...sectionsOf(shop, shop.read.statements, [], 1).values()]
    .filter(({ _tag }) => _tag !== "Gallery")
    .map((block) => (block._tag === "Prose" ? { ...block, picture: null } : block))
}

/** Of a sentence that the owner is asked about: enough to know it again. */
const longestUnclear = 200
const mostUnclear = 6

const askedAbout = (sentences: ReadonlyArray<string>): ReadonlyArray<string> =>
  sentences.slice(0, mostUnclear).map((text) => within(text, longestUnclear))

/** A site of what the material says, in its language. The same material gives the same site. */
export const composeSite = (material: SiteMaterial, theme?: SiteTheme): ComposedSite => {
  const shop = shopOf(material, theme)
  const { notes, site } = shop.isCapture ? composeCapture(shop) : composeWebsite(shop)
  const view = seenOf(site)
  const { broken, unmet, wishes } = openWishes(material.description, shop.read, view)
  const lost = lostSentences(material.description, shop.read, view, [...broken, ...wishes])
  const { needed, omitted } = omissionsOf(
    [...new Set([...shop.read.unclear, ...wishes, ...lost])].filter((text) => !broken.includes(text)),
    shop.read,
    view
  )
  const unclear = [...new Set([...shop.read.contradictions, ...broken, ...needed])]
  const questions = questionsOf(site, shop.read, material, unclear)
  return {
    site: {
      ...site,
      ...(questions.length === 0 ? {} : { questions }),
      ...(questions.includes("unclear") ? { unclear: askedAbout(unclear) } : {}),
      ...(questions.includes("fields") ? { unreadFields: askedAbout(shop.read.unreadFields) } : {})
    },
    notes,
    asides: shop.read.asides,
    omitted,
    unmet
  }
}
