import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
import type { Language } from "../Text/Language.ts"
import type { SearchType } from "./Ids.ts"
import type { WebSearchFailed } from "./WebSearch.ts"

/** A statement that a page says which was read in the search. */
export interface ResearchedFact {
  readonly text: string
  readonly sources: ReadonlyArray<{ readonly url: string; readonly title: string }>
}

export interface Research {
  readonly facts: ReadonlyArray<ResearchedFact>
  /** In sandbox it is what the account itself knows. */
  readonly searched: "web" | "own_material"
}

/** Searches for what other rooms want to know, by the steps of a search that the account asks for. */
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
