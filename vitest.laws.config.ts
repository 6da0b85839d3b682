import { defineConfig } from "vitest/config"

/**
 * Laws of the whole engine over a long time on a moved clock, and tests of the suite that make only a small part of
 * their run there: a run takes hours. `npm run test:laws -- TouchCrash` runs one.
 */
export default defineConfig({
  test: {
    include: [
      "test/Laws/*.law.ts",
      "test/Ads/AdsCrash.test.ts",
      "test/Learnings/Optimizer.test.ts",
      "test/Outreach/Touches/TouchCrash.test.ts",
      "test/Sample/SampleHistory.test.ts"
    ],
    env: { WHOLE_RUN: "yes" },
    globalSetup: ["test/support/globalSetup.ts"],
    setupFiles: ["test/support/plainTests.ts"],
    pool: "forks",
    poolOptions: { forks: { maxForks: 1, minForks: 1 } },
    testTimeout: 86_400_000,
    hookTimeout: 120_000
  }
})
