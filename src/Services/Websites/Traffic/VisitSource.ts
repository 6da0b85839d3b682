import { Schema } from "effect"
import { parsedUrl } from "../../Core/Outside/ParsedUrl.ts"
import { withoutControlCharacters } from "../../Text/SingleLine.ts"

const longestTag = 100
const longestReferrer = 300

const Tag = Schema.NullOr(Schema.String.pipe(Schema.maxLength(longestTag)))

/** The source of a visit, from the page's address and the referrer. */
export const VisitSource = Schema.Struct({
  utm_source: Tag,
  utm_medium: Tag,
  utm_campaign: Tag,
  utm_term: Tag,
  utm_content: Tag,
  /** The referrer's host and path, without its query. */
  referrer: Schema.NullOr(Schema.String.pipe(Schema.maxLength(longestReferrer)))
})
export type VisitSource = typeof VisitSource.Type

export const unknownSource: VisitSource = {
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_term: null,
  utm_content: null,
  referrer: null
}

const tagOf = (query: URLSearchParams, name: string): string | null => {
  const text = withoutControlCharacters(query.get(name) ?? "")
    .trim()
    .slice(0, longestTag)
    .toWellFormed()
  return text === "" ? null : text
}

/** Another site's address without query and fragment, which may identify a person. */
export const referrerOf = (referer: string | undefined, host: string | undefined): string | null => {
  const url = referer === undefined || referer.length > 4096 ? undefined : parsedUrl(referer)
  if (url === undefined) return null
  if ((url.protocol !== "https:" && url.protocol !== "http:") || url.host === (host ?? "").toLowerCase()) return null
  return `${url.host}${url.pathname === "/" ? "" : url.pathname}`.slice(0, longestReferrer)
}

export const visitSource = (
  query: URLSearchParams,
  headers: Readonly<Record<string, string | undefined>>
): VisitSource => ({
  utm_source: tagOf(query, "utm_source"),
  utm_medium: tagOf(query, "utm_medium"),
  utm_campaign: tagOf(query, "utm_campaign"),
  utm_term: tagOf(query, "utm_term"),
  utm_content: tagOf(query, "utm_content"),
  referrer: referrerOf(headers["referer"], headers["host"])
})
