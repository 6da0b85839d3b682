import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Effect } from "effect"

const periodMicros = 100_000

/** Where this machine lets a process's time be limited: the second version of cgroups, or the controller of the first. */
const rootOf = async (): Promise<{ readonly root: string; readonly version: 1 | 2 } | undefined> => {
  const isThere = (file: string) =>
    fs.access(file, fs.constants.W_OK).then(
      () => true,
      () => false
    )
  if (await isThere("/sys/fs/cgroup/cgroup.subtree_control")) return { root: "/sys/fs/cgroup", version: 2 }
  return (await isThere("/sys/fs/cgroup/cpu/cgroup.procs")) ? { root: "/sys/fs/cgroup/cpu", version: 1 } : undefined
}

/**
 * Limits a process to a share of one processor while the scope is open. Returns false where the machine does not allow it,
 * for example without being its superuser.
 */
export const limitProcessor = (pid: number, share: number) =>
  Effect.gen(function* () {
    const place = yield* Effect.promise(rootOf)
    if (place === undefined) return false
    const folder = path.join(place.root, `gateway-bench-${pid}`)
    yield* Effect.addFinalizer(() => Effect.promise(() => fs.rmdir(folder).catch(() => undefined)))
    return yield* Effect.promise(async () => {
      try {
        await fs.mkdir(folder)
        const quota = Math.round(share * periodMicros)
        if (place.version === 2) await fs.writeFile(path.join(folder, "cpu.max"), `${quota} ${periodMicros}`)
        else {
          await fs.writeFile(path.join(folder, "cpu.cfs_period_us"), String(periodMicros))
          await fs.writeFile(path.join(folder, "cpu.cfs_quota_us"), String(quota))
        }
        await fs.writeFile(path.join(folder, "cgroup.procs"), String(pid))
        return true
      } catch {
        return false
      }
    })
  })
