import { Effect, Exit, Runtime } from "effect"
import type { Transient } from "../../../Errors.ts"

export interface GroupedWritesOptions<Item, A, R> {
  readonly mostItems: number
  /** Answers one for each item, in their order. */
  readonly write: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<A>, Transient, R>
}

interface Waiting<Item, A> {
  readonly item: Item
  readonly answered: (exit: Exit.Exit<A, Transient>) => void
}

/**
 * Single writes that become one transaction for many: what comes while one is under way is written by the next. Each is
 * answered once its own has committed, also where whoever asked for another one is gone.
 */
export const makeGroupedWrites = <Item, A, R>({ mostItems, write }: GroupedWritesOptions<Item, A, R>) =>
  Effect.map(Effect.withTracerEnabled(Effect.runtime<R>(), false), (runtime) => {
    const fork = Runtime.runFork(runtime)
    let waiting: Array<Waiting<Item, A>> = []
    let isWriting = false

    const flush = (): void => {
      if (isWriting || waiting.length === 0) return
      const group = waiting.slice(0, mostItems)
      waiting = waiting.slice(group.length)
      isWriting = true
      fork(write(group.map(({ item }) => item))).addObserver((exit) => {
        isWriting = false
        flush()
        group.forEach(({ answered }, index) => {
          answered(
            Exit.flatMap(exit, (answers) => {
              const answer = answers[index]
              return answer === undefined ? Exit.die(new Error("A write has no answer.")) : Exit.succeed(answer)
            })
          )
        })
      })
    }

    return (item: Item): Effect.Effect<A, Transient> =>
      Effect.async((resume) => {
        waiting.push({ item, answered: (exit) => resume(exit) })
        // With those of the same turn of the event loop.
        if (waiting.length === 1) setImmediate(flush)
      })
  })
