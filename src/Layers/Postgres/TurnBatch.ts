import { Cause, Effect, Exit, FiberRef, Runtime } from "effect"

interface Waiting<K, V, E> {
  readonly key: K
  readonly resume: (effect: Effect.Effect<V, E>) => void
}

/**
 * Answers single look-ups together: those asked for in one turn of the event loop become one `run`, whose answers are
 * in the order of its keys. A traced look-up runs alone, so that its statement stands under the span that asked.
 */
export const makeTurnBatch = <K, V, E, R>(options: {
  readonly run: (keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyArray<V>, E, R>
  readonly maximumKeys: number
}): Effect.Effect<(key: K) => Effect.Effect<V, E>, never, R> =>
  Effect.map(Effect.runtime<R>(), (runtime) => {
    const runFork = Runtime.runCallback(runtime)
    let waiting: Array<Waiting<K, V, E>> = []

    const answer = (batch: ReadonlyArray<Waiting<K, V, E>>, exit: Exit.Exit<ReadonlyArray<V>, E>) => {
      batch.forEach(({ resume }, index) => {
        if (Exit.isFailure(exit)) return resume(Effect.failCause(exit.cause))
        const value = exit.value[index]
        resume(
          value === undefined
            ? Effect.failCause(Cause.die(new Error("A look-up of a batch has no answer.")))
            : Effect.succeed(value)
        )
      })
    }

    const flush = () => {
      const all = waiting
      waiting = []
      for (let from = 0; from < all.length; from += options.maximumKeys) {
        const batch = all.slice(from, from + options.maximumKeys)
        runFork(options.run(batch.map(({ key }) => key)), { onExit: (exit) => answer(batch, exit) })
      }
    }

    const together = (key: K): Effect.Effect<V, E> =>
      Effect.async((resume) => {
        if (waiting.push({ key, resume }) === 1) setImmediate(flush)
      })

    const alone = (key: K): Effect.Effect<V, E> =>
      Effect.provide(
        Effect.map(options.run([key]), ([value]) => {
          if (value === undefined) throw new Error("A look-up has no answer.")
          return value
        }),
        runtime.context
      )

    return (key) =>
      Effect.flatMap(FiberRef.get(FiberRef.currentTracerEnabled), (isTraced) => (isTraced ? alone(key) : together(key)))
  })
