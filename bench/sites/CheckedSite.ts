import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { ConfigProvider, Effect, Layer } from "effect"
import { HtmlValidate } from "html-validate"
import { Parser } from "htmlparser2"
import sharp from "sharp"
import { poster } from "../../src/Layers/Media/Design/Posters/Poster.ts"
import { rasterize } from "../../src/Layers/Media/Design/Raster.ts"
import { SettingsLive } from "../../src/Layers/Platform/Settings.ts"
import { BrowserChromium } from "../../src/Layers/Websites/Browser/BrowserChromium.ts"
import { renderPage } from "../../src/Layers/Websites/Design/Page.ts"
import { plainContext } from "../../src/Layers/Websites/Design/RenderContext.ts"
import { fontBytes } from "../../src/Layers/Websites/Design/Typefaces.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { Browser, type PageView, type Viewport } from "../../src/Services/Websites/Pages/Browser.ts"
import type { Site, SitePage } from "../../src/Services/Websites/Site.ts"
import { pictureSizes } from "../../src/Services/Websites/SitePictures.ts"
import { composeSite } from "../../src/Services/Websites/Writing/ComposeSite.ts"
import type { SiteMaterial } from "../../src/Services/Websites/Writing/SiteWriter.ts"
import { settingsOfSites } from "./SettingsOfSites.ts"

export const widths: readonly [Viewport, ...ReadonlyArray<Viewport>] = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1366, height: 1366 }
]

/** Sites in memory. Each is served on its own host, as the gateway does it. */
export interface ServedSites {
  readonly port: number
  readonly originOf: (index: number) => string
  readonly show: (index: number, site: Site) => Promise<void>
}

const picturesOf = async (site: Site): Promise<ReadonlyMap<string, Uint8Array>> => {
  const cachedPictures = new Map<string, Uint8Array>()
  for (const { id, prompt, shape } of site.pictures) {
    const canvas = poster({
      prompt: `${prompt} (no text)`,
      ...pictureSizes[shape].full,
      isTransparent: false,
      pictures: []
    })
    cachedPictures.set(
      id,
      await sharp(await rasterize(false, canvas))
        .webp({ quality: 76, effort: 3 })
        .toBuffer()
    )
  }
  return cachedPictures
}

/** The page as visitors get it, with working forms. */
export const pageOf = (site: Site, page: SitePage, origin: string): string =>
  renderPage(site, page.id, {
    ...plainContext("served"),
    origin,
    pictureUrl: (id) =>
      site.pictures.some((picture) => picture.id === id) ? `${origin}/_/picture/${id}.webp` : undefined,
    forms: (block) => ({ action: `/_/form/${block}`, token: "t", values: {}, errors: {}, sent: false }),
    reportUrl: "/_/report"
  })

export const serveSites = Effect.acquireRelease(
  Effect.promise(async () => {
    const sites = new Map<string, { readonly site: Site; readonly pictures: ReadonlyMap<string, Uint8Array> }>()
    const server = http.createServer((request, response) => {
      const site = sites.get((request.headers.host ?? "").split(".")[0] ?? "")
      const { pathname } = new URL(request.url ?? "/", "http://site")
      const page = site?.site.pages.find(({ path }) => `/${path}` === pathname)
      const picture = site?.pictures.get(/^\/_\/picture\/([\w-]+)\.webp$/.exec(pathname)?.[1] ?? "")
      const font = fontBytes(/^\/_\/font\/([\w-]+)\.woff2$/.exec(pathname)?.[1] ?? "")
      if (site !== undefined && page !== undefined) {
        const html = pageOf(site.site, page, `http://${request.headers.host}`)
        const isPacked = /\bgzip\b/.test(String(request.headers["accept-encoding"]))
        response.writeHead(200, {
          "content-type": "text/html; charset=utf-8",
          ...(isPacked ? { "content-encoding": "gzip" } : {})
        })
        response.end(isPacked ? gzipSync(html) : html)
      } else if (picture !== undefined) response.writeHead(200, { "content-type": "image/webp" }).end(picture)
      else if (font !== undefined) response.writeHead(200, { "content-type": "font/woff2" }).end(font)
      else response.writeHead(pathname === "/favicon.ico" || pathname === "/_/hit" ? 204 : 404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const served: ServedSites = {
      port,
      originOf: (index) => `http://site${index}.sites.localhost:${port}`,
      show: async (index, site) => void sites.set(`site${index}`, { site, pictures: await picturesOf(site) })
    }
    return { served, server }
  }),
  ({ server }) =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
).pipe(Effect.map(({ served }) => served))

/** A browser that can open the sites on this port. */
export const browserOf = ({ port }: ServedSites) =>
  BrowserChromium.pipe(
    Layer.provide(settingsOfSites(port)),
    // Independent of the environment.
    Layer.provide(SettingsLive.pipe(Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map())))))
  )

const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: {
    "long-title": "off",
    "no-inline-style": "error",
    "require-sri": "off",
    "no-trailing-whitespace": "off",
    // The rule rejects the text of a button that calls a number.
    "tel-non-breaking": "off"
  }
})

const linksOf = (html: string) => {
  const links: Array<string> = []
  const ids = new Set<string>()
  const parser = new Parser({
    onopentag: (name, { href, id }) => {
      if (id !== undefined) ids.add(id)
      if (name === "a" && href !== undefined) links.push(href)
    }
  })
  parser.write(html)
  parser.end()
  return { links, ids }
}

/** Broken links of a page: to a missing page or anchor, or to an address that is not in the material. */
const deadLinks = (site: Site, material: SiteMaterial, origin: string): ReadonlyArray<string> => {
  const read = new Map(site.pages.map((page) => [`/${page.path}`, linksOf(pageOf(site, page, origin))]))
  const words = [material.description, material.guidelines, ...material.facts.map(({ text }) => text)].join("\n")
  return [...read].flatMap(([path, { links }]) =>
    links
      .filter((link) => {
        if (/^(?:mailto|tel|https:\/\/wa\.me\/|https:\/\/(?:www\.)?google\.com\/maps)/.test(link)) return false
        const url = new URL(link, `${origin}${path}`)
        if (url.origin !== origin) return !words.includes(url.hostname)
        if (url.pathname.startsWith("/_/")) return false
        const target = read.get(url.pathname)
        return target === undefined || (url.hash !== "" && !target.ids.has(decodeURIComponent(url.hash.slice(1))))
      })
      .map((link) => `dead link on ${path}: ${link}`)
  )
}

const faultsOf = (path: string, { facts, viewport, violations }: PageView): ReadonlyArray<string> => [
  ...(facts.overflow > 0
    ? [`${path} at ${viewport.width}: ${facts.overflow} px too wide: ${facts.wide.join(" | ")}`]
    : []),
  ...(violations === undefined
    ? [`${path} at ${viewport.width}: not examined`]
    : violations.map(
        ({ count, places, rule }) => `${path} at ${viewport.width}: ${rule} ×${count}: ${places[0] ?? ""}`
      ))
]

export interface CheckedSite {
  readonly site: Site
  readonly faults: ReadonlyArray<string>
  /** The home page at each width. */
  readonly pictures: ReadonlyArray<Uint8Array>
}

/** Composes the site of a material and checks its home page at three widths, and its other pages at a phone's width. */
export const checkSite = (served: ServedSites, index: number, material: SiteMaterial) =>
  Effect.gen(function* () {
    const browser = yield* Browser
    const { site } = composeSite(material)
    yield* Effect.promise(() => served.show(index, site))
    const origin = served.originOf(index)
    const faults: Array<string> = [...deadLinks(site, material, origin)]
    const pictures: Array<Uint8Array> = []
    for (const page of site.pages) {
      const path = `/${page.path}`
      const report = yield* Effect.promise(() => Promise.resolve(validator.validateString(pageOf(site, page, origin))))
      for (const { messages } of report.results) {
        for (const { message, ruleId } of messages) faults.push(`${path}: ${ruleId}: ${message}`)
      }
      const isHome = page.path === ""
      const look = yield* browser.look(AccountId.make(1 + (index % 2)), {
        page: { url: `${origin}${path}` },
        viewports: isHome ? widths : [widths[0]],
        picture: isHome ? "view" : "none"
      })
      for (const view of look.views) {
        faults.push(...faultsOf(path, view))
        if (view.picture !== undefined) pictures.push(view.picture)
      }
    }
    return { site, faults, pictures } satisfies CheckedSite
  })
