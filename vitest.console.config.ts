import { defineConfig } from "vitest/config"
import { compiledSource, compiledSources } from "./test/support/compiledSources.ts"

/** The console in Chromium. `npm run test:console` also makes the long runs. */
export default defineConfig({
  plugins: [compiledSources()],
  test: {
    server: { deps: { external: [compiledSource] } },
    include: ["test/Console/browser/*.browser.ts"],
    globalSetup: ["test/support/globalSetup.ts"],
    setupFiles: ["test/support/plainTests.ts"],
    pool: "forks",
    // The gateway's sources are loaded once, and not once for each file.
    isolate: false,
    poolOptions: { forks: { maxForks: 1, minForks: 1 } },
    testTimeout: 600_000,
    hookTimeout: 120_000
  }
})
