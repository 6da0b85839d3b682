import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { Effect } from "effect"
import { inject } from "vitest"
import { temporaryDirectory } from "./GatewayProcess.ts"

/**
 * A data directory whose embedded database has all migrations and no account. The gateway makes the account and the
 * keys at its first start there. Where initdb and the migrations are the subject, use `temporaryDirectory`.
 */
export const preparedDataDir = Effect.gen(function* () {
  const dataDir = yield* temporaryDirectory
  const cluster = inject("preparedCluster")
  if (cluster === undefined) return dataDir
  yield* Effect.promise(async () => {
    await fs.mkdir(path.join(dataDir, "postgres"))
    // Files keep their owner, who may not be the tests' user.
    await promisify(execFile)("cp", ["-a", cluster, path.join(dataDir, "postgres")])
  })
  return dataDir
})
