import { createHash } from "node:crypto"
import { attribute, html, Markup, nothing, unbroken } from "../../../Services/Text/Web/Html.ts"
import type { Site, SiteBlock, SiteLink, SitePage, SiteTheme } from "../../../Services/Websites/Site.ts"
import { addressOf, blocksOf, chatOf, type PageSheet, phoneLink } from "./Blocks.ts"
import { pagePhrases } from "./PagePhrases.ts"
import { paletteOf } from "./Palette.ts"
import type { RenderContext } from "./RenderContext.ts"
import { embedScript, pageScript } from "./Script.ts"
import { structuredData } from "./StructuredData.ts"
import { styleSheet } from "./Stylesheet.ts"
import { fontPaths } from "./Typefaces.ts"

const digest = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

const scriptDigest = digest(pageScript)

/** The digest of the script for pages in a frame on another site. */
export const embedScriptDigest = digest(embedScript)
const styleDigests = new Map<string, string>()

/** Sources of a page's own style and script, as a content security policy names them. */
export const pageDigests = (theme: SiteTheme): { readonly style: string; readonly script: string } => {
  const key = JSON.stringify(theme)
  const known = styleDigests.get(key)
  if (known !== undefined) return { style: known, script: scriptDigest }
  const style = digest(styleSheet(theme))
  if (styleDigests.size > 500) styleDigests.clear()
  styleDigests.set(key, style)
  return { style, script: scriptDigest }
}

/** The blocks that a visitor sees: those of the variant, where the page has it. */
export const blocksShown = (page: SitePage, variant: string): ReadonlyArray<SiteBlock> =>
  page.variants.find(({ id }) => id === variant)?.blocks ?? page.blocks

/** True if the site is a capture page: a single page with a form, without a menu that leads away from it. */
const isCapturePage = (site: Site): boolean =>
  site.pages.length === 1 &&
  site.pages[0]?.blocks.some((block) => block._tag === "Form" && block.collection === null) === true

const tags = <Tag extends SiteBlock["_tag"]>(site: Site, ...wanted: ReadonlyArray<Tag>) =>
  site.pages.flatMap((page) =>
    page.blocks.filter((block) => wanted.some((tag) => tag === block._tag)).map((block) => ({ page, block }))
  )

/** The header's button. It leads to the first form, or else calls the telephone number. */
const mainAction = (site: Site, sheet: PageSheet): Markup => {
  if (sheet.isCapturePage) return nothing
  const [form] = tags(site, "Form")
  if (form?.block._tag === "Form") {
    const address = addressOf({ _tag: "Block", page: form.page.id, block: form.block.id }, sheet)
    return html`<a class="button header-action"${attribute("href", address)}>${form.block.submit}</a>`
  }
  const [contact] = tags(site, "Contact")
  const phone = contact?.block._tag === "Contact" ? contact.block.phone : null
  return phone === null
    ? nothing
    : html`<a class="button quiet header-action" href="tel:${phone.replace(/[^\d+]/g, "")}">${unbroken(phone)}</a>`
}

/** The menu of a site with a single page: links to its sections. */
const sectionLinks = (page: SitePage): ReadonlyArray<SiteLink> =>
  page.blocks
    .filter(
      ({ _tag, title }) =>
        _tag !== "Hero" && _tag !== "CallToAction" && _tag !== "Form" && title !== "" && title.length <= 28
    )
    .slice(0, 5)
    .map(({ id, title }) => ({ label: title, target: { _tag: "Block", page: page.id, block: id } }))

const header = (sheet: PageSheet): Markup => {
  const { page, phrases, site } = sheet
  const pages = site.pages.filter(({ label }) => label !== "")
  const links: ReadonlyArray<SiteLink> = sheet.isCapturePage
    ? []
    : site.pages.length > 1
      ? pages.map(({ id, label }) => ({ label, target: { _tag: "Page", page: id } }))
      : sectionLinks(page)
  const home = site.pages[0]
  const homeAddress = home === undefined ? "/" : addressOf({ _tag: "Page", page: home.id }, sheet)
  const isCurrent = ({ target }: SiteLink): boolean =>
    !sheet.isPart && target._tag === "Page" && target.page === page.id
  const nav =
    links.length === 0
      ? nothing
      : html`<button class="menu-button" id="siteMenu" type="button" aria-expanded="false" aria-controls="siteNav"><span class="bars" aria-hidden="true"></span>${phrases.menu}</button><nav class="nav" id="siteNav" aria-label="${phrases.navigation}"><ul>${links.map(
          (each) =>
            html`<li><a${attribute("href", addressOf(each.target, sheet))}${attribute("aria-current", isCurrent(each) && "page")}>${each.label}</a></li>`
        )}</ul></nav>`
  return html`<header class="top"><div class="bar"><a class="mark${site.name.length > 28 ? " long" : ""}" href="${homeAddress ?? "/"}">${site.name}</a>${nav}${mainAction(site, sheet)}</div></header>`
}

/** A button that stays in view and opens the chat. A capture page has none, so that visitors stay at the form. */
const chatButton = (sheet: PageSheet): Markup => {
  const address = sheet.isCapturePage ? undefined : chatOf(sheet)
  return address === undefined
    ? nothing
    : html`<a class="chat" href="${address}" rel="noopener nofollow" aria-label="${sheet.phrases.writeOn("WhatsApp")}">WhatsApp</a>`
}

const footer = (sheet: PageSheet): Markup => {
  const { context, phrases, site } = sheet
  const [contact] = tags(site, "Contact")
  const block = contact?.block._tag === "Contact" ? contact.block : undefined
  const lines = [
    block?.phone ? phoneLink(block.phone) : nothing,
    block?.email ? html`<a href="mailto:${block.email}">${block.email}</a>` : nothing,
    block?.address ? html`<span>${block.address}</span>` : nothing
  ].filter(({ markup }) => markup !== "")
  const pages = sheet.isCapturePage || site.pages.length === 1 ? [] : site.pages.filter(({ label }) => label !== "")
  return html`<footer class="foot"><div class="wrap"><div class="foot-brand"><p class="foot-name">${site.name}</p>${site.tagline === "" ? nothing : html`<p>${site.tagline}</p>`}</div>${
    pages.length === 0
      ? nothing
      : html`<ul class="foot-pages">${pages.map(({ id, label }) => html`<li><a${attribute("href", addressOf({ _tag: "Page", page: id }, sheet))}>${label}</a></li>`)}</ul>`
  }${lines.length === 0 || sheet.isCapturePage ? nothing : html`<ul class="foot-contact">${lines.map((line) => html`<li>${line}</li>`)}</ul>`}<p class="foot-legal">${
    context.mode === "export" ? nothing : html`<a href="${context.origin}${context.privacyUrl}">${phrases.privacy}</a>`
  }${context.reportUrl === undefined ? nothing : html` <a href="${context.reportUrl}" rel="nofollow">${phrases.report}</a>`}</p></div>${chatButton(sheet)}</footer>`
}

const consentBar = (sheet: PageSheet): Markup => {
  const { mode, tracking } = sheet.context
  const isTracked =
    tracking.ads_conversion_id !== null || tracking.analytics_measurement_id !== null || tracking.pixel_id !== null
  return isTracked && mode === "served"
    ? html`<aside class="consent" id="siteConsent" aria-label="${sheet.phrases.privacy}" hidden><p>${sheet.phrases.trackingAsk} <a href="${sheet.context.origin}${sheet.context.privacyUrl}">${sheet.phrases.privacy}</a></p><p class="actions"><button class="button quiet" type="button" value="n">${sheet.phrases.reject}</button><button class="button" type="button" value="y">${sheet.phrases.accept}</button></p></aside>`
    : nothing
}

/** The BCP 47 form of a stored language: `pt-br` is `pt-BR`. */
const languageTag = (language: string): string => `${language.slice(0, 2)}-${language.slice(3).toUpperCase()}`

const metadata = (sheet: PageSheet, shown: ReadonlyArray<SiteBlock>): Markup => {
  const { context, page, site } = sheet
  const home = site.pages[0]?.id === page.id
  const title = home || page.title.includes(site.name) ? page.title : `${page.title} · ${site.name}`
  const address = `${context.origin}/${page.path}`
  const isPublic = context.mode === "served" && context.origin !== ""
  const [first] = shown
  const preloaded =
    first?._tag === "Hero" && first.picture !== null ? context.pictureUrl(first.picture.picture) : undefined
  return html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>${
    page.description === "" ? nothing : html`<meta name="description" content="${page.description}">`
  }<meta name="theme-color" content="${paletteOf(site.theme).bg}"><meta name="format-detection" content="telephone=no">${
    context.isUnlisted === true || context.mode !== "served" ? html`<meta name="robots" content="noindex">` : nothing
  }${
    isPublic
      ? html`<link rel="canonical" href="${address}"><meta property="og:type" content="website"><meta property="og:site_name" content="${site.name}"><meta property="og:title" content="${title}">${
          page.description === "" ? nothing : html`<meta property="og:description" content="${page.description}">`
        }<meta property="og:url" content="${address}"><meta property="og:image" content="${context.origin}/_/social.png"><meta property="og:locale" content="${languageTag(site.language).replace("-", "_")}"><meta name="twitter:card" content="summary_large_image">`
      : nothing
  }${
    context.mode === "served" || context.mode === "embed"
      ? html`${fontPaths(site.theme).map((path) => html`<link rel="preload" href="${path}" as="font" type="font/woff2" crossorigin="anonymous">`)}${
          preloaded === undefined
            ? nothing
            : html`<link rel="preload" href="${preloaded}" as="image" fetchpriority="high">`
        }`
      : nothing
  }<style>${new Markup(styleSheet(site.theme, context.mode === "export" ? "inline" : "served"))}</style>${
    isPublic
      ? html`<script type="application/ld+json">${new Markup(structuredData(site, page, context.origin))}</script>`
      : nothing
  }<script>${new Markup(context.mode === "embed" ? embedScript : pageScript)}</script>`
}

const documentOf = (sheet: PageSheet, shown: ReadonlyArray<SiteBlock>, content: Markup): string => {
  const { context, phrases, site } = sheet
  const { tracking } = context
  const isServed = context.mode === "served"
  const counts = context.beacon && (isServed || context.mode === "embed")
  const kind = `${site.theme.layout}${sheet.isCapturePage ? " capture" : ""}${context.mode === "embed" ? " embedded" : ""}`
  const counted = `/_/hit.gif?${new URLSearchParams({ path: `/${sheet.page.path}`, variant: context.variant }).toString()}`
  const frame =
    context.mode === "embed"
      ? html`<main class="content" id="siteContent">${content}</main>`
      : html`<a class="skip" href="#siteContent">${phrases.skip}</a>${header(sheet)}<main class="content" id="siteContent">${content}</main>${footer(sheet)}${consentBar(sheet)}`
  const page = html`<!DOCTYPE html>
<html lang="${languageTag(site.language)}"${attribute("data-hit", counts && context.variant)}${attribute("data-analytics", isServed && (tracking.analytics_measurement_id ?? undefined))}${attribute("data-ads", isServed && (tracking.ads_conversion_id ?? undefined))}${attribute("data-pixel", isServed && (tracking.pixel_id ?? undefined))}><head>${metadata(sheet, shown)}</head><body class="${kind}">${frame}${
    counts ? html`<noscript><img class="hit" src="${counted}" alt="" width="1" height="1"></noscript>` : nothing
  }</body></html>
`
  return page.markup
}

const sheetOf = (site: Site, page: SitePage, context: RenderContext, isPart: boolean): PageSheet => ({
  site,
  page,
  context,
  phrases: pagePhrases(site.language),
  isCapturePage: isCapturePage(site),
  isPart
})

/**
 * Renders the whole HTML document of a page, or of the home page if the site has no page with that id. All texts are
 * escaped.
 */
export const renderPage = (site: Site, pageId: string, context: RenderContext): string => {
  const page = site.pages.find(({ id }) => id === pageId) ?? site.pages[0]
  if (page === undefined) throw new Error("A site has at least one page.")
  const sheet = sheetOf(site, page, context, false)
  const blocks = blocksShown(page, context.variant)
  const shown = context.mode === "embed" ? blocks.filter(({ _tag }) => _tag === "Form") : blocks
  return documentOf(sheet, shown, blocksOf(shown, sheet, 1))
}

/**
 * Renders the whole site as one document without external files: all pages below each other, styles and fonts inline.
 */
export const renderSite = (site: Site, context: RenderContext): string => {
  const [home] = site.pages
  if (home === undefined) throw new Error("A site has at least one page.")
  const exported: RenderContext = { ...context, mode: "export", origin: "", beacon: false }
  const pages = site.pages.map((page, index) => {
    const sheet = sheetOf(site, page, exported, true)
    return html`<article class="page" id="page-${page.id}">${blocksOf(blocksShown(page, context.variant), sheet, index === 0 ? 1 : 2)}</article>`
  })
  return documentOf(sheetOf(site, home, exported, true), home.blocks, html`${pages}`)
}
