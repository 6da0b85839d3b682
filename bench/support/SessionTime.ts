import { Effect } from "effect"
import type pg from "pg"
import { processorMicros } from "./ServerProcess.ts"

/** The name that a gateway's sessions have in the database. */
export const applicationName = "prospecting-gateway"

/** Processor time of the database processes that serve the sessions of a name, by process id. */
export const sessionMicros = (client: pg.Client, name: string | undefined) =>
  Effect.promise(async (): Promise<ReadonlyMap<number, number>> => {
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = $1",
      [name]
    )
    return new Map(await Promise.all(rows.map(async ({ pid }) => [pid, await processorMicros(pid)] as const)))
  })

/** Sessions that were opened in between count from their start. Sessions that were closed are not counted. */
export const spentMicros = (before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number =>
  [...after].reduce((sum, [pid, micros]) => sum + micros - (before.get(pid) ?? 0), 0)
