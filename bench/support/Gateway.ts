import type { BenchDatabase } from "./BenchDatabase.ts"
import { startProcess } from "./ServerProcess.ts"

/** A folder that gets a profile of the gateway's processor time, for `chrome://inspect` and the like. */
const profiles = process.env["BENCH_PROFILE"]

/** Starts the gateway as an operator would, over a database of the benchmark's own. */
export const startGateway = (database: BenchDatabase, env: Readonly<Record<string, string>> = {}) =>
  startProcess({
    name: "gateway",
    args: [
      ...(profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profiles}`]),
      "launch/gateway.js",
      "serve"
    ],
    env: { LOG_LEVEL: "WARN", ...env, DATABASE_URL: database.url }
  })
