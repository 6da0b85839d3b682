import { randomBytes } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import pg from "pg"
import { registerLead } from "../peers/ToolStatements.ts"
import type { BenchDatabase } from "./BenchDatabase.ts"
import { percentile } from "./Percentile.ts"

/**
 * Registrations by `pg` alone, next to clients that write to the same disk as much as a flood did. What these suffer is
 * the machine's part in what a call suffers.
 */

/** As many as the gateway has sessions for an account's writes. */
const writers = 4
/** The neighbour of the gateway has as many connections. */
const registrars = 2
const leastPiece = 1024
const mostPiece = 1024 * 1024

export interface Writes {
  readonly bytesPerSecond: number
  readonly commitsPerSecond: number
}

export interface BareTimes {
  readonly p50: number
  readonly p99: number
  readonly longest: number
  /** What the clients next to it reached. */
  readonly bytesPerSecond: number
}

const tableOfBytes = "create table if not exists bare_write (bytes bytea not null)"
/** Random bytes could not be compressed anyway. */
const stored = "alter table bare_write alter column bytes set storage external"

export const readLogPosition = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ readonly bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as bytes"
  )
  return Number(rows[0]?.bytes)
}

/** Each commit is due at its time; a client that is late continues at once. */
const writeUntil = async (pool: pg.Pool, end: number, { bytesPerSecond, commitsPerSecond }: Writes) => {
  const bytesPerCommit = bytesPerSecond / Math.max(1, commitsPerSecond)
  const bytes = randomBytes(Math.round(Math.min(mostPiece, Math.max(leastPiece, bytesPerCommit))))
  const pause = (1000 * bytes.length) / bytesPerSecond
  let due = performance.now()
  let bytesWritten = 0
  const write = async (): Promise<void> => {
    while (due < end) {
      const rest = due - performance.now()
      due += pause
      if (rest > 0) await setTimeout(rest)
      await pool.query({ name: "bare_write", text: "insert into bare_write (bytes) values ($1)", values: [bytes] })
      bytesWritten += bytes.length
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  return bytesWritten
}

export const bareRegistrations = async (
  { client, url }: BenchDatabase,
  { accountId, run, seconds }: { readonly accountId: number; readonly run: string; readonly seconds: number },
  beside?: Writes
): Promise<BareTimes> => {
  await client.query(tableOfBytes)
  await client.query(stored)
  const pools = [registrars, writers].map((max) => new pg.Pool({ connectionString: url, max }))
  const [pool, others] = pools
  if (pool === undefined || others === undefined) throw new Error("There are no pools.")
  try {
    const began = performance.now()
    const end = began + 1000 * seconds
    const times: Array<number> = []
    let count = 0
    const register = async (): Promise<void> => {
      while (performance.now() < end) {
        const started = performance.now()
        const n = count++
        await registerLead(pool, accountId, {
          name: `Bare ${n}`,
          email: `bare.${run}.${n}@novo.example`,
          phone: undefined,
          company: `Company ${n}`,
          status: "Cold",
          campaign: undefined
        })
        times.push(performance.now() - started)
      }
    }
    const [bytesWritten] = await Promise.all([
      beside === undefined ? 0 : writeUntil(others, end, beside),
      ...Array.from({ length: registrars }, register)
    ])
    const sorted = Float64Array.from(times).sort()
    return {
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
      longest: percentile(sorted, 1),
      bytesPerSecond: bytesWritten / seconds
    }
  } finally {
    await Promise.all(pools.map((one) => one.end()))
    await client.query("truncate bare_write")
  }
}
