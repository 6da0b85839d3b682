import { type PostgresServer, postgresServers } from "../support/PostgresServer.ts"

const settings = (shards: number) => `
shared_preload_libraries = 'citus,pg_stat_statements'
shared_buffers = '64MB'
fsync = off
synchronous_commit = off
full_page_writes = off
max_connections = 300
max_prepared_transactions = 300
max_locks_per_transaction = 256
wal_level = logical
citus.shard_count = ${shards}
citus.max_cached_conns_per_worker = 2
citus.stat_statements_track = 'all'
pg_stat_statements.max = 20000
`

/**
 * Starts a coordinator and workers on ports from `firstPort`, with additional settings `more`. `bin` has the programs
 * of a Postgres with the extensions citus and pg_stat_statements. Returns the nodes, the coordinator first, and a
 * function that stops them.
 */
export const startCluster = (bin: string, workers: number, firstPort: number, shards = 4, more = "") => {
  const servers = postgresServers(bin)
  try {
    const nodes = Array.from(
      { length: workers + 1 },
      (_, number): PostgresServer => servers.start(`node${number}`, firstPort + number, `${settings(shards)}${more}`)
    )
    return { nodes, stop: servers.stop }
  } catch (error) {
    servers.stop()
    throw error
  }
}
