import type { WorkerPool } from "../../../Services/Jobs/Task.ts"

/**
 * The offset that is added to a task's priority, by its pool. The query for due tasks counts a limited number per
 * priority. Without the offset, many tasks of one pool could hide those of another.
 */
export const poolPriority: { readonly [pool in WorkerPool]: number } = {
  quick: 0,
  urgent: -1_000,
  serial: -10_000,
  long: -20_000,
  render: -30_000
}
