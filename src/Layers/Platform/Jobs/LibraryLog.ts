import { Effect, Runtime } from "effect"
import { Logger } from "graphile-worker"

const isListOfJobs = (value: unknown): value is ReadonlyArray<{ readonly id: string }> =>
  Array.isArray(value) && value.every((job) => typeof job === "object" && job !== null && "id" in job)

/**
 * Writes the library's warnings and errors to the gateway's log. Failed tasks are left out, because TaskRunner.ts logs
 * them without payloads. Only this log reports tasks that were done but not recorded, and why tasks could not be
 * fetched.
 */
export const makeLibraryLog = (
  onUnrecorded: (taskIds: ReadonlyArray<string>) => void,
  onNotFetched: (cause: unknown) => void
): Effect.Effect<Logger> =>
  Effect.map(Effect.runtime<never>(), (runtime) => {
    const runFork = Runtime.runFork(runtime)
    return new Logger(() => (level, message, meta = {}) => {
      if (meta["fatalError"] !== undefined && isListOfJobs(meta["jobs"])) onUnrecorded(meta["jobs"].map(({ id }) => id))
      if (message.startsWith("Error occurred fetching jobs")) onNotFetched(meta["error"])
      const severity: string = level
      if ((severity !== "error" && severity !== "warning") || meta["failure"] === true) return
      // Workers that fetch and record in batches do not need a session each, so this warning does not apply.
      if (message.startsWith("WARNING: having maxPoolSize")) return
      const line = message.split("\n", 1)[0] ?? ""
      runFork(Effect.annotateLogs(Effect.logWarning("job engine"), "detail", line))
    })
  })
