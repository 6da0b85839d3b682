import { Context, Data, type Effect } from "effect"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import type { Passage } from "../Knowledge/Passages.ts"
import type { Language } from "../Text/Language.ts"

/** A page that the search has read. */
export interface ReadPage {
  readonly url: string
  readonly title: string
  /** `YYYY-MM-DD`, if the page states its date of publication. */
  readonly date: string | null
  readonly passages: ReadonlyArray<Passage>
}

/** A hit of a search engine. A source of the account's own material includes the text. */
export interface SearchHit {
  readonly url: string
  readonly title: string
  readonly page?: ReadPage
}

export type WebSearchFailure =
  | "credentials_rejected"
  | "quota_exhausted"
  | "rate_limited"
  | "json_not_enabled"
  | "request_rejected"
  | "unavailable"
  | "timed_out"
  | "answer_unreadable"

/** The search engine gave no usable answer. The reason says nothing about the query. */
export class WebSearchFailed extends Data.TaggedError("WebSearchFailed")<{ readonly reason: WebSearchFailure }> {}

/** Whether the same search may succeed later without an operator. */
export const isPassing = ({ reason }: WebSearchFailed): boolean =>
  reason === "rate_limited" || reason === "unavailable" || reason === "timed_out"

/** The page could not be fetched or has no readable text. The search continues without it. */
export class PageUnreadable extends Data.TaggedError("PageUnreadable") {}

/** The search engine and its pages: the web, or the account's own material in the sandbox. */
export class WebSearch extends Context.Tag("WebSearch")<
  WebSearch,
  {
    readonly mode: ServiceMode
    /** The best match first. */
    readonly find: (
      query: string,
      options: { readonly language: Language; readonly count: number }
    ) => Effect.Effect<ReadonlyArray<SearchHit>, WebSearchFailed, Caller>
    readonly open: (url: string) => Effect.Effect<ReadPage, PageUnreadable, Caller>
  }
>() {}
