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
/** Classes 08 connection, 53 resources, 57P0x shutdown; 57014 is a statement over its time limit. */
const unavailable = /^(?:08|53)|^57P0|^57014$/
const internalError = "XX000"
const systemErrors = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"])

/** The coordinator's message for a worker that was lost during a statement. There is no separate SQLSTATE for it. */
const workerLost =
  /server closed the connection|no connection to the server|connection not open|(?:from|to) server: |write to server failed|SSL (?:connection|SYSCALL error)|SSL error: |connections? (?:marked as essential|to the node)/i

/** What an unreachable server looks like when no SQLSTATE came of it: these texts are `pg`'s own. */
const disconnected = /terminated|timeout exceeded|not queryable|Client was closed|Connection ended|Failed to acquire/i

const stringField = (value: unknown, name: string): string | undefined =>
  Predicate.hasProperty(value, name) && typeof value[name] === "string" ? value[name] : undefined

/** The SQLSTATE of what the server said, or the driver's own word for why it has no answer. */
export const codeOf = (cause: unknown): string | undefined => stringField(cause, "code")

const overTime = "57014"
/** Its own time limit, or its caller, ended the statement. */
export const isOverTime = (cause: unknown): boolean => codeOf(cause) === overTime

/** Others use the sessions, and too many wait. */
export const overloaded = (): Transient =>
  transient(overloadedReason, "More calls came than the platform can answer for the moment.", 2)

/** Whether what the driver or the server says of a statement is that a server was not to be had. */
export const isUnavailable = (cause: unknown): boolean => {
  const code = codeOf(cause)
  const message = stringField(cause, "message") ?? ""
  return code === undefined
    ? disconnected.test(message)
    : unavailable.test(code) || systemErrors.has(code) || (code === internalError && workerLost.test(message))
}

/** The `Transient` for a statement that may succeed later; `undefined` if the statement itself is at fault. */
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

/** The shard that a cluster puts after the name of a constraint. */
const shard = /_\d{6,}$/

/**
 * The name of the constraint that a statement ran against, if that is why it failed. A cluster only names it in the message, as
 * that of the shard.
 */
export const violatedConstraint = (error: SqlError): string | undefined => {
  if (codeOf(error.cause)?.startsWith("23") !== true) return undefined
  const named = stringField(error.cause, "constraint")
  if (named !== undefined) return named
  return / constraint "([^"]+)"/.exec(stringField(error.cause, "message") ?? "")?.[1]?.replace(shard, "")
}

/**
 * What failed statements become: a lost race or an unreachable database is `Transient`; a constraint named in
 * `constraints` is the refusal given there; anything else is a bug, and dies.
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

/** The only row of a statement that answers exactly one. */
export const single = <A>(rows: ReadonlyArray<A>): A => {
  const row = rows[0]
  if (row === undefined) throw new Error("A statement that answers one row answered none.")
  return row
}
