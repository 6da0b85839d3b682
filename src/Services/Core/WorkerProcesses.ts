import { sessionsOfProcess } from "./Outside/CheckResult.ts"

/** The processors that this process may use. */
export interface Processors {
  readonly count: number
  /** The container's processor limit, such as 1.5. Undefined without a limit. */
  readonly quota: number | undefined
}

/** How many processes the gateway starts. They share its port. */
export const processesOf = (workers: number | "auto", { count, quota = count }: Processors): number =>
  workers === "auto" ? Math.max(1, Math.min(count, Math.ceil(quota))) : workers

/** Extra sessions of the embedded server, for people and for programs such as backups. */
const spareSessions = 20

const fewestSessions = 100

/** How many test account gateways a process runs at once, and how many sessions each opens at most. */
export const mostTestGateways = 3
const sessionsOfTestGateway = 13

/**
 * The sessions that the embedded server must allow. Each process needs one extra session, which shows the server that
 * it is in use.
 */
export const sessionsOfServer = (processes: number, poolSize: number): number =>
  Math.max(
    fewestSessions,
    processes * (sessionsOfProcess(poolSize) + 1 + mostTestGateways * sessionsOfTestGateway) + spareSessions
  )

/** Parses the file `cpu.max` of a cgroup: microseconds of processor time per period. */
export const quotaIn = (cpuMax: string): number | undefined => {
  const [quota = "", period = ""] = cpuMax.trim().split(" ")
  const processors = Number(quota) / Number(period)
  return Number.isFinite(processors) && processors > 0 ? processors : undefined
}

/** A process that ran at least this long is considered stable, so its failure count starts again. */
const steadyMillis = 60_000
const firstDelayMillis = 500
const longestDelayMillis = 30_000

/** The number of consecutive failures, which are exits soon after a start. */
export const failuresAfter = (failures: number, livedMillis: number): number =>
  livedMillis >= steadyMillis ? 1 : failures + 1

/** The delay before a failed process is started again. It doubles with each failure. */
export const restartDelayMillis = (failures: number): number =>
  Math.min(longestDelayMillis, firstDelayMillis * 2 ** Math.max(0, failures - 1))
