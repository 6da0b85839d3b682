import { Effect, Layer } from "effect"
import { Settings } from "../../src/Layers/Platform/Settings.ts"

/** Settings of a gateway whose sites are served at `port` of this machine, where a browser can open them. */
export const settingsOfSites = (port: number) =>
  Layer.effect(
    Settings,
    Effect.map(Settings, (settings) => ({
      ...settings,
      host: "127.0.0.1",
      port,
      baseUrl: `http://localhost:${port}`,
      siteDomain: "sites.localhost"
    }))
  )
