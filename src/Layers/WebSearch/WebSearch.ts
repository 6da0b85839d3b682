import { Effect, Layer, Ref } from "effect"
import { onlineSearchJob } from "../../Services/WebSearch/OnlineSearches.ts"
import { type SearchSource, SearchSources } from "../../Services/WebSearch/SearchSources.ts"
import { WebSearch } from "../../Services/WebSearch/WebSearch.ts"
import { providerLayer } from "../Platform/Outbound/ProviderLayer.ts"
import * as Room from "../Platform/Room.ts"
import { makeLiveWebSearch } from "./LiveWebSearch.ts"
import { webSearchMigration } from "./Migrations.ts"
import { OnlineResearchLive } from "./OnlineResearchLive.ts"
import { OnlineSearchesPostgres } from "./OnlineSearchesPostgres.ts"
import { webSearchPersonalData } from "./PersonalData.ts"
import { makeWebSearchSandbox } from "./sandbox/WebSearchSandbox.ts"
import { webSearchChecks } from "./WebSearchChecks.ts"
import { loadWebSearchSettings } from "./WebSearchSettings.ts"

const SearchSourcesLive = Layer.effect(
  SearchSources,
  Effect.map(Ref.make<ReadonlyArray<SearchSource>>([]), (sources) => ({
    add: (source) => Ref.update(sources, (all) => [...all, source]),
    all: Ref.get(sources)
  }))
)

/** The operator's search engine. Without one, the account's own material is searched. */
const WebSearchConfigured = providerLayer(WebSearch, {
  settings: Effect.map(loadWebSearchSettings, ({ engine }) => engine),
  live: makeLiveWebSearch,
  sandbox: makeWebSearchSandbox
})

/** Answers questions from the web. */
export const WebSearchRoom = Room.make({
  migrations: [webSearchMigration],
  layer: Layer.merge(OnlineResearchLive, OnlineSearchesPostgres).pipe(
    Layer.provideMerge(WebSearchConfigured),
    Layer.provideMerge(SearchSourcesLive)
  ),
  jobs: [onlineSearchJob],
  modes: Effect.map(WebSearch, ({ mode }) => ({ web_search: mode })),
  personalData: webSearchPersonalData,
  settings: [loadWebSearchSettings],
  checks: webSearchChecks
})
