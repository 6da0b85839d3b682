import pg from "pg"

const { builtins } = pg.types

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}Z`],
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.DATE, (text) => text]
])

/** As many sessions as both of the gateway's pools together, with the same time limits. */
export const makePeerPool = (applicationName: string): pg.Pool =>
  new pg.Pool({
    connectionString: process.env["DATABASE_URL"],
    max: Number(process.env["PEER_POOL_SIZE"] ?? 20),
    application_name: applicationName,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    options: "-c timezone=UTC -c statement_timeout=30s -c lock_timeout=10s -c idle_in_transaction_session_timeout=60s",
    types: {
      getTypeParser: (oid, format) =>
        parsers.get(oid) ?? (pg.types.getTypeParser(oid, format) as (text: string) => unknown)
    }
  })
