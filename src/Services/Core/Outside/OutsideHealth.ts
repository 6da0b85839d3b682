import { Clock, Context, Effect, Layer, Schema } from "effect"
import { fromMillis, Timestamp } from "../Timestamp.ts"

/** The health of an external connection, as seen by this process. */
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

/** Reports on one connection. */
export interface ConnectionWatch {
  readonly worked: Effect.Effect<void>
  /** `reason` is a code, never a message from the other side. */
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
 * The health of this process's external connections. A connection is down from its first failure until its next
 * success. Without a layer, nothing is recorded.
 */
export class OutsideHealth extends Context.Reference<OutsideHealth>()("OutsideHealth", {
  defaultValue: (): {
    /** Registers the connection as untried. */
    readonly watch: (connection: string) => Effect.Effect<ConnectionWatch>
    readonly states: Effect.Effect<ConnectionStates>
  } => ({ watch: () => Effect.succeed(nobodyAsks), states: Effect.succeed({}) })
}) {}

const healthOf = ({ reason, since, status, workedAt }: Seen): ConnectionHealth => ({
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
        const state = connections.get(connection) ?? {
          status: "untried",
          since: undefined,
          reason: undefined,
          workedAt: undefined
        }
        connections.set(connection, state)
        const note = (status: "up" | "down", reason: string | undefined) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            if (state.status !== status) state.since = now
            if (status === "up") state.workedAt = now
            state.status = status
            state.reason = reason
          })
        return { worked: note("up", undefined), failed: (reason) => note("down", reason) }
      }),

    states: Effect.sync(() =>
      Object.fromEntries(
        [...connections]
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, state]) => [name, healthOf(state)])
      )
    )
  }
})

/** Stored in memory, because each process has separate connections. */
export const OutsideHealthLive = Layer.effect(OutsideHealth, make)
