import type { Connection } from "@effect/sql/SqlConnection"
import { Effect } from "effect"
import type pg from "pg"
import { Overloaded, type Tenant } from "../../Fairness/FairSemaphore.ts"
import { isOverTime, transientOf } from "../Sql.ts"
import type { ConnectionOptions } from "./Pool.ts"

/** A server that follows the database, for what may be some seconds old. */
export interface ReplicaLocation {
  readonly connection: ConnectionOptions
  /** How old an answer of it may be. */
  readonly longestLagSeconds: number
}

/** Where the primary had written to at an instant. */
interface Mark {
  readonly at: number
  readonly position: bigint
}

/** `16/B374D848`: the upper and the lower half of a place in the log, in hexadecimal. */
const positionOf = (text: string | null | undefined): bigint | undefined => {
  if (text === null || text === undefined) return undefined
  const [upper = "0", lower = "0"] = text.split("/")
  return (BigInt(`0x${upper}`) << 32n) + BigInt(`0x${lower}`)
}

/** Asks a server for a place in the log. */
type Place = () => Promise<string | null | undefined>

const placeOf =
  (pool: pg.Pool, place: string): Place =>
  () =>
    pool.query<{ readonly place: string | null }>(`select ${place} as place`).then(({ rows }) => rows[0]?.place)

/** Whether the server of the second pool may answer instead of that of the first. */
export const replicaOf = (primary: pg.Pool, replica: pg.Pool, longestLagSeconds: number): Replica =>
  new Replica(
    placeOf(primary, "pg_current_wal_flush_lsn()::text"),
    // A server that is a primary now, or always was, follows none.
    placeOf(replica, "case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end"),
    longestLagSeconds
  )

/** So long after the last look the next read looks again. Nobody looks while nobody reads. */
const millisBetweenLooks = 500
/** More than these are remembered only while their writes may be unseen. */
const mostParties = 10_000

/**
 * Whether a replica may answer. What it has replayed is held against where the primary stood at known instants, so that it
 * tells nothing of its own clock, of a quiet hour or of a server that follows no longer.
 */
export class Replica {
  readonly #stands: Place
  readonly #hasCome: Place
  readonly #longestLag: number
  readonly #wroteAt = new Map<Tenant, number>()
  #marks: Array<Mark> = []
  /** The replica has all that was committed until then. */
  #freshAt = Number.NEGATIVE_INFINITY
  #lookedAt = Number.NEGATIVE_INFINITY
  #isLooking = false

  constructor(stands: Place, hasCome: Place, longestLagSeconds: number) {
    this.#stands = stands
    this.#hasCome = hasCome
    this.#longestLag = longestLagSeconds * 1000
  }

  /** Whether it may answer `party` at `at`: who has just written here gets to see it. */
  mayAnswer(party: Tenant, at: number): boolean {
    if (!this.#isLooking && Math.abs(at - this.#lookedAt) >= millisBetweenLooks) void this.look(at)
    return at - this.#freshAt <= this.#longestLag && at - (this.#wroteAt.get(party) ?? 0) > this.#longestLag
  }

  /** `party` has committed something at `at`. */
  wrote(party: Tenant, at: number): void {
    this.#wroteAt.delete(party)
    this.#wroteAt.set(party, at)
    for (const [other, wroteAt] of this.#wroteAt) {
      if (this.#wroteAt.size <= mostParties || at - wroteAt <= this.#longestLag) break
      this.#wroteAt.delete(other)
    }
  }

  /** It did not answer: not asked again before it was seen well. */
  failed(): void {
    this.#freshAt = Number.NEGATIVE_INFINITY
    this.#marks = []
  }

  /** Asks the primary where it stands, and the replica how far it has come. */
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

/** Asks the replica; what it cannot answer, since it is gone or its replay was in the way, the primary is asked. */
export const replicaConnection = (replica: Connection, primary: Connection, state: Replica): Connection => ({
  ...primary,
  execute: (text, values, transform) =>
    Effect.catchAll(replica.execute(text, values, transform), (error) => {
      // What took too long would take as long on the primary.
      if (error.cause instanceof Overloaded || isOverTime(error.cause) || transientOf(error) === undefined) {
        return Effect.fail(error)
      }
      return Effect.zipRight(
        Effect.sync(() => state.failed()),
        primary.execute(text, values, transform)
      )
    })
})
