import { sessionsOfProcess } from "./CheckResult.ts"

/** The processors that this process may use. */
export interface Processors {
  readonly count: number
  /** Processors by the limit of the container, such as 1.5; undefined without a limit. */
  readonly quota: number | undefined
}

/** How many processes share the port. */
export const processesOf = (workers: number | "auto", { count, quota = count }: Processors): number =>
  workers === "auto" ? Math.max(1, Math.min(count, Math.ceil(quota))) : workers

/** Sessions of the embedded server for people and for programs such as backups. */
const spareSessions = 20

const fewestSessions = 100

/** Gateways of test accounts that a process runs at a time, and the most sessions that one of them opens. */
export const mostTestGateways = 3
const sessionsOfTestGateway = 13

/** Sessions of the embedded server for so many processes. Each has one more, by which the server knows that it is used. */
export const sessionsOfServer = (processes: number, poolSize: number): number =>
  Math.max(
    fewestSessions,
    processes * (sessionsOfProcess(poolSize) + 1 + mostTestGateways * sessionsOfTestGateway) + spareSessions
  )

/** The limit in the file `cpu.max` of a cgroup: microseconds of processor time, and the period in which they are given. */
export const quotaIn = (cpuMax: string): number | undefined => {
  const [quota = "", period = ""] = cpuMax.trim().split(" ")
  const processors = Number(quota) / Number(period)
  return Number.isFinite(processors) && processors > 0 ? processors : undefined
}

/** A process that ran for this long had started well, so its end is the first failure again. */
const steadyMillis = 60_000
const firstDelayMillis = 500
const longestDelayMillis = 30_000

/** The number of consecutive failures: times that a process ended soon after its start. */
export const failuresAfter = (failures: number, livedMillis: number): number =>
  livedMillis >= steadyMillis ? 1 : failures + 1

/** The delay before a failed process is started again. It doubles with each failure. */
export const restartDelayMillis = (failures: number): number =>
  Math.min(longestDelayMillis, firstDelayMillis * 2 ** Math.max(0, failures - 1))
