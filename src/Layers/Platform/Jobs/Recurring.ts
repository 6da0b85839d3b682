import { type ParsedCronItem, parseCronItems } from "graphile-worker"
import type { Task } from "../../../Services/Jobs/Task.ts"
import { poolPriority } from "./PoolPriorities.ts"

/** A task that is queued at intervals, once for all processes. */
export interface Recurring {
  /** A unique name of letters, digits and `_`. */
  readonly name: string
  /** A crontab line's five fields, in UTC: minute, hour, day of the month, month, day of the week. */
  readonly cron: string
  readonly task: string
  readonly priority: number
  readonly maxAttempts: number
  readonly payload: object
}

/** Makes a recurring task; its payload is an object. */
export const recurring = <A extends object>(name: string, cron: string, task: Task<A>, payload: A): Recurring => {
  const stored = task.encode(payload)
  if (typeof stored !== "object" || stored === null) throw new Error(`The payload of ${name} is not an object.`)
  return {
    name,
    cron,
    task: task.name,
    priority: poolPriority[task.pool],
    maxAttempts: task.maxAttempts,
    payload: stored
  }
}

/** Returns the `jobKey` of the recurring task while it waits. */
export const recurringKey = (name: string): string => `recurring:${name}`

/** Only one waiting task of each kind is kept, so that no backlog of them runs after an outage of the database. */
export const cronItems = (schedule: ReadonlyArray<Recurring>): Array<ParsedCronItem> =>
  parseCronItems(
    schedule.map(({ cron, maxAttempts, name, payload, priority, task }) => ({
      identifier: name,
      match: cron,
      task,
      payload: { ...payload },
      options: { backfillPeriod: 0, maxAttempts, priority, jobKey: recurringKey(name), jobKeyMode: "preserve_run_at" }
    }))
  )
