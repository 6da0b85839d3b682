import { defineConfig } from "vitest/config"

/** Laws of the whole engine over a long time on a moved clock: a run takes hours. */
export default defineConfig({
  test: {
    include: ["test/Laws/*.law.ts"],
    globalSetup: ["test/support/globalSetup.ts"],
    setupFiles: ["test/support/plainTests.ts"],
    pool: "forks",
    poolOptions: { forks: { maxForks: 1, minForks: 1 } },
    testTimeout: 86_400_000,
    hookTimeout: 120_000
  }
})
