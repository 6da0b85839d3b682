import { defineConfig } from "vitest/config"

/** The console in Chromium. `npm run test:console` also makes the long runs. */
export default defineConfig({
  test: {
    include: ["test/Console/browser/*.browser.ts"],
    globalSetup: ["test/support/globalSetup.ts"],
    setupFiles: ["test/support/plainTests.ts"],
    pool: "forks",
    poolOptions: { forks: { maxForks: 1, minForks: 1 } },
    testTimeout: 600_000,
    hookTimeout: 120_000
  }
})
