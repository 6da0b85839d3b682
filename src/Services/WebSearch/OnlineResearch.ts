import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { Language } from "../Text/Language.ts"
import type { SearchType } from "./Ids.ts"
import type { WebSearchFailed } from "./WebSearch.ts"

/** A statement of a page that was read during the search. */
export interface ResearchedFact {
  readonly text: string
  readonly sources: ReadonlyArray<{ readonly url: string; readonly title: string }>
}

export interface Research {
  readonly facts: ReadonlyArray<ResearchedFact>
  /** In the sandbox, the account's own material is searched. */
  readonly searched: "web" | "own_material"
}

/** Web searches for other rooms, with the same steps as the account's own searches. */
export class OnlineResearch extends Context.Tag("OnlineResearch")<
  OnlineResearch,
  {
    readonly about: (
      question: string,
      type: SearchType,
      language: Language
    ) => Effect.Effect<Research, WebSearchFailed | Transient, Caller>
  }
>() {}
