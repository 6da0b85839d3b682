import { inject } from "vitest"

/** Whether the tests' databases are distributed over a cluster (`npm run test:citus`). */
export const isCluster = inject("postgres").workerPorts.length > 0
