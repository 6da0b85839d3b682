import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { Effect, Schedule } from "effect"
import { inject } from "vitest"

const run = promisify(execFile)

/** Copies a directory with its owner, who need not be the tests': PostgreSQL does not run as root. */
export const copyDirectory = (from: string, to: string) =>
  Effect.promise(async () => {
    await fs.mkdir(path.dirname(to), { recursive: true })
    await run("cp", ["-a", from, to])
  })

const exists = (file: string) =>
  Effect.promise(() =>
    fs.access(file).then(
      () => true,
      () => false
    )
  )

/**
 * Puts a database at the newest version, without any account, where a gateway with this data directory looks for its own:
 * to make one takes longer than the rest of a start. The first who asks in a run makes it for all.
 */
export const prepareDatabase = (dataDir: string) =>
  Effect.gen(function* () {
    const folder = inject("preparedCluster")
    const made = path.join(folder, "made")
    const isFirst = yield* Effect.promise(() =>
      fs.mkdir(path.join(folder, "begun")).then(
        () => true,
        () => false
      )
    )
    if (isFirst) {
      yield* Effect.promise(() =>
        run(process.execPath, ["launch/gateway.js", "migrate"], {
          env: { PATH: process.env["PATH"], HOME: process.env["HOME"], DATA_DIR: folder }
        })
      )
      yield* Effect.promise(() => fs.writeFile(made, ""))
    }
    yield* Effect.repeat(exists(made), { until: (is) => is, schedule: Schedule.spaced("50 millis") }).pipe(
      Effect.timeoutFail({ duration: "2 minutes", onTimeout: () => new Error("Nobody made the database.") }),
      Effect.orDie
    )
    yield* copyDirectory(path.join(folder, "postgres", "cluster"), path.join(dataDir, "postgres", "cluster"))
  })
