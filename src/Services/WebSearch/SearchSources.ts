import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { ReadPage } from "./WebSearch.ts"

/** A source of the account's own material that the sandbox searches instead of the web. */
export interface SearchSource {
  /** Pages with the passages that match the question, best first. */
  readonly find: (question: string, count: number) => Effect.Effect<ReadonlyArray<ReadPage>, Transient, Caller>
}

/** All sources of the sandbox. Later rooms add theirs. */
export class SearchSources extends Context.Tag("SearchSources")<
  SearchSources,
  {
    readonly add: (source: SearchSource) => Effect.Effect<void>
    readonly all: Effect.Effect<ReadonlyArray<SearchSource>>
  }
>() {}
