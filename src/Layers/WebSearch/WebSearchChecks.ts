import { Effect, Option } from "effect"
import { skipped } from "../../Services/Core/Outside/CheckResult.ts"
import type { Check } from "../Platform/Operators/Check.ts"
import { checkCredentials } from "../Platform/Outbound/ProviderCheck.ts"
import { credentialsOf, searchEngines } from "./SearchEngines.ts"
import { loadWebSearchSettings } from "./WebSearchSettings.ts"

/** The engines have no page that only checks a key, so this is one search for one result. */
const webSearchCheck = Effect.flatMap(loadWebSearchSettings, ({ engine }) =>
  Option.match(engine, {
    onNone: () => Effect.succeed(skipped("WEB_SEARCH_ENGINE is not set: searches use the account's own material.")),
    onSome: (settings) =>
      checkCredentials({
        name: "web_search",
        baseUrl: settings.url,
        headers: credentialsOf(settings),
        request: searchEngines[settings.engine].request({ query: "test", language: "en", count: 1 }),
        setting: "WEB_SEARCH_API_KEY"
      })
  })
)

export const webSearchChecks: ReadonlyArray<Check> = [{ name: "web_search", run: webSearchCheck }]
