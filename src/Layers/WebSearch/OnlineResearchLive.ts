import { Effect, Layer } from "effect"
import { OnlineResearch } from "../../Services/WebSearch/OnlineResearch.ts"
import { WebSearch } from "../../Services/WebSearch/WebSearch.ts"
import { makeSearch } from "./SearchRun.ts"

export const OnlineResearchLive = Layer.effect(
  OnlineResearch,
  Effect.gen(function* () {
    const { mode } = yield* WebSearch
    const search = yield* makeSearch
    return OnlineResearch.of({
      about: Effect.fn("OnlineResearch.about")(function* (question, type, language) {
        const { pages, statements } = yield* search(question, type, language, () => Effect.void)
        return {
          facts: statements.map(({ evidence, text }) => ({
            text,
            sources: evidence.flatMap(({ page }) => {
              const source = pages[page]
              return source === undefined ? [] : [{ url: source.url, title: source.title }]
            })
          })),
          searched: mode === "live" ? "web" : "own_material"
        }
      })
    })
  })
)
