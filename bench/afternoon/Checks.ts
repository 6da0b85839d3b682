import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import type { PostgresServer } from "../support/PostgresServer.ts"
import type { Acknowledged } from "./AcknowledgedCalls.ts"

export const databaseName = "gateway"

/** Runs statements in one session with a server's database. */
export const withSession = async <A>(
  { host, port }: PostgresServer,
  use: (client: pg.Client) => Promise<A>,
  database: string = databaseName
): Promise<A> => {
  const client = new pg.Client({ host, port, user: "postgres", database })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** As `DATABASE_URL` takes it. */
export const urlOf = ({ host, port }: PostgresServer): string => `postgres://postgres@${host}:${port}/${databaseName}`

/** Acknowledged leads that the server does not have exactly once, with the id that was answered. */
export const lostLeads = (server: PostgresServer, acknowledged: ReadonlyArray<Acknowledged>) =>
  withSession(server, async (client) => {
    const { rows } = await client.query<{ readonly email: string; readonly ids: ReadonlyArray<string> }>(
      "select email, array_agg(lead_id::text) as ids from lead where email is not null group by email"
    )
    const idsOf = new Map(rows.map(({ email, ids }) => [email, ids]))
    return acknowledged.filter(({ email, leadId }) => {
      const ids = idsOf.get(email) ?? []
      return ids.length !== 1 || Number(ids[0]) !== leadId
    })
  })

/** Closes the present segment of the log, and waits until it is archived. */
export const archiveLog = (server: PostgresServer) =>
  withSession(server, async (client) => {
    const { rows } = await client.query<{ readonly segment: string }>(
      "select pg_walfile_name(pg_switch_wal()) as segment"
    )
    const segment = rows[0]?.segment ?? ""
    for (let tries = 0; tries < 300; tries++) {
      const { rows: archived } = await client.query<{ readonly newest: string | null }>(
        "select last_archived_wal as newest from pg_stat_archiver"
      )
      if ((archived[0]?.newest ?? "") >= segment) return
      await pause(200)
    }
    throw new Error(`The segment ${segment} is not archived.`)
  })

/** Whether the log was replayed up to its end, and the server takes writes. */
export const isRecovered = (server: PostgresServer) =>
  withSession(server, async (client) => {
    const { rows } = await client.query<{ readonly replays: boolean }>("select pg_is_in_recovery() as replays")
    return rows[0]?.replays === false
  })
