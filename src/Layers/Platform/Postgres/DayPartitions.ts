import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Clock, Effect, Schedule } from "effect"
import { fromMillis } from "../../../Services/Core/Timestamp.ts"

const day = 24 * 3_600_000

/** The first millisecond of the day, UTC. */
export const startOfDay = (millis: number): number => Math.floor(millis / day) * day

/**
 * The partitions of a table that has one per day. They are made ahead of their day, and dropped as a whole when they
 * are too old.
 */
export interface DayPartitions {
  /** Makes the partition of the day, if this process does not know that it exists. */
  readonly make: (millis: number) => Effect.Effect<void, SqlError>
  /** Forgets which partitions exist, because one of them may have been dropped. */
  readonly forget: () => void
  /**
   * Makes the partitions of today and the next two days, and drops those that ended `days` ago. `beforeDrop` runs in
   * the transaction that drops a partition. Returns the names of the dropped ones.
   */
  readonly keep: (
    days: number,
    beforeDrop?: (partition: string) => Effect.Effect<void, SqlError>
  ) => Effect.Effect<ReadonlyArray<string>, SqlError>
}

export const makeDayPartitions = (sql: SqlClient, table: string): DayPartitions => {
  /** The first milliseconds of the days whose partitions exist. */
  const knownDays = new Set<number>()
  const nameOf = (millis: number): string =>
    `${table}_${fromMillis(startOfDay(millis)).slice(0, 10).replaceAll("-", "")}`

  /** If several gateways make a partition at the same time, one succeeds and the others find it. */
  const make = (millis: number) =>
    Effect.suspend(() => {
      const start = startOfDay(millis)
      if (knownDays.has(start)) return Effect.void
      const name = nameOf(millis)
      const create = sql.unsafe(
        `create table if not exists ${name} partition of ${table}
         for values from ('${fromMillis(start)}') to ('${fromMillis(start + day)}')`
      )
      // Even if it exists, creating it would lock tables that others write, on every node of a cluster.
      return sql<{ readonly exists: boolean }>`select to_regclass(${name}) is not null as exists`.pipe(
        Effect.flatMap(([row]) => (row?.exists === true ? Effect.void : Effect.asVoid(create))),
        Effect.retry({ times: 5, schedule: Schedule.exponential("20 millis") }),
        Effect.tap(() => Effect.sync(() => knownDays.add(start))),
        Effect.asVoid
      )
    })

  return {
    make,
    forget: () => knownDays.clear(),
    keep: (days, beforeDrop) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        knownDays.clear()
        for (const ahead of [0, 1, 2]) yield* make(now + ahead * day)
        const oldest = nameOf(now - days * day)
        const old = yield* sql<{ readonly name: string }>`
          select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = ${table}::regclass and c.relname < ${oldest} order by 1`
        for (const { name } of old) {
          const drop = sql`drop table if exists ${sql(name)}`
          yield* beforeDrop === undefined ? drop : sql.withTransaction(Effect.zipRight(beforeDrop(name), drop))
        }
        return old.map(({ name }) => name)
      })
  }
}
