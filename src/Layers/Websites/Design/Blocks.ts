import { Either } from "effect"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import { normalisePhone } from "../../../Services/Text/ContactDetails.ts"
import { attribute, html, type Markup, nothing, unbroken } from "../../../Services/Text/Web/Html.ts"
import { siteCountry } from "../../../Services/Websites/Forms/FormTexts.ts"
import type { ShownPicture, Site, SiteBlock, SiteLink, SitePage, SiteTarget } from "../../../Services/Websites/Site.ts"
import { formOf } from "./Forms.ts"
import type { PagePhrases } from "./PagePhrases.ts"
import type { RenderContext } from "./RenderContext.ts"

export interface PageSheet {
  readonly site: Site
  readonly page: SitePage
  readonly context: RenderContext
  readonly phrases: PagePhrases
  readonly isCapturePage: boolean
  /** True if the page is in one file with the other pages. */
  readonly isPart: boolean
}

type Of<Tag extends SiteBlock["_tag"]> = Extract<SiteBlock, { readonly _tag: Tag }>

const isPlainWeb = (url: string): boolean => {
  const address = parsedUrl(url)
  if (address === undefined) return false
  const { password, protocol, username } = address
  return protocol === "https:" && username === "" && password === ""
}

/** Returns the address of a target; undefined if it must not or cannot be linked. */
export const addressOf = (target: SiteTarget, { context, isPart, page, site }: PageSheet): string | undefined => {
  const pathOf = (pageId: string): string | undefined => {
    const found = site.pages.find(({ id }) => id === pageId)
    if (found === undefined) return undefined
    if (isPart) return `#page-${found.id}`
    return context.pageAddress?.(found.path) ?? `${context.origin}/${found.path}`
  }
  switch (target._tag) {
    case "Page":
      return pathOf(target.page)
    case "Block": {
      const path = pathOf(target.page)
      const there = site.pages.find(({ id }) => id === target.page)
      const blocks = [...(there?.blocks ?? []), ...(there?.variants.flatMap((variant) => variant.blocks) ?? [])]
      // The target block may have been removed since.
      if (path === undefined || !blocks.some(({ id }) => id === target.block)) return undefined
      return isPart || target.page === page.id ? `#${target.block}` : `${path}#${target.block}`
    }
    case "Web":
      return isPlainWeb(target.url) ? new URL(target.url).href : undefined
    case "Mail":
      return /^[^\s@<>?&"]+@[^\s@<>?&"]+$/.test(target.address) ? `mailto:${target.address}` : undefined
    case "Phone":
      return /\d/.test(target.number) ? `tel:${target.number.replace(/[^\d+]/g, "")}` : undefined
  }
}

/** Returns the address of the chat with a number; undefined if the number has no country code. */
const chatAddress = (number: string, { language }: Site): string | undefined => {
  const phone = normalisePhone(number, siteCountry(language))
  return Either.isRight(phone) ? `https://wa.me/${phone.right.e164.slice(1)}` : undefined
}

const isChat = ({ label, target }: SiteLink): boolean =>
  (target._tag === "Phone" && /^WhatsApp\b/.test(label)) ||
  (target._tag === "Web" && /^https:\/\/(?:wa\.me|api\.whatsapp\.com)\//.test(target.url))

/** Returns the address of a link. A phone link that is called WhatsApp leads to the chat instead of a call. */
const linkAddress = (link: SiteLink, sheet: PageSheet): string | undefined =>
  link.target._tag === "Phone" && isChat(link)
    ? (chatAddress(link.target.number, sheet.site) ?? addressOf(link.target, sheet))
    : addressOf(link.target, sheet)

/** The chat that a site names first, for the button that stays in view. */
export const chatOf = (sheet: PageSheet): string | undefined => {
  const links = sheet.site.pages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block._tag === "Contact" ? block.links : []))
  )
  const chat = links.find(isChat)
  const address = chat === undefined ? undefined : linkAddress(chat, sheet)
  return address?.startsWith("https://") === true ? address : undefined
}

const routeTo = (address: string): string =>
  `https://www.google.com/maps/dir/?${new URLSearchParams({ api: "1", destination: address }).toString()}`

const link = ({ label, target }: SiteLink, sheet: PageSheet, className: string | undefined): Markup => {
  const address = linkAddress({ label, target }, sheet)
  if (address === undefined) return nothing
  const rel =
    address.startsWith("https://") && target._tag !== "Page" && target._tag !== "Block"
      ? "noopener nofollow"
      : undefined
  return html`<a${attribute("class", className)} href="${address}"${attribute("rel", rel)}>${label}</a>`
}

const actions = (links: ReadonlyArray<SiteLink>, sheet: PageSheet): Markup =>
  links.length === 0
    ? nothing
    : html`<p class="actions">${links.map((each, index) => link(each, sheet, index === 0 ? "button" : "button quiet"))}</p>`

/** Splits a text into paragraphs at blank lines. A line break within a paragraph is kept. */
export const paragraphs = (text: string): Markup =>
  html`${text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(
      (part) => html`<p>${part.split("\n").map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))}</p>`
    )}`

const sizes = { wide: [1600, 1000], square: [1000, 1000], tall: [1000, 1250] } as const

const picture = (shown: ShownPicture | null, sheet: PageSheet, loading: "eager" | "lazy"): Markup => {
  if (shown === null) return nothing
  const url = sheet.context.pictureUrl(shown.picture)
  if (url === undefined) return nothing
  const shape = sheet.site.pictures.find(({ id }) => id === shown.picture)?.shape ?? "wide"
  const [width, height] = sizes[shape]
  return html`<figure class="picture ${shape}"><img src="${url}" alt="${shown.alt}" width="${width}" height="${height}"${loading === "lazy" ? html` loading="lazy"` : html` fetchpriority="high"`} decoding="async"></figure>`
}

const head = (title: string, text: string): Markup =>
  title === "" && text === ""
    ? nothing
    : html`<div class="head">${title === "" ? nothing : html`<h2>${title}</h2>`}${text === "" ? nothing : html`<div class="lead">${paragraphs(text)}</div>`}</div>`

/** Headings of items: a level below the block's own, where it has one. */
const itemHeading = (blockTitle: string, text: string): Markup =>
  text === ""
    ? nothing
    : blockTitle === ""
      ? html`<h2 class="item-title">${text}</h2>`
      : html`<h3 class="item-title">${text}</h3>`

const section = (block: SiteBlock, className: string, tone: string, inner: Markup): Markup => {
  return html`<section class="block ${className} ${tone}" id="${block.id}"><div class="wrap">${inner}</div></section>`
}

const hero = (block: Of<"Hero">, sheet: PageSheet, level: 1 | 2): Markup => {
  const shown = picture(block.picture, sheet, "eager")
  const length = block.title.length > 70 ? "long" : block.title.length > 36 ? "middle" : "short"
  const title =
    level === 1 ? html`<h1 class="${length}">${block.title}</h1>` : html`<h2 class="${length}">${block.title}</h2>`
  return html`<section class="block hero ${shown.markup === "" ? "bare" : "pictured"}" id="${block.id}"><div class="wrap"><div class="hero-text">${title}<div class="lead">${paragraphs(block.text)}</div>${actions(block.actions, sheet)}</div>${shown}</div></section>`
}

const counted = (count: number): string => `n${Math.min(count, 12)}`

const features = ({ items, title, text }: Of<"Features">): Markup => {
  const isBrief = items.every((item) => item.text === "")
  return html`${head(title, text)}<ul class="items ${counted(items.length)} ${isBrief ? "brief" : "full"}">${items.map(
    (item) =>
      html`<li>${isBrief ? html`<span class="item-title">${item.title}</span>` : html`${itemHeading(title, item.title)}${paragraphs(item.text)}`}</li>`
  )}</ul>`
}

const prices = ({ items, title }: Of<"Prices">): Markup => {
  const isList = items.length > 3 && items.every(({ includes }) => includes.length === 0)
  if (isList)
    return html`${head(title, "")}<ul class="price-list">${items.map(
      ({ name, price, text }) =>
        html`<li><div class="price-line"><span class="price-name">${name}</span><span class="dots" aria-hidden="true"></span><span class="price">${price}</span></div>${text === "" ? nothing : html`<div class="price-text">${paragraphs(text)}</div>`}</li>`
    )}</ul>`
  return html`${head(title, "")}<ul class="items price-cards ${counted(items.length)}">${items.map(
    ({ includes, name, price, text }) =>
      html`<li>${itemHeading(title, name)}<p class="price">${price}</p>${paragraphs(text)}${includes.length === 0 ? nothing : html`<ul class="ticks">${includes.map((each) => html`<li>${each}</li>`)}</ul>`}</li>`
  )}</ul>`
}

export const phoneLink = (phone: string): Markup =>
  html`<a href="tel:${phone.replace(/[^\d+]/g, "")}">${unbroken(phone)}</a>`

const contact = (block: Of<"Contact">, sheet: PageSheet): Markup => {
  const { phrases } = sheet
  const row = (label: string, value: Markup): Markup => html`<div class="row"><dt>${label}</dt><dd>${value}</dd></div>`
  const lines = (text: string): Markup =>
    html`${text.split("\n").map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))}`
  const links = block.links.map((each) => link(each, sheet, undefined)).filter(({ markup }) => markup !== "")
  const rows = [
    block.phone === null ? nothing : row(phrases.phone, phoneLink(block.phone)),
    block.email === null
      ? nothing
      : row(
          phrases.email,
          link({ label: block.email, target: { _tag: "Mail", address: block.email } }, sheet, undefined)
        ),
    block.address === null
      ? nothing
      : row(
          phrases.address,
          html`${lines(block.address)}<br><a class="route" href="${routeTo(block.address.replace(/\s+/g, " "))}" rel="noopener nofollow">${phrases.route}</a>`
        ),
    block.hours === null ? nothing : row(phrases.hours, lines(block.hours)),
    links.length === 0
      ? nothing
      : row(phrases.links, html`${links.map((each, index) => (index === 0 ? each : html`<br>${each}`))}`)
  ].filter(({ markup }) => markup !== "")
  return html`${head(block.title, block.text)}${rows.length === 0 ? nothing : html`<dl class="details">${rows}</dl>`}`
}

const records = (block: Of<"Records">, sheet: PageSheet): Markup => {
  const { context, phrases, site } = sheet
  const collection = site.collections.find(({ id }) => id === block.collection)
  const top = head(block.title, block.text)
  if (collection === undefined) return top
  if (block.shows === "own" && context.visitor === undefined) {
    const state = context.forms(block.id)
    const isLive = state !== undefined && context.mode === "served"
    return html`${top}<form class="form sign-in" method="post"${attribute("action", isLive && state.action)}><p>${phrases.signInToSee}</p>${
      isLive ? html`<input type="hidden" name="_token" value="${state.token}">` : nothing
    }<div class="fields"><div class="field"><label for="${block.id}-email">${phrases.email}</label><input type="email" id="${block.id}-email" name="email" autocomplete="email" required></div><div class="field"><button class="button" type="submit"${attribute("disabled", !isLive)}>${phrases.signIn}</button></div></div></form>`
  }
  const rows = context.records(block.id)
  const who =
    block.shows === "own" && context.visitor !== undefined
      ? html`<p class="hint">${phrases.signedInAs} ${context.visitor}</p>`
      : nothing
  if (rows.length === 0) return html`${top}${who}<p class="hint">${phrases.noRecords}</p>`
  return html`${top}${who}<ul class="items records">${rows.map(
    (record) =>
      html`<li><dl>${collection.fields
        .filter(({ name }) => (record[name] ?? "") !== "")
        .map(({ label, name }) => html`<div><dt>${label}</dt><dd>${record[name] ?? ""}</dd></div>`)}</dl></li>`
  )}</ul>`
}

const body = (block: Exclude<SiteBlock, Of<"Hero">>, sheet: PageSheet): Markup => {
  switch (block._tag) {
    case "Prose":
      return html`${head(block.title, "")}<div class="prose-body"><div class="text">${paragraphs(block.text)}</div>${picture(block.picture, sheet, "lazy")}</div>`
    case "Features":
      return features(block)
    case "Steps":
      return html`${head(block.title, "")}<ol class="items steps-list ${counted(block.items.length)}">${block.items.map(
        (item) => html`<li>${itemHeading(block.title, item.title)}${paragraphs(item.text)}</li>`
      )}</ol>`
    case "Figures":
      return html`${head(block.title, "")}<dl class="items figures-list ${counted(block.items.length)}">${block.items.map(
        ({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`
      )}</dl>`
    case "Quotes":
      return html`${head(block.title, "")}<div class="items quotes-list ${counted(block.items.length)}">${block.items.map(
        ({ name, role, words }) =>
          html`<figure class="quote"><blockquote>${paragraphs(words)}</blockquote><figcaption><b>${name}</b>${role === "" ? nothing : html`<span>${role}</span>`}</figcaption></figure>`
      )}</div>`
    case "Clients":
      return html`${head(block.title, "")}<ul class="names">${block.names.map((name) => html`<li>${name}</li>`)}</ul>`
    case "Prices":
      return prices(block)
    case "Questions":
      return html`${head(block.title, "")}<div class="questions-list">${block.items.map(
        ({ answer, question }) =>
          html`<details><summary>${question}</summary><div class="answer">${paragraphs(answer)}</div></details>`
      )}</div>`
    case "People":
      return html`${head(block.title, "")}<ul class="items people-list ${counted(block.items.length)}">${block.items.map(
        ({ name, role, text }) =>
          html`<li><span class="initials" aria-hidden="true">${initials(name)}</span><div>${itemHeading(block.title, name)}${role === "" ? nothing : html`<p class="role">${role}</p>`}${paragraphs(text)}</div></li>`
      )}</ul>`
    case "Gallery": {
      const shown = block.pictures.map((each) => picture(each, sheet, "lazy")).filter(({ markup }) => markup !== "")
      return html`${head(block.title, "")}<div class="gallery-list ${counted(shown.length)}">${shown}</div>`
    }
    case "Contact":
      return contact(block, sheet)
    case "CallToAction":
      return html`${head(block.title, block.text)}${actions(block.actions, sheet)}`
    case "Form":
      return html`${head(block.title, block.text)}${formOf(block, sheet)}`
    case "Records":
      return records(block, sheet)
  }
}

/** Returns the first letters of the first and the last word. */
const initials = (name: string): string => {
  const words = name
    .split(/\s+/)
    .filter((word) => /^\p{L}/u.test(word) && !/^(?:dr|dra|sr|sra|mr|mrs|ms|prof)\.?$/i.test(word))
  const [first, last] = [words[0] ?? name, words.length > 1 ? (words.at(-1) ?? "") : ""]
  return `${[...first][0] ?? ""}${[...last][0] ?? ""}`.toLocaleUpperCase()
}

const classes: { readonly [Tag in Exclude<SiteBlock["_tag"], "Hero">]: string } = {
  Prose: "prose",
  Features: "features",
  Steps: "steps",
  Figures: "figures",
  Quotes: "quotes",
  Clients: "clients",
  Prices: "prices",
  Questions: "questions",
  People: "people",
  Gallery: "gallery",
  Contact: "contact",
  CallToAction: "call",
  Form: "form-block",
  Records: "records-block"
}

/** A block's section. A hero at the top has the page's title. */
const blockOf = (block: SiteBlock, sheet: PageSheet, tone: string, level: 1 | 2): Markup =>
  block._tag === "Hero" ? hero(block, sheet, level) : section(block, classes[block._tag], tone, body(block, sheet))

/** Renders all blocks of a page. The background alternates from block to block. */
export const blocksOf = (blocks: ReadonlyArray<SiteBlock>, sheet: PageSheet, level: 1 | 2): Markup => {
  const own = blocks[0]?._tag === "Hero"
  const title = sheet.page.title
  const opening = own
    ? nothing
    : html`<div class="opening"><div class="wrap">${level === 1 ? html`<h1 class="short">${title}</h1>` : html`<h2 class="short">${title}</h2>`}</div></div>`
  let plain = 0
  const sections = blocks.map((block, index) => {
    if (block._tag !== "Hero" && block._tag !== "CallToAction") plain++
    return blockOf(
      block,
      sheet,
      block._tag === "CallToAction" ? "band" : plain % 2 === 0 ? "soft" : "plain",
      index === 0 && own ? level : 2
    )
  })
  return html`${opening}${sections}`
}
