import type { BenchDatabase } from "./BenchDatabase.ts"
import { startProcess } from "./ServerProcess.ts"

/** A folder for a CPU profile of the gateway, to be opened with `chrome://inspect`. */
const profiles = process.env["BENCH_PROFILE"]

/** Starts the gateway as an operator would, over the benchmark's database. */
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
