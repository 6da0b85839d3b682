import { Array, Clock, Effect, type Scope } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { Caller } from "../../Services/Core/Caller.ts"
import { CancelledCalls } from "../../Services/Mcp/CancelledCalls.ts"

/** Calls that clients of older revisions may take back by the id that they gave them. */
export interface RunningCalls {
  readonly began: (call: string, accountId: AccountId, interrupt: () => void) => void
  readonly ended: (call: string) => void
  /** Ends the call where it runs: here, or in the process that has it. */
  readonly cancel: (call: string) => Effect.Effect<void, Transient, Caller>
}

interface Running {
  readonly accountId: AccountId
  readonly since: number
  readonly interrupt: () => void
  /** Whether a look has met it: calls that are over within a moment are never looked up. */
  isOld: boolean
}

const lookEvery = "1 second"

/**
 * The calls of this process, and one loop that looks each second whether one of those that take long was taken back
 * elsewhere. Nothing is looked up while none takes long.
 */
export const makeRunningCalls: Effect.Effect<RunningCalls, never, CancelledCalls | Scope.Scope> = Effect.gen(
  function* () {
    const cancelled = yield* CancelledCalls
    const clock = yield* Effect.clock
    const running = new Map<string, Running>()

    const look = Effect.suspend(() => {
      const old = [...running].filter(([, { isOld }]) => isOld)
      for (const one of running.values()) one.isOld = true
      const byAccount = Array.groupBy(old, ([, { accountId }]) => String(accountId))
      return Effect.forEach(
        Object.values(byAccount),
        (calls) =>
          Effect.map(
            cancelled.noted(
              calls[0][1].accountId,
              calls.map(([call]) => call)
            ),
            (noted) => {
              for (const { at, call } of noted) {
                const found = running.get(call)
                // An id may have been given to an earlier call, too.
                if (found !== undefined && at >= found.since) found.interrupt()
              }
            }
          ),
        { discard: true }
      )
    })
    // The database is away: the next look finds the note as well.
    const turn = Effect.catchAll(look, () => Effect.void)
    yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Effect.sleep(lookEvery), turn)))

    return {
      began: (call, accountId, interrupt) =>
        running.set(call, { accountId, since: clock.unsafeCurrentTimeMillis(), interrupt, isOld: false }),
      ended: (call) => running.delete(call),
      cancel: (call) =>
        Effect.suspend(() => {
          const found = running.get(call)
          if (found === undefined) return Effect.flatMap(Clock.currentTimeMillis, (now) => cancelled.note(call, now))
          found.interrupt()
          return Effect.void
        })
    }
  }
)
