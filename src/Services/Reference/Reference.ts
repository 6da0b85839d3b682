import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import { SearchMode } from "../Conversations/Conversations.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { CityMatch } from "./Cities.ts"
import type { CnaeView } from "./Cnae.ts"
import type { CnaeSuggestions, IcpSuggestion } from "./Suggestions.ts"

export const FoundArticle = Schema.Struct({
  title: Schema.String,
  content: Schema.String,
  score: Schema.Number.pipe(Schema.between(0, 1)),
  language: Schema.Literal("pt-BR", "en", "es")
})
export type FoundArticle = typeof FoundArticle.Type

export const FoundArticles = Schema.Struct({
  results: Schema.Array(FoundArticle),
  top_k: Schema.Int.annotations({ description: "The number applied: more than 10 is lowered to 10." }),
  mode: SearchMode.annotations({ description: "hybrid: by words and meaning; text: by words alone." })
})
export type FoundArticles = typeof FoundArticles.Type

/** Reference data, the platform's articles, and suggestions based on the account's texts. Nothing is stored. */
export class Reference extends Context.Tag("Reference")<
  Reference,
  {
    readonly city: (
      name: string
    ) => Effect.Effect<
      { readonly cities: ReadonlyArray<CityMatch>; readonly total: number },
      Refused | Transient,
      Caller
    >
    readonly cnae: (code: string) => Effect.Effect<CnaeView, NotFound | Refused | Transient, Caller>
    /** Without a text, the account's own profile is used. */
    readonly suggestCnae: (
      kind: "inclusion" | "exclusion",
      icp: string | undefined
    ) => Effect.Effect<CnaeSuggestions, Refused | Transient, Caller>
    readonly suggestIcp: Effect.Effect<IcpSuggestion, Refused | Transient, Caller>
    /** Articles at or above `minimumScore`, best first. */
    readonly searchArticles: (
      query: string,
      options: { readonly limit: number; readonly minimumScore: number }
    ) => Effect.Effect<FoundArticles, Transient, Caller>
  }
>() {}
