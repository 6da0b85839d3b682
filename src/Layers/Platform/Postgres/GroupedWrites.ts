import { Cause, Effect, Exit, Runtime } from "effect"
import type { Transient } from "../../../Errors.ts"

export interface GroupedWritesOptions<Item, A, R> {
  readonly mostItems: number
  /** Answers one for each item, in their order. */
  readonly write: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<A>, Transient, R>
}

interface Waiting<Item, A> {
  readonly item: Item
  readonly resume: (exit: Exit.Exit<A, Transient>) => void
}

const noAnswer = Exit.die(new Error("A write has no answer."))

const answered = <A>(answer: A | undefined): Exit.Exit<A> => (answer === undefined ? noAnswer : Exit.succeed(answer))

/**
 * Single writes that become one transaction for many: what comes while one is under way is written by the next. Each is
 * answered once its own has committed, also where whoever asked for another one is gone. Where a group has a defect, each
 * is written alone: what the database cannot take of one is no fault of the others.
 */
export const makeGroupedWrites = <Item, A, R>({ mostItems, write }: GroupedWritesOptions<Item, A, R>) =>
  Effect.map(Effect.withTracerEnabled(Effect.runtime<R>(), false), (runtime) => {
    const fork = Runtime.runFork(runtime)
    const alone = (item: Item): Effect.Effect<Exit.Exit<A, Transient>, never, R> =>
      Effect.exit(Effect.flatMap(write([item]), ([answer]) => answered(answer)))
    const each = (items: ReadonlyArray<Item>): Effect.Effect<ReadonlyArray<Exit.Exit<A, Transient>>, never, R> =>
      write(items).pipe(
        Effect.map((answers) => items.map((_, index) => answered(answers[index]))),
        Effect.catchAllCause((cause) =>
          items.length > 1 && Cause.isDie(cause)
            ? Effect.forEach(items, alone)
            : Effect.succeed(items.map(() => Exit.failCause(cause)))
        )
      )
    let waiting: Array<Waiting<Item, A>> = []
    let isWriting = false

    const flush = (): void => {
      if (isWriting || waiting.length === 0) return
      const group = waiting.slice(0, mostItems)
      waiting = waiting.slice(group.length)
      isWriting = true
      fork(each(group.map(({ item }) => item))).addObserver((exit) => {
        isWriting = false
        flush()
        group.forEach(({ resume }, index) => {
          resume(Exit.flatMap(exit, (exits) => exits[index] ?? noAnswer))
        })
      })
    }

    return (item: Item): Effect.Effect<A, Transient> =>
      Effect.async((resume) => {
        waiting.push({ item, resume: (exit) => resume(exit) })
        // With those of the same turn of the event loop.
        if (waiting.length === 1) setImmediate(flush)
      })
  })
