import type { Connection } from "@effect/sql/SqlConnection"
import { Effect } from "effect"
import type pg from "pg"
import { Overloaded, type Tenant } from "../../Fairness/FairSemaphore.ts"
import { isOverTime, transientOf } from "../Sql.ts"
import type { ConnectionOptions } from "./Pool.ts"

/** A read replica, for answers that may be some seconds old. */
export interface ReplicaLocation {
  readonly connection: ConnectionOptions
  /** The maximum age of an answer from the replica. */
  readonly longestLagSeconds: number
}

/** The primary's log position at a time. */
interface Mark {
  readonly at: number
  readonly position: bigint
}

/** `16/B374D848`: the upper and the lower half of a log position, in hexadecimal. */
const positionOf = (text: string | null | undefined): bigint | undefined => {
  if (text === null || text === undefined) return undefined
  const [upper = "0", lower = "0"] = text.split("/")
  return (BigInt(`0x${upper}`) << 32n) + BigInt(`0x${lower}`)
}

/** Reads a server's log position. */
type Place = () => Promise<string | null | undefined>

const placeOf =
  (pool: pg.Pool, place: string): Place =>
  () =>
    pool.query<{ readonly place: string | null }>(`select ${place} as place`).then(({ rows }) => rows[0]?.place)

/** Makes the check of whether the replica may answer instead of the primary. */
export const replicaOf = (primary: pg.Pool, replica: pg.Pool, longestLagSeconds: number): Replica =>
  new Replica(
    placeOf(primary, "pg_current_wal_flush_lsn()::text"),
    // A server that is not in recovery does not follow the primary.
    placeOf(replica, "case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end"),
    longestLagSeconds
  )

/**
 * The interval of checks in milliseconds. A read starts the next check after it. Without reads, there are no checks.
 */
const millisBetweenLooks = 500
/**
 * The most tenants whose last write is remembered. Beyond this number, only writes that the replica may lack are
 * remembered.
 */
const mostParties = 10_000

/**
 * Decides whether the replica may answer. It compares the replica's replayed position with the primary's positions at
 * earlier times. So neither the replica's clock, a period without writes, nor a replica that stopped following can
 * mislead it.
 */
export class Replica {
  readonly #stands: Place
  readonly #hasCome: Place
  readonly #longestLag: number
  readonly #wroteAt = new Map<Tenant, number>()
  #marks: Array<Mark> = []
  /** The time up to which the replica has every commit. */
  #freshAt = Number.NEGATIVE_INFINITY
  #lookedAt = Number.NEGATIVE_INFINITY
  #isLooking = false

  constructor(stands: Place, hasCome: Place, longestLagSeconds: number) {
    this.#stands = stands
    this.#hasCome = hasCome
    this.#longestLag = longestLagSeconds * 1000
  }

  /** True if the replica may answer `party` at `at`. A tenant that has just written gets to see its own writes. */
  mayAnswer(party: Tenant, at: number): boolean {
    if (!this.#isLooking && Math.abs(at - this.#lookedAt) >= millisBetweenLooks) void this.look(at)
    return at - this.#freshAt <= this.#longestLag && at - (this.#wroteAt.get(party) ?? 0) > this.#longestLag
  }

  /** Records that `party` committed something at `at`. */
  wrote(party: Tenant, at: number): void {
    this.#wroteAt.delete(party)
    this.#wroteAt.set(party, at)
    for (const [other, wroteAt] of this.#wroteAt) {
      if (this.#wroteAt.size <= mostParties || at - wroteAt <= this.#longestLag) break
      this.#wroteAt.delete(other)
    }
  }

  /** Records that the replica did not answer. It is used again once a check finds it up to date. */
  failed(): void {
    this.#freshAt = Number.NEGATIVE_INFINITY
    this.#marks = []
  }

  /** Compares the positions of the primary and the replica. */
  async look(at: number): Promise<void> {
    this.#isLooking = true
    this.#lookedAt = at
    try {
      const stands = positionOf(await this.#stands())
      this.#marks = this.#marks.filter((mark) => at - mark.at <= this.#longestLag)
      if (stands !== undefined) this.#marks.push({ at, position: stands })
      const replayed = positionOf(await this.#hasCome())
      if (replayed === undefined) return this.failed()
      for (const { at: then, position } of this.#marks) {
        if (position <= replayed) this.#freshAt = Math.max(this.#freshAt, then)
      }
      this.#marks = this.#marks.filter(({ position }) => position > replayed)
    } catch {
      this.failed()
    } finally {
      this.#isLooking = false
    }
  }
}

/** Uses the replica. If it fails or its replay cancels the statement, the primary runs it. */
export const replicaConnection = (replica: Connection, primary: Connection, state: Replica): Connection => ({
  ...primary,
  execute: (text, values, transform) =>
    Effect.catchAll(replica.execute(text, values, transform), (error) => {
      // A statement that took too long on the replica would take as long on the primary.
      if (error.cause instanceof Overloaded || isOverTime(error.cause) || transientOf(error) === undefined) {
        return Effect.fail(error)
      }
      return Effect.zipRight(
        Effect.sync(() => state.failed()),
        primary.execute(text, values, transform)
      )
    })
})
