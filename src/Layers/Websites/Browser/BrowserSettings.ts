import { Config, type ConfigError, type Effect, type Option } from "effect"
import { given, integerBetween } from "../../Platform/Environment.ts"

export interface BrowserSettings {
  /** The path of Chromium. The usual folders are searched by default. */
  readonly program: Option.Option<string>
  /** The number of pages that are open at the same time. */
  readonly pages: number
}

export const loadBrowserSettings: Effect.Effect<BrowserSettings, ConfigError.ConfigError> = Config.all({
  program: given("BROWSER_PATH"),
  pages: integerBetween("BROWSER_PAGES", 1, 8).pipe(Config.withDefault(2))
})
