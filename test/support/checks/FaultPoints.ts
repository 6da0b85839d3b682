import { Effect, Layer } from "effect"
import type pg from "pg"
import { DatabasePools } from "../../../src/Layers/Platform/Postgres/Database.ts"
import { UnitOfWork } from "../../../src/Services/Core/Calls/UnitOfWork.ts"
import { TaskQueue } from "../../../src/Services/Jobs/TaskQueue.ts"
import { TouchLedger } from "../../../src/Services/Outreach/TouchLedger.ts"
import { composeTouch } from "../../../src/Services/Outreach/TouchTasks.ts"
import { Writer } from "../../../src/Services/Writing/Writer.ts"

/** Points at which a process can be made to die. */
export const faultPoints = [
  /** Around a provider's call, if its transport is wrapped in `around`. */
  "before_call",
  "after_call",
  /** Between any two transactions. */
  "before_transaction",
  "before_commit",
  "after_commit",
  /** Leads are claimed and their tasks queued, but not committed. */
  "in_claim",
  /** A claimed touch is about to be written. */
  "before_writing",
  /** A message is queued with its task, but not committed. */
  "in_intent",
  /** A message's outcome is stored, but not committed. */
  "in_record"
] as const
export type FaultPoint = (typeof faultPoints)[number]

/** The points of work that asks a provider and stores the result. */
export const providerFaultPoints = [
  "before_call",
  "after_call",
  "before_transaction",
  "before_commit",
  "after_commit"
] as const satisfies ReadonlyArray<FaultPoint>

/** The process dies when it reaches the point for the nth time. */
export interface Fault {
  readonly point: FaultPoint
  readonly nth: number
}

/** Wraps the services whose calls are the points. Each layer belongs directly above the one that it wraps. */
export const faultLayers = (fault: Fault | undefined) => {
  let times = 0
  const at = (point: FaultPoint): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (point !== fault?.point || ++times !== fault.nth) return Effect.void
      process.kill(process.pid, "SIGKILL")
      return Effect.never
    })

  return {
    around: <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      at("before_call").pipe(Effect.zipRight(call), Effect.zipLeft(at("after_call"))),
    unit: Layer.effect(
      UnitOfWork,
      Effect.map(UnitOfWork, (unit) => ({
        ...unit,
        write: (effect) =>
          at("before_transaction").pipe(
            Effect.zipRight(unit.write(Effect.zipLeft(effect, at("before_commit")))),
            Effect.zipLeft(at("after_commit"))
          )
      }))
    ),
    queue: Layer.effect(
      TaskQueue,
      Effect.map(TaskQueue, (queue) => ({
        ...queue,
        enqueue: (task, payload, options) => Effect.zipLeft(queue.enqueue(task, payload, options), at("in_intent")),
        enqueueMany: (task, items, options) =>
          Effect.zipLeft(
            queue.enqueueMany(task, items, options),
            task.name === composeTouch.name
              ? Effect.forEach(items.slice(0, 1), () => at("in_claim"), { discard: true })
              : Effect.forEach(items, () => at("in_intent"), { discard: true })
          )
      }))
    ),
    writer: Layer.effect(
      Writer,
      Effect.map(Writer, ({ write }) => ({ write: (brief) => Effect.zipRight(at("before_writing"), write(brief)) }))
    ),
    ledger: Layer.effect(
      TouchLedger,
      Effect.map(TouchLedger, (ledger) => ({
        ...ledger,
        settle: (touches) =>
          Effect.zipLeft(
            ledger.settle(touches),
            Effect.forEach(touches, () => at("in_record"), { discard: true })
          ),
        sent: (messages) =>
          Effect.zipLeft(
            ledger.sent(messages),
            Effect.forEach(messages, () => at("in_record"), { discard: true })
          )
      }))
    )
  }
}

/**
 * The process dies when the nth statement was passed to the driver, and may or may not have reached the server.
 * Undefined means never.
 */
export const dyingAtStatement = (nth: number | undefined) =>
  Layer.effect(
    DatabasePools,
    Effect.map(DatabasePools, (pools) => {
      let statements = 0
      pools.write.on("acquire", (client: pg.PoolClient) => {
        const query = client.query.bind(client)
        client.query = (...args: ReadonlyArray<unknown>) => {
          if (++statements === nth) setImmediate(() => process.kill(process.pid, "SIGKILL"))
          return Reflect.apply(query, client, args) as never
        }
      })
      return pools
    })
  )
