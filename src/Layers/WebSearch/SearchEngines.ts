import { Option, Redacted, Schema } from "effect"
import type { Language } from "../../Services/Text/Language.ts"
import type { SearchHit, WebSearchFailure } from "../../Services/WebSearch/WebSearch.ts"
import type { ProviderFailure } from "../Platform/Outbound/ProviderFailure.ts"
import type { ProviderRequest } from "../Platform/Outbound/ProviderRequest.ts"
import type { EngineSettings } from "./WebSearchSettings.ts"

interface Query {
  readonly query: string
  readonly language: Language
  readonly count: number
}

/** Describes how to call a search engine, and how to read its answers. */
interface SearchEngine {
  readonly credentials: (key: string) => { readonly [header: string]: string }
  readonly request: (query: Query) => ProviderRequest
  readonly hits: (json: unknown) => ReadonlyArray<SearchHit> | undefined
  /** Statuses with a special meaning for this engine. */
  readonly failures?: { readonly [status: number]: WebSearchFailure }
}

const text = Schema.optionalWith(Schema.String, { default: () => "", nullable: true })
const hit = (title: string, url: string): SearchHit => ({ title, url })
const byUrl = Schema.Array(Schema.Struct({ title: text, url: Schema.String }))
const byLink = Schema.Array(Schema.Struct({ title: text, link: Schema.String }))

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

const decodedHits =
  <A, I>(schema: Schema.Schema<A, I>, toHits: (answer: A) => ReadonlyArray<SearchHit>) =>
  (answer: unknown): ReadonlyArray<SearchHit> | undefined =>
    Option.getOrUndefined(Option.map(Schema.decodeUnknownOption(schema)(answer), toHits))

const countries = { "pt-BR": "BR", en: "US", es: "ALL" } as const
const languageCodes = { "pt-BR": "pt-br", en: "en", es: "es" } as const
/** Brave refuses longer queries. */
const longestQuery = { words: 50, characters: 400 }
const shortQuery = (query: string): string =>
  query.trim().split(/\s+/).slice(0, longestQuery.words).join(" ").slice(0, longestQuery.characters).trim()

/** The most hits that any engine returns for one query. */
const maximumHits = 20

/** Sources: the engines' documentation of their search interfaces. */
export const searchEngines: { readonly [E in EngineSettings["engine"]]: SearchEngine } = {
  brave: {
    credentials: (key) => ({ "x-subscription-token": key }),
    request: ({ count, language, query }) => ({
      method: "GET",
      path: "/res/v1/web/search",
      query: {
        q: shortQuery(query),
        count: Math.min(maximumHits, count),
        search_lang: languageCodes[language],
        country: countries[language]
      }
    }),
    hits: decodedHits(Schema.Struct({ web: Schema.optional(Schema.Struct({ results: byUrl })) }), ({ web }) =>
      (web?.results ?? []).map(({ title, url }) => hit(title, url))
    ),
    // Brave answers an unknown key with 422.
    failures: { 422: "credentials_rejected" }
  },
  tavily: {
    credentials: bearer,
    request: ({ count, query }) => ({
      method: "POST",
      path: "/search",
      isRead: true,
      json: { query, max_results: Math.min(maximumHits, count), search_depth: "basic", include_answer: false }
    }),
    hits: decodedHits(Schema.Struct({ results: byUrl }), (answer) =>
      answer.results.map(({ title, url }) => hit(title, url))
    ),
    // The plan's limit, and the account's budget.
    failures: { 432: "quota_exhausted", 433: "quota_exhausted" }
  },
  serper: {
    credentials: (key) => ({ "x-api-key": key }),
    request: ({ count, language, query }) => ({
      method: "POST",
      path: "/search",
      isRead: true,
      json: { q: query, num: Math.min(maximumHits, count), hl: languageCodes[language] }
    }),
    hits: decodedHits(Schema.Struct({ organic: Schema.optional(byLink) }), ({ organic = [] }) =>
      organic.map(({ link, title }) => hit(title, link))
    )
  },
  searxng: {
    credentials: bearer,
    request: ({ language, query }) => ({
      method: "GET",
      path: "/search",
      query: { q: query, format: "json", language }
    }),
    hits: decodedHits(Schema.Struct({ results: byUrl }), (answer) =>
      answer.results.map(({ title, url }) => hit(title, url))
    ),
    // By default SearXNG only returns HTML.
    failures: { 403: "json_not_enabled" }
  }
}

/** Returns the headers that identify the operator. None without a key. */
export const credentialsOf = ({ engine, key }: EngineSettings): { readonly [header: string]: string } =>
  Option.match(key, {
    onNone: () => ({}),
    onSome: (secret) => searchEngines[engine].credentials(Redacted.value(secret))
  })

const failuresByStatus: { readonly [status: number]: WebSearchFailure } = {
  401: "credentials_rejected",
  402: "quota_exhausted",
  403: "credentials_rejected",
  408: "unavailable",
  429: "rate_limited"
}

const statusFailure = (engine: EngineSettings["engine"], status: number): WebSearchFailure =>
  searchEngines[engine].failures?.[status] ??
  failuresByStatus[status] ??
  (status >= 500 ? "unavailable" : "request_rejected")

/** Returns why a query has no hits. */
export const searchFailure = (
  engine: EngineSettings["engine"],
  { answer, code, kind }: ProviderFailure
): WebSearchFailure => {
  if (code === "answer_unreadable") return "answer_unreadable"
  if (answer !== undefined) return statusFailure(engine, Redacted.value(answer).status)
  if (kind === "rejected") return "request_rejected"
  return code === "timed_out" ? "timed_out" : "unavailable"
}
