import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

/** A node of a cluster on this machine. */
export interface ClusterNode {
  readonly host: string
  readonly port: number
}

const settings = (directory: string, port: number) => `
shared_preload_libraries = 'citus,pg_stat_statements'
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = '${directory}'
fsync = off
synchronous_commit = off
full_page_writes = off
max_connections = 300
max_prepared_transactions = 300
max_locks_per_transaction = 256
wal_level = logical
citus.shard_count = 4
citus.max_cached_conns_per_worker = 2
citus.stat_statements_track = 'all'
pg_stat_statements.max = 20000
`

/**
 * Starts a coordinator and workers out of `bin`, the programs of a Postgres that has the extensions citus and
 * pg_stat_statements, on ports from `firstPort`. Answers the nodes, the coordinator first, and what stops them.
 */
export const startCluster = (bin: string, workers: number, firstPort: number) => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "gateway-citus-"))
  // Postgres refuses to run as root.
  const asUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  if (process.getuid?.() === 0) fs.chownSync(directory, 65534, 65534)
  const run = (program: string, ...args: ReadonlyArray<string>) => {
    const done = spawnSync(path.join(bin, program), [...args], {
      ...asUser,
      cwd: directory,
      // The nodes look for certificates in the home directory, which is the user's own.
      env: { ...process.env, HOME: directory },
      stdio: ["ignore", "ignore", "pipe"]
    })
    if (done.status !== 0) throw new Error(`${program}: ${done.stderr.toString()}`)
  }
  const started: Array<string> = []
  const stop = () => {
    for (const data of started) {
      try {
        run("pg_ctl", "-D", data, "-m", "immediate", "stop")
      } catch {
        // It was stopped by a test, or never came up.
      }
    }
    fs.rmSync(directory, { recursive: true, force: true })
  }
  try {
    const nodes = Array.from({ length: workers + 1 }, (_, number): ClusterNode => {
      const data = path.join(directory, `node${number}`)
      const port = firstPort + number
      run("initdb", "-D", data, "-A", "trust", "-U", "postgres")
      fs.appendFileSync(path.join(data, "postgresql.conf"), settings(directory, port))
      run("pg_ctl", "-D", data, "-l", path.join(directory, `node${number}.log`), "-w", "start")
      started.push(data)
      return { host: "127.0.0.1", port }
    })
    return { nodes, stop }
  } catch (error) {
    stop()
    throw error
  }
}
