import { parsedUrl } from "../../Core/Outside/ParsedUrl.ts"
import { withoutControlCharacters } from "../../Text/SingleLine.ts"
import type { Site } from "../Site.ts"
import type { PartKind } from "./TrafficParts.ts"

/** A view that a page's beacon reports, or its picture if scripts are off. */
export interface ToldView {
  /** Of the page, with the slash. */
  readonly path: string
  /** Behind the question mark of the page's address. */
  readonly query: string
  /** The address that the visitor came from. */
  readonly referrer: string
  readonly variant: string
}

/** The path of the form alone, for frames on other sites. */
const embedPath = "/embed"

/** Characters of a name that views are counted by. */
const longestName = 60

/**
 * A value that somebody put into a link. One that looks like an address of a person is not kept: what is counted says
 * nothing of anybody.
 */
const tag = (query: URLSearchParams, name: string): string | undefined => {
  const text = withoutControlCharacters((query.get(name) ?? "").slice(0, 500))
    .trim()
    .toWellFormed()
  return text === "" || text.includes("@") || /\d{7}/.test(text) ? undefined : text.slice(0, longestName)
}

/** The host that a visitor came from; undefined for the site's own, for none, and for what is no address of a page. */
const referringHost = (referrer: string, ownHost: string): string | undefined => {
  const url = referrer.length > 2048 ? undefined : parsedUrl(referrer)
  if (url === undefined) return undefined
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined
  const host = url.hostname.toLowerCase().replace(/^www\./, "")
  return host === ownHost || host === "" ? undefined : host.slice(0, longestName)
}

/** What the view counts under; undefined where the site has no such page. */
export const viewOf = (
  told: ToldView,
  { device, ownHost, site }: { readonly site: Site; readonly ownHost: string; readonly device: string }
): ReadonlyArray<readonly [kind: PartKind, name: string]> | undefined => {
  const isEmbedded = told.path === embedPath
  const page = isEmbedded ? site.pages[0] : site.pages.find(({ path }) => told.path === `/${path}`)
  if (page === undefined) return undefined
  const query = new URLSearchParams(told.query.slice(0, 2048))
  const variant = page.variants.some(({ id }) => id === told.variant) ? told.variant : "a"
  const named: ReadonlyArray<readonly [PartKind, string | undefined]> = [
    ["page", isEmbedded ? embedPath : `/${page.path}`],
    ["variant", page.variants.length === 0 ? undefined : `/${page.path}#${variant}`],
    ["referrer", referringHost(told.referrer, ownHost)],
    ["source", tag(query, "utm_source")],
    ["medium", tag(query, "utm_medium")],
    ["campaign", tag(query, "utm_campaign")],
    ["device", device]
  ]
  return named.flatMap(([kind, name]) => (name === undefined ? [] : [[kind, name] as const]))
}
