import { Effect, Layer, Option, Ref } from "effect"
import { onlineSearchJob } from "../../Services/WebSearch/OnlineSearches.ts"
import { type SearchSource, SearchSources } from "../../Services/WebSearch/SearchSources.ts"
import { WebSearch } from "../../Services/WebSearch/WebSearch.ts"
import * as Room from "../Platform/Room.ts"
import { makeLiveWebSearch } from "./LiveWebSearch.ts"
import { webSearchMigration } from "./Migrations.ts"
import { OnlineResearchLive } from "./OnlineResearchLive.ts"
import { OnlineSearchesPostgres } from "./OnlineSearchesPostgres.ts"
import { webSearchPersonalData } from "./PersonalData.ts"
import { makeWebSearchSandbox } from "./sandbox/WebSearchSandbox.ts"
import { loadWebSearchSettings } from "./WebSearchSettings.ts"

const SearchSourcesLive = Layer.effect(
  SearchSources,
  Effect.map(Ref.make<ReadonlyArray<SearchSource>>([]), (sources) => ({
    add: (source) => Ref.update(sources, (all) => [...all, source]),
    all: Ref.get(sources)
  }))
)

/** The search engine of the settings; what the account itself knows where there is none. */
const WebSearchConfigured = Layer.scoped(
  WebSearch,
  Effect.gen(function* () {
    const { engine } = yield* loadWebSearchSettings
    return Option.isSome(engine) ? yield* makeLiveWebSearch(engine.value) : yield* makeWebSearchSandbox
  })
)

/** Questions that are looked up on the web. */
export const WebSearchRoom = Room.make({
  migrations: [webSearchMigration],
  layer: Layer.merge(OnlineResearchLive, OnlineSearchesPostgres).pipe(
    Layer.provideMerge(WebSearchConfigured),
    Layer.provideMerge(SearchSourcesLive)
  ),
  jobs: [onlineSearchJob],
  modes: Effect.map(WebSearch, ({ mode }) => ({ web_search: mode })),
  personalData: webSearchPersonalData
})
