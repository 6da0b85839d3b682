import { ConfigProvider, Layer } from "effect"
import { SettingsLive } from "../../src/Layers/Platform/Settings.ts"

export const testBaseUrl = "https://gateway.example"

/** The default settings at `testBaseUrl`, independent of the environment. */
export const TestSettings = SettingsLive.pipe(
  Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["BASE_URL", testBaseUrl]]))))
)
