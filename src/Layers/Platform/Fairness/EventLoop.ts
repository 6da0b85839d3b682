import { Deferred, Effect } from "effect"
import type { Cooperative } from "../../../Services/Core/Cooperative.ts"

/** Milliseconds of long work in one turn of the event loop. A short call waits no longer than that. */
export const sliceMillis = 4

/** Lets waiting input and timers run between two pieces of long work. A fiber that only yields does not. */
export const yieldToEventLoop: Effect.Effect<void> = Effect.async((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

/** Runs the pieces until they are done, a slice per turn of the event loop. */
const runInSlices = <A>(pieces: Cooperative<A>, now: () => number): Effect.Effect<A> => {
  const slice = (): Effect.Effect<A> => {
    const until = now() + sliceMillis
    do {
      const piece = pieces.next()
      if (piece.done === true) return Effect.succeed(piece.value)
    } while (now() < until)
    return Effect.flatMap(yieldToEventLoop, slice)
  }
  return slice()
}

/**
 * Makes an effect that runs long work in slices and caches its result. The first caller starts the work, and it
 * continues if that caller leaves.
 */
export const cachedCooperative = <A>(
  begin: () => Cooperative<A>,
  now: () => number = () => performance.now()
): Effect.Effect<Effect.Effect<A>> =>
  Effect.map(Deferred.make<A>(), (result) => {
    const work = Effect.suspend(() => runInSlices(begin(), now))
    let isStarted = false
    const start = Effect.suspend(() => {
      if (isStarted) return Effect.void
      isStarted = true
      return Effect.forkDaemon(Effect.intoDeferred(work, result))
    })
    return Effect.zipRight(Effect.uninterruptible(start), Deferred.await(result))
  })
