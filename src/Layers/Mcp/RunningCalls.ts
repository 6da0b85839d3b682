import { Array, Clock, Effect, type Scope } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import { CancelledCalls } from "../../Services/Mcp/CancelledCalls.ts"

/** Running calls, which clients of older revisions can cancel by the id that they chose. */
export interface RunningCalls {
  readonly began: (call: string, accountId: AccountId, interrupt: () => void) => void
  readonly ended: (call: string) => void
  /** Cancels the call in this process or another one. */
  readonly cancel: (call: string) => Effect.Effect<void, Transient, Caller>
}

interface Running {
  readonly accountId: AccountId
  readonly since: number
  readonly interrupt: () => void
  /** True if a check has already seen the call. Calls that end within a moment are never looked up. */
  isOld: boolean
}

const lookEvery = "1 second"

/**
 * The running calls of this process. A loop checks every second whether another process received the cancellation of a
 * long one. Without long calls, it queries nothing.
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
                const runningCall = running.get(call)
                // The client may have used the id for an earlier call too.
                if (runningCall !== undefined && at >= runningCall.since) runningCall.interrupt()
              }
            }
          ),
        { discard: true }
      )
    })
    // The database is unavailable. The next check finds the cancellation.
    const turn = Effect.catchAll(look, () => Effect.void)
    yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Effect.sleep(lookEvery), turn)))

    return {
      began: (call, accountId, interrupt) =>
        running.set(call, { accountId, since: clock.unsafeCurrentTimeMillis(), interrupt, isOld: false }),
      ended: (call) => running.delete(call),
      cancel: (call) =>
        Effect.suspend(() => {
          const runningCall = running.get(call)
          if (runningCall === undefined)
            return Effect.flatMap(Clock.currentTimeMillis, (now) => cancelled.note(call, now))
          runningCall.interrupt()
          return Effect.void
        })
    }
  }
)
