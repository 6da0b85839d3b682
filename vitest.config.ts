import { readFileSync } from "node:fs"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { compiledSource, compiledSources } from "./test/support/compiledSources.ts"

/** Files that start processes, or make an account's whole past, wait a lot: begun last, they would be waited for alone. */
const isLong = ({ moduleId }: TestSpecification): boolean =>
  /GatewayProcess\.ts|node:child_process|makeSampleHistory|StoryWorld|"doomed|"crashing/.test(
    readFileSync(moduleId, "utf8")
  )

class LongFilesFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const execArgv = ["--min-semi-space-size=32", "--max-semi-space-size=64", "--initial-heap-size=1500"]

export default defineConfig({
  plugins: [compiledSources()],
  test: {
    server: { deps: { external: [compiledSource] } },
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/globalSetup.ts"],
    setupFiles: [
      "test/support/plainTests.ts",
      "test/support/logs/statementLog.ts",
      "test/support/checks/checkedRows.ts",
      "test/support/logs/costLog.ts",
      "test/support/logs/listedReasons.ts"
    ],
    pool: "forks",
    // Files that run one after the other in a process share what they import: to load it again takes longer than most.
    isolate: false,
    // One more than the processors of a small machine, since each waits for its database and its processes half of the
    // time. All stay to the end, so that none is ended while others are at work.
    // With room for the young from the start, the collector takes a tenth less of the whole run's processor time.
    poolOptions: { forks: { maxForks: 3, minForks: 3, execArgv } },
    sequence: { sequencer: LongFilesFirst },
    // Beside three others on two processors, and on a machine that does other work too.
    testTimeout: 180_000,
    hookTimeout: 300_000
  }
})
