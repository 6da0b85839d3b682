import { readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { type Processors, quotaIn } from "../../../Services/Core/WorkerProcesses.ts"

/** The files with a container's processor limit, for version 2 of cgroups and for version 1. */
const limitFile = "/sys/fs/cgroup/cpu.max"
const olderFiles = ["/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"]

const textOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

export const readProcessors = (): Processors => ({
  count: availableParallelism(),
  quota: quotaIn(textOf(limitFile)) ?? quotaIn(olderFiles.map((file) => textOf(file).trim()).join(" "))
})
