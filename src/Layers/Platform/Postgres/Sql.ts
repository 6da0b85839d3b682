import type { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { Effect, Predicate } from "effect"
import {
  databaseConflictReason,
  databaseUnavailableReason,
  overloadedReason,
  type Refused,
  type Transient,
  transient
} from "../../../Errors.ts"
import { Overloaded } from "../Fairness/FairSemaphore.ts"

const conflictCodes = new Set(["40001", "40P01", "55P03"])
/**
 * SQLSTATEs of an unavailable server: classes 08 (connection) and 53 (resources), 57P0x (shutdown), and 57014
 * (statement cancelled or over its time limit).
 */
const unavailable = /^(?:08|53)|^57P0|^57014$/
const internalError = "XX000"
const systemErrors = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"])

/** The coordinator's message when a node was lost during a statement. It has no specific SQLSTATE. */
const workerLost =
  /server closed the connection|no connection to the server|connection not open|(?:from|to) server: |write to server failed|SSL (?:connection|SYSCALL error)|SSL error: |connections? (?:marked as essential|to the node)/i

/** Messages of `pg` about an unreachable server. These errors have no SQLSTATE. */
const disconnected = /terminated|timeout exceeded|not queryable|Client was closed|Connection ended|Failed to acquire/i

const stringField = (value: unknown, name: string): string | undefined =>
  Predicate.hasProperty(value, name) && typeof value[name] === "string" ? value[name] : undefined

/** Returns the server's SQLSTATE, or the driver's error code if the server did not answer. */
export const codeOf = (cause: unknown): string | undefined => stringField(cause, "code")

const overTime = "57014"
/** True if the statement was ended by its time limit or by its caller. */
export const isOverTime = (cause: unknown): boolean => codeOf(cause) === overTime

/** The error if all sessions are in use and too many calls wait for one. */
export const overloaded = (): Transient =>
  transient(overloadedReason, "More calls came than the platform can answer for the moment.", 2)

/** True if the error means that a server was unavailable. */
export const isUnavailable = (cause: unknown): boolean => {
  const code = codeOf(cause)
  const message = stringField(cause, "message") ?? ""
  return code === undefined
    ? disconnected.test(message)
    : unavailable.test(code) || systemErrors.has(code) || (code === internalError && workerLost.test(message))
}

/**
 * Returns the `Transient` error for a statement that may succeed later; `undefined` if the statement itself is wrong.
 */
export const transientOf = (error: SqlError): Transient | undefined => {
  if (error.cause instanceof Overloaded) return overloaded()
  const code = codeOf(error.cause)
  if (code !== undefined && conflictCodes.has(code)) {
    return transient(databaseConflictReason, "Another change to the same records got in the way.", 1)
  }
  if (isUnavailable(error.cause)) {
    return transient(databaseUnavailableReason, "The database is not available for the moment.")
  }
  return undefined
}

/** The shard number that a cluster appends to a constraint's name. */
const shard = /_\d{6,}$/

/**
 * Returns the constraint that the statement violated, if that is why it failed. A cluster names it only in the message,
 * with a shard number.
 */
export const violatedConstraint = (error: SqlError): string | undefined => {
  if (codeOf(error.cause)?.startsWith("23") !== true) return undefined
  const named = stringField(error.cause, "constraint")
  if (named !== undefined) return named
  return / constraint "([^"]+)"/.exec(stringField(error.cause, "message") ?? "")?.[1]?.replace(shard, "")
}

/**
 * Converts failed statements. A lost race or an unavailable database becomes `Transient`, a constraint listed in
 * `constraints` becomes its refusal, and anything else is a bug and becomes a defect.
 */
export const fromSql =
  <E2 extends Refused = never>(constraints: { readonly [constraint: string]: () => E2 } = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E | SqlError, R>): Effect.Effect<A, Exclude<E, SqlError> | Transient | E2, R> =>
    Effect.catchAll(effect, (error): Effect.Effect<never, Exclude<E, SqlError> | Transient | E2> => {
      if (!(error instanceof SqlError)) return Effect.fail(error as Exclude<E, SqlError>)
      const passing = transientOf(error)
      if (passing !== undefined) return Effect.fail(passing)
      const constraint = violatedConstraint(error)
      const refusal = constraint === undefined ? undefined : constraints[constraint]
      return refusal === undefined ? Effect.die(error) : Effect.fail(refusal())
    })

/** Returns the only row of a statement that always has exactly one. */
export const single = <A>(rows: ReadonlyArray<A>): A => {
  const row = rows[0]
  if (row === undefined) throw new Error("A statement that answers one row answered none.")
  return row
}

/** A parameter for the time that is given in Unix milliseconds. */
export const instantOf = (sql: SqlClient, millis: number) => sql`to_timestamp(${millis / 1000}::float8)`
