import type { BenchDatabase } from "./BenchDatabase.ts"
import { startProcess } from "./ServerProcess.ts"

/** Starts the gateway as an operator would, over a database of the benchmark's own. */
export const startGateway = (database: BenchDatabase, env: Readonly<Record<string, string>> = {}) =>
  startProcess({
    name: "gateway",
    args: ["launch/gateway.js", "serve"],
    env: { LOG_LEVEL: "WARN", ...env, DATABASE_URL: database.url }
  })
