/** The result of a check by `gateway doctor`. A result other than `ok` and `skipped` says how to fix the problem. */
export interface CheckResult {
  readonly status: "ok" | "skipped" | "warning" | "failed"
  readonly detail: string
  readonly fix?: string
}

export interface NamedResult extends CheckResult {
  readonly name: string
}

export const passed = (detail: string): CheckResult => ({ status: "ok", detail })
export const skipped = (detail: string): CheckResult => ({ status: "skipped", detail })
export const warning = (detail: string, fix: string): CheckResult => ({ status: "warning", detail, fix })
export const failed = (detail: string, fix: string): CheckResult => ({ status: "failed", detail, fix })

const severity = { ok: 0, skipped: 0, warning: 1, failed: 2 } as const

/** The most severe of several results, with the details of all results of that severity. */
export const worstOf = (results: ReadonlyArray<CheckResult>): CheckResult => {
  const worst = Math.max(0, ...results.map(({ status }) => severity[status]))
  const worstResults = results.filter(({ status }) => severity[status] === worst)
  const [first] = worstResults
  if (first === undefined) return skipped("There is nothing to check.")
  const details = worstResults.map(({ detail }) => detail).join(" ")
  const fixes = [...new Set(worstResults.flatMap(({ fix }) => (fix === undefined ? [] : [fix])))].join(" ")
  const status = worstResults.some((result) => result.status === "ok") ? "ok" : first.status
  return { status, detail: details, ...(fixes === "" ? {} : { fix: fixes }) }
}

/** Lines for a terminal: the status and name of each check. A problem is followed by its fix. */
export const resultLines = (results: ReadonlyArray<NamedResult>): ReadonlyArray<string> => {
  const width = Math.max(0, ...results.map(({ name }) => name.length))
  return results.flatMap(({ detail, fix, name, status }) => [
    `${status.padEnd(7)}  ${name.padEnd(width)}  ${detail}`,
    ...(fix === undefined ? [] : [`${" ".repeat(11 + width)}Fix: ${fix}`])
  ])
}

export const hasFailed = (results: ReadonlyArray<NamedResult>): boolean =>
  results.some(({ status }) => status === "failed")

const gibibyte = 1024 ** 3

/** Free space of a file system. The database stops when it is full, so the warning comes early. */
export const judgeDiskSpace = (freeBytes: number, totalBytes: number, folder: string): CheckResult => {
  const share = totalBytes === 0 ? 0 : freeBytes / totalBytes
  const detail = `${(freeBytes / gibibyte).toFixed(1)} GiB (${Math.floor(share * 100)} %) are free at ${folder}.`
  const fix = "Free space, or move DATA_DIR to a larger file system."
  if (freeBytes < gibibyte) return failed(detail, fix)
  return freeBytes < 5 * gibibyte || share < 0.1 ? warning(detail, fix) : passed(detail)
}

/** Compares this machine's clock with the database's. The offset is in milliseconds. */
export const judgeClock = (offsetMillis: number): CheckResult => {
  const seconds = Math.abs(offsetMillis) / 1000
  const detail = `The clock is ${seconds.toFixed(1)} s ${offsetMillis < 0 ? "behind" : "ahead of"} the database's.`
  const fix = "Synchronise both clocks, for example with chrony or systemd-timesyncd."
  if (seconds > 30) return failed(detail, fix)
  return seconds > 2 ? warning(detail, fix) : passed(detail)
}

/** The oldest PostgreSQL that the gateway runs on, as `server_version_num` writes it. */
const oldestVersion = 150_000

export const judgeServerVersion = (versionNumber: number): CheckResult => {
  const version = `${Math.floor(versionNumber / 10_000)}.${versionNumber % 10_000}`
  return versionNumber < oldestVersion
    ? failed(`PostgreSQL ${version} is too old.`, "Use PostgreSQL 15 or newer.")
    : passed(`PostgreSQL ${version} answers.`)
}

/**
 * The number of database sessions that one gateway process opens: two pools of the configured size, the quick pool, the
 * job engine's sessions and the listener.
 */
export const sessionsOfProcess = (poolSize: number): number => 2 * poolSize + 12

/**
 * Checks whether the database allows the sessions of all processes. `others` is the number of sessions that other
 * programs have open.
 */
export const judgeSessions = (needed: number, allowed: number, others: number): CheckResult =>
  needed + others > allowed
    ? warning(
        `Up to ${needed} sessions are used, and the database allows ${allowed}, of which others use ${others}.`,
        "Raise max_connections of the database, or lower DATABASE_POOL_SIZE or WORKERS."
      )
    : passed(`The database allows ${allowed} sessions; up to ${needed} are used.`)
