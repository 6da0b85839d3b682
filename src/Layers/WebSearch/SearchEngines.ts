import { Option, Redacted, Schema } from "effect"
import type { OutboundRequest } from "../../Services/Outbound/OutboundHttp.ts"
import type { Language } from "../../Services/Text/Language.ts"
import type { SearchHit, WebSearchFailure } from "../../Services/WebSearch/WebSearch.ts"
import type { EngineSettings } from "./WebSearchSettings.ts"

interface Question {
  readonly query: string
  readonly language: Language
  readonly count: number
}

/** One search engine: how it is asked, and what its answers mean. */
interface SearchEngine {
  readonly request: (settings: EngineSettings, question: Question) => OutboundRequest
  readonly hits: (json: unknown) => ReadonlyArray<SearchHit> | undefined
  /** Statuses that mean something of their own there. */
  readonly failures?: { readonly [status: number]: WebSearchFailure }
}

const text = Schema.optionalWith(Schema.String, { default: () => "", nullable: true })
const named = (title: string, url: string): SearchHit => ({ title, url })
const byUrl = Schema.Array(Schema.Struct({ title: text, url: Schema.String }))
const byLink = Schema.Array(Schema.Struct({ title: text, link: Schema.String }))

const keyOf = ({ key }: EngineSettings): string => Option.match(key, { onNone: () => "", onSome: Redacted.value })

const addressOf = (url: string, query: Record<string, string>): string =>
  `${url}?${new URLSearchParams(query).toString()}`

const json = { accept: "application/json" }
const jsonBody = { ...json, "content-type": "application/json" }

const decoded =
  <A, I>(schema: Schema.Schema<A, I>, toHits: (answer: A) => ReadonlyArray<SearchHit>) =>
  (answer: unknown): ReadonlyArray<SearchHit> | undefined =>
    Option.getOrUndefined(Option.map(Schema.decodeUnknownOption(schema)(answer), toHits))

const countries = { "pt-BR": "BR", en: "US", es: "ALL" } as const
const tongues = { "pt-BR": "pt-br", en: "en", es: "es" } as const

/** Sources: the engines' own pages of their search interfaces. */
export const searchEngines: { readonly [E in EngineSettings["engine"]]: SearchEngine } = {
  brave: {
    request: (settings, { count, language, query }) => ({
      method: "GET",
      url: addressOf(`${settings.url}/res/v1/web/search`, {
        q: query,
        count: String(Math.min(20, count)),
        search_lang: tongues[language],
        country: countries[language]
      }),
      headers: { ...json, "x-subscription-token": keyOf(settings) }
    }),
    hits: decoded(Schema.Struct({ web: Schema.optional(Schema.Struct({ results: byUrl })) }), ({ web }) =>
      (web?.results ?? []).map(({ title, url }) => named(title, url))
    ),
    // A key that is not known is an unprocessable request there.
    failures: { 422: "credentials_rejected" }
  },
  tavily: {
    request: (settings, { count, query }) => ({
      method: "POST",
      url: `${settings.url}/search`,
      headers: { ...jsonBody, authorization: `Bearer ${keyOf(settings)}` },
      body: JSON.stringify({ query, max_results: Math.min(20, count), search_depth: "basic", include_answer: false })
    }),
    hits: decoded(Schema.Struct({ results: byUrl }), (answer) =>
      answer.results.map(({ title, url }) => named(title, url))
    ),
    // Its own statuses for what the plan and what the account's budget allow.
    failures: { 432: "quota_exhausted", 433: "quota_exhausted" }
  },
  serper: {
    request: (settings, { count, language, query }) => ({
      method: "POST",
      url: `${settings.url}/search`,
      headers: { ...jsonBody, "x-api-key": keyOf(settings) },
      body: JSON.stringify({ q: query, num: Math.min(20, count), hl: tongues[language] })
    }),
    hits: decoded(Schema.Struct({ organic: Schema.optional(byLink) }), ({ organic = [] }) =>
      organic.map(({ link, title }) => named(title, link))
    )
  },
  searxng: {
    request: (settings, { language, query }) => ({
      method: "GET",
      url: addressOf(`${settings.url}/search`, { q: query, format: "json", language }),
      headers: { ...json, ...(Option.isSome(settings.key) ? { authorization: `Bearer ${keyOf(settings)}` } : {}) }
    }),
    hits: decoded(Schema.Struct({ results: byUrl }), (answer) =>
      answer.results.map(({ title, url }) => named(title, url))
    ),
    // Its settings allow pages only, as they do where nobody changed them.
    failures: { 403: "json_not_enabled" }
  }
}

/** What a status other than 200 means. */
export const failureOf = (engine: EngineSettings["engine"], status: number): WebSearchFailure => {
  const own = searchEngines[engine].failures?.[status]
  if (own !== undefined) return own
  if (status === 401 || status === 403) return "credentials_rejected"
  if (status === 402) return "quota_exhausted"
  if (status === 429) return "rate_limited"
  return status >= 500 || status === 408 ? "unavailable" : "request_rejected"
}
