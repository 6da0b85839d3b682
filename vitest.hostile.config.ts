import { defineConfig } from "vitest/config"

/** Attacks on a gateway in a process of its own, judged by the delay of its event loop: nothing else should run beside. */
export default defineConfig({
  test: {
    include: ["test/Hostile/*.attack.ts"],
    setupFiles: ["test/support/plainTests.ts"],
    pool: "forks",
    poolOptions: { forks: { maxForks: 1, minForks: 1 } },
    testTimeout: 3_600_000,
    hookTimeout: 120_000
  }
})
