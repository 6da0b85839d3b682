import { Clock, Context, Effect, Layer, Schema } from "effect"
import { fromMillis, Timestamp } from "./Timestamp.ts"

/** How a connection to the outside fares, as this process has seen it. */
export const ConnectionHealth = Schema.Struct({
  status: Schema.Literal("untried", "up", "down"),
  since: Schema.NullOr(Timestamp).annotations({ description: "Since when it is so; null while it is untried." }),
  reason: Schema.NullOr(Schema.String).annotations({ description: "A code for what fails; null unless it is down." }),
  last_success_at: Schema.NullOr(Timestamp)
})
export type ConnectionHealth = typeof ConnectionHealth.Type

/** By the connection's name, such as `mail.smtp`. */
export interface ConnectionStates {
  readonly [connection: string]: ConnectionHealth
}

/** What the user of one connection tells of it. */
export interface ConnectionWatch {
  readonly worked: Effect.Effect<void>
  /** `reason` is a code, never a message of the other side's. */
  readonly failed: (reason: string) => Effect.Effect<void>
}

interface Seen {
  status: ConnectionHealth["status"]
  since: number | undefined
  reason: string | undefined
  workedAt: number | undefined
}

const nobodyAsks: ConnectionWatch = { worked: Effect.void, failed: () => Effect.void }

/**
 * The connections to outside services that this process holds or makes: each is down from its first failure to its next
 * success. Without a layer nothing is kept.
 */
export class OutsideHealth extends Context.Reference<OutsideHealth>()("OutsideHealth", {
  defaultValue: (): {
    /** Makes the connection known, untried so far. */
    readonly watch: (connection: string) => Effect.Effect<ConnectionWatch>
    readonly states: Effect.Effect<ConnectionStates>
  } => ({ watch: () => Effect.succeed(nobodyAsks), states: Effect.succeed({}) })
}) {}

const shown = ({ reason, since, status, workedAt }: Seen): ConnectionHealth => ({
  status,
  since: since === undefined ? null : fromMillis(since),
  reason: reason ?? null,
  last_success_at: workedAt === undefined ? null : fromMillis(workedAt)
})

const make = Effect.sync(() => {
  const connections = new Map<string, Seen>()

  return {
    watch: (connection: string) =>
      Effect.sync((): ConnectionWatch => {
        const seen = connections.get(connection) ?? {
          status: "untried",
          since: undefined,
          reason: undefined,
          workedAt: undefined
        }
        connections.set(connection, seen)
        const note = (status: "up" | "down", reason: string | undefined) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            if (seen.status !== status) seen.since = now
            if (status === "up") seen.workedAt = now
            seen.status = status
            seen.reason = reason
          })
        return { worked: note("up", undefined), failed: (reason) => note("down", reason) }
      }),

    states: Effect.sync(() =>
      Object.fromEntries(
        [...connections].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, seen]) => [name, shown(seen)])
      )
    )
  }
})

/** Kept in the process's memory: another process has connections of its own. */
export const OutsideHealthLive = Layer.effect(OutsideHealth, make)
