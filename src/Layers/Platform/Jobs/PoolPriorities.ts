import type { WorkerPool } from "../../../Services/Jobs/Task.ts"

/**
 * What is added to a task's priority by its pool. Tasks of different pools never compete, but the look for due tasks
 * counts only some of each priority: those that few hands wait for are not hidden behind a crowd of the others.
 */
export const poolPriority: { readonly [pool in WorkerPool]: number } = {
  quick: 0,
  urgent: -1_000,
  serial: -10_000,
  long: -20_000,
  render: -30_000
}
