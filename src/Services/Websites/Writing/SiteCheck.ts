import { fold } from "../../Text/PlainText.ts"
import { amountsIn, mailAddressesIn, unknownLinks } from "../../Text/Web/Links.ts"
import { isSecret } from "../Material/Fields/SecretFields.ts"
import { phonesIn } from "../Material/MaterialContacts.ts"
import type { Site, SiteBlock, SiteLink, SitePage, SiteTarget } from "../Site.ts"
import type { SiteMaterial } from "./SiteWriter.ts"

/** What a block says that the material does not. Stable codes: a model is told them, and rewrites the block. */
export type SiteProblem =
  | "unknown_number"
  | "unknown_price"
  | "unknown_contact"
  | "unknown_link"
  | "unknown_client"
  | "unknown_testimonial"
  | "unknown_person"
  | "filler"
  | "markup"

/** All texts that a site may rest on. */
export interface Sources {
  readonly text: string
  readonly folded: string
  readonly numbers: ReadonlySet<string>
  readonly digits: string
}

// "1.200", "1,200" and "1200" are one number, and so are "07:00" and "7:00"; of what a mark parts each part counts too.
const number = /\d+(?:[.,:]\d+)*/g

/** The numbers of a text in a form in which they can be compared. */
export const numbersIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(number)].map(([found]) => found.replace(/[.,](?=\d{3}(?:\D|$))/g, "").replace(/^0+(?=\d)/, ""))

export const sourcesOf = (material: SiteMaterial, ...more: ReadonlyArray<string>): Sources => {
  const text = [
    material.businessName ?? "",
    material.description,
    material.guidelines,
    ...material.facts.flatMap(({ text: fact, url }) => [fact, url ?? ""]),
    ...more
  ].join("\n")
  return {
    text,
    folded: squeezed(text),
    numbers: new Set(numbersIn(text)),
    digits: text.replace(/[^\d\n]+/g, "")
  }
}

/** Letters and digits alone, each run parted by one blank: how words are compared whatever their marks. */
const squeezed = (text: string): string =>
  ` ${fold(text)
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== "")
    .join(" ")} `

const occurs = (text: string, sources: Sources): boolean => {
  const words = squeezed(text)
  return words.trim() === "" || sources.folded.includes(words)
}

const linksOf = (block: SiteBlock): ReadonlyArray<SiteLink> =>
  block._tag === "Contact" ? block.links : "actions" in block ? block.actions : []

/** All that visitors read of a block. */
export const textsOf = (block: SiteBlock): ReadonlyArray<string> => {
  const own = "text" in block ? [block.title, block.text] : [block.title]
  const labels = linksOf(block).map(({ label }) => label)
  switch (block._tag) {
    case "Features":
    case "Steps":
      return [...own, ...block.items.flatMap(({ text, title }) => [title, text])]
    case "Figures":
      return [...own, ...block.items.flatMap(({ label, value }) => [value, label])]
    case "Quotes":
      return [...own, ...block.items.flatMap(({ name, role, words }) => [words, name, role])]
    case "Clients":
      return [...own, ...block.names]
    case "Prices":
      return [...own, ...block.items.flatMap(({ includes, name, price, text }) => [name, price, text, ...includes])]
    case "Questions":
      return [...own, ...block.items.flatMap(({ answer, question }) => [question, answer])]
    case "People":
      return [...own, ...block.items.flatMap(({ name, role, text }) => [name, role, text])]
    case "Gallery":
      return [...own, ...block.pictures.map(({ alt }) => alt)]
    case "Contact":
      return [...own, ...labels, block.email ?? "", block.phone ?? "", block.address ?? "", block.hours ?? ""]
    case "Form":
      return [
        ...own,
        block.submit,
        block.thanks.title,
        block.thanks.text,
        ...block.fields.flatMap(({ choices, label }) => [label, ...choices])
      ]
    case "Hero":
    case "Prose":
      return [...own, ...labels, ...(block.picture === null ? [] : [block.picture.alt])]
    default:
      return [...own, ...labels]
  }
}

const targetsOf = (block: SiteBlock): ReadonlyArray<SiteTarget> => linksOf(block).map(({ target }) => target)

// Filler sentences that fit any site and say nothing.
const filler =
  /\b(?:lorem ipsum|welcome to our (?:web)?site|bem-vind[oa]s? ao nosso site|bienvenid[oa]s? a nuestro sitio|we are passionate|somos apaixonados|somos apasionados|your one-stop|take your .{0,20} to the next level|eleve o seu .{0,20} ao proximo nivel|lleve su .{0,20} al siguiente nivel|in today's fast-paced|insert (?:text|name)|your text here|seu texto aqui|su texto aqui|placeholder)\b|\[[^\]\n]{1,40}\]|\{\{/
const markup = /<\/?[a-z][^>\n]{0,200}>|\*\*|^#{1,6} |\]\(https?:/im

/** The claims of a block that no source supports. */
export const problemsOf = (block: SiteBlock, sources: Sources): ReadonlyArray<SiteProblem> => {
  const texts = textsOf(block)
  const all = texts.join("\n")
  const targets = targetsOf(block)
  const found: Array<SiteProblem> = []
  const phones = [
    ...phonesIn(all),
    ...(block._tag === "Contact" && block.phone !== null ? [block.phone] : []),
    ...targets.flatMap((target) => (target._tag === "Phone" ? [target.number] : []))
  ]
  const mails = [
    ...mailAddressesIn(all),
    ...targets.flatMap((target) => (target._tag === "Mail" ? [target.address.toLowerCase()] : []))
  ]
  const webs = targets.flatMap((target) => (target._tag === "Web" ? [target.url] : []))
  const lower = sources.text.toLowerCase()
  const isPhoneKnown = (phone: string): boolean => sources.digits.includes(phone.replace(/\D/g, ""))
  if (numbersIn(all).some((each) => !sources.numbers.has(each))) found.push("unknown_number")
  const amounts = new Set(amountsIn(sources.text))
  if (amountsIn(all).some((amount) => !amounts.has(amount))) found.push("unknown_price")
  if (block._tag === "Prices" && block.items.some(({ price }) => !occurs(price.replace(/\D+/g, " "), sources)))
    found.push("unknown_price")
  if (phones.some((phone) => !isPhoneKnown(phone)) || mails.some((mail) => !lower.includes(mail)))
    found.push("unknown_contact")
  if (
    block._tag === "Contact" &&
    [block.address, block.hours].some((each) => each !== null && !linesOccur(each, sources))
  )
    found.push("unknown_contact")
  const known = [...webs, ...texts].join("\n")
  if (unknownLinks(known, linksAllowed(sources)).length > 0) found.push("unknown_link")
  if (block._tag === "Clients" && block.names.some((name) => !occurs(name, sources))) found.push("unknown_client")
  if (
    block._tag === "Quotes" &&
    block.items.some(({ name, words }) => !occurs(words, sources) || !occurs(name, sources))
  )
    found.push("unknown_testimonial")
  if (block._tag === "People" && block.items.some(({ name }) => !occurs(name, sources))) found.push("unknown_person")
  if (filler.test(fold(all))) found.push("filler")
  if (markup.test(all)) found.push("markup")
  return [...new Set(found)]
}

const linesOccur = (text: string, sources: Sources): boolean => text.split("\n").every((line) => occurs(line, sources))

/** The words of the sources that can be links: `unknownLinks` compares without scheme and `www.`. */
const linksAllowed = ({ text }: Sources): ReadonlyArray<string> =>
  text.split(/[\s"'<>()“”]+/).filter((word) => word.includes("."))

const targetExists = (site: Site, target: SiteTarget): boolean => {
  if (target._tag === "Page") return site.pages.some(({ id }) => id === target.page)
  if (target._tag === "Block")
    return site.pages.some(({ blocks, id }) => id === target.page && blocks.some((block) => block.id === target.block))
  return true
}

const withoutDeadLinks = (site: Site, block: SiteBlock): SiteBlock => {
  if (block._tag === "Contact")
    return { ...block, links: block.links.filter(({ target }) => targetExists(site, target)) }
  if (block._tag !== "Hero" && block._tag !== "CallToAction") return block
  return { ...block, actions: block.actions.filter(({ target }) => targetExists(site, target)) }
}

const withPictures = (site: Site, block: SiteBlock): SiteBlock => {
  const has = (id: string): boolean => site.pictures.some((picture) => picture.id === id)
  if (block._tag === "Gallery") return { ...block, pictures: block.pictures.filter(({ picture }) => has(picture)) }
  if ((block._tag === "Hero" || block._tag === "Prose") && block.picture !== null && !has(block.picture.picture))
    return { ...block, picture: null }
  return block
}

const isEmpty = (block: SiteBlock): boolean =>
  ("items" in block && block.items.length === 0) ||
  (block._tag === "Clients" && block.names.length === 0) ||
  (block._tag === "Gallery" && block.pictures.length === 0) ||
  (block._tag === "Form" && block.fields.length === 0)

/** A site whose keys are used once and whose links, pictures and collections are there: what a model does not promise. */
export const soundSite = (site: Site): Site | undefined => {
  const seen = new Set<string>()
  const once = (block: SiteBlock): boolean => !seen.has(block.id) && seen.add(block.id) !== undefined
  const paths = new Set<string>()
  const pages: ReadonlyArray<SitePage> = site.pages
    .map((page, index) => ({ ...page, path: index === 0 ? "" : page.path === "" ? page.id : page.path }))
    .filter(({ path }) => !paths.has(path) && paths.add(path) !== undefined)
    .map((page) => ({
      ...page,
      blocks: page.blocks
        .filter(once)
        .map((block) =>
          block._tag === "Form"
            ? {
                ...block,
                fields: block.fields.filter(
                  ({ label, name }) => !isSecret(label) && !isSecret(name.replaceAll("-", " "))
                )
              }
            : withPictures(site, block)
        )
        .filter((block) => !isEmpty(block))
    }))
    .filter(({ blocks }) => blocks.length > 0)
  const [home, ...rest] = pages
  if (home === undefined) return undefined
  const whole: Site = { ...site, pages: [home, ...rest] }
  const collections = new Set(site.collections.map(({ id }) => id))
  const finish = (block: SiteBlock): SiteBlock =>
    block._tag === "Form" && block.collection !== null && !collections.has(block.collection)
      ? { ...block, collection: null }
      : withoutDeadLinks(whole, block)
  const finished = (page: SitePage): SitePage => ({
    ...page,
    blocks: page.blocks.map(finish).filter((block) => block._tag !== "Records" || collections.has(block.collection))
  })
  return { ...whole, pages: [finished(home), ...rest.map(finished)] }
}
