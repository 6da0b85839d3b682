import { Deferred, Effect, Exit, FiberId } from "effect"

/** A step of many concurrent workflows that is executed for all of them together. */
export type BatchedStep<I, A, E> = (input: I) => Effect.Effect<A, E>

/** Executes a step for many inputs. Returns the result of each, in their order. */
export type ForMany<I, A, E> = (inputs: ReadonlyArray<I>) => Effect.Effect<ReadonlyArray<Exit.Exit<A, E>>>

/** Runs one workflow at a time for each key. Later ones wait, then share the result or run next. */
export type Turns<A> = <E, R>(
  key: string,
  isMine: (known: A) => boolean,
  work: Effect.Effect<A, E, R>
) => Effect.Effect<A, E, R>

/**
 * Runs many workflows concurrently and batches their equal steps. When all workflows wait, the earliest requested step
 * runs for every workflow that waits for it. Workflows that are further ahead wait for the others.
 */
export interface StepBatcher {
  readonly group: <I, A, E>(order: number, run: ForMany<I, A, E>) => BatchedStep<I, A, E>
  readonly turns: <A>() => Turns<A>
  /** Runs all of these concurrently. */
  readonly all: <E, R>(works: ReadonlyArray<Effect.Effect<void, E, R>>) => Effect.Effect<void, E, R>
}

interface Group {
  readonly order: number
  readonly count: () => number
  /** Executes the steps that were requested so far. */
  readonly flush: Effect.Effect<void>
}

interface Turn<A> {
  readonly over: Deferred.Deferred<void>
  waiting: number
  isOver: boolean
  known: A | undefined
}

export const makeStepBatcher = (): StepBatcher => {
  const groups: Array<Group> = []
  let atWork = 0
  let waiting = 0
  /** True once one workflow has failed, which ends all of them. */
  let isBroken = false

  const goOn: Effect.Effect<void> = Effect.suspend(() => {
    if (isBroken || waiting === 0 || waiting < atWork) return Effect.void
    let first: Group | undefined
    for (const group of groups) {
      if (group.count() > 0 && (first === undefined || group.order < first.order)) first = group
    }
    return first === undefined ? Effect.void : first.flush
  })

  const group: StepBatcher["group"] = <I, A, E>(order: number, run: ForMany<I, A, E>): BatchedStep<I, A, E> => {
    let asked: Array<{ readonly input: I; readonly done: Deferred.Deferred<A, E> }> = []
    const flush = Effect.suspend(() => {
      const taken = asked
      asked = []
      waiting -= taken.length
      return run(taken.map(({ input }) => input)).pipe(
        Effect.flatMap((exits) =>
          Effect.forEach(
            taken,
            ({ done }, index) => Deferred.done(done, exits[index] ?? Exit.die("One of many has no result.")),
            { discard: true }
          )
        ),
        Effect.catchAllCause((cause) =>
          Effect.forEach(taken, ({ done }) => Deferred.failCause(done, cause), { discard: true })
        )
      )
    })
    groups.push({ order, count: () => asked.length, flush })
    return (input) =>
      Effect.suspend(() => {
        const done = Deferred.unsafeMake<A, E>(FiberId.none)
        asked.push({ input, done })
        waiting += 1
        return Effect.zipRight(goOn, Deferred.await(done))
      })
  }

  const turns = <A>(): Turns<A> => {
    const latest = new Map<string, Turn<A>>()
    const take: Turns<A> = (key, isMine, work) =>
      Effect.suspend(() => {
        const before = latest.get(key)
        if (before !== undefined && !before.isOver) {
          // A workflow that waits for another one does not delay the rest.
          before.waiting += 1
          atWork -= 1
          return goOn.pipe(Effect.zipRight(Deferred.await(before.over)), Effect.zipRight(take(key, isMine, work)))
        }
        if (before?.known !== undefined && isMine(before.known)) return Effect.succeed(before.known)
        const turn: Turn<A> = { over: Deferred.unsafeMake(FiberId.none), waiting: 0, isOver: false, known: undefined }
        latest.set(key, turn)
        return work.pipe(
          Effect.tap((known) => Effect.sync(() => (turn.known = known))),
          Effect.ensuring(
            Effect.suspend(() => {
              turn.isOver = true
              // The waiting workflows count as active before the next check.
              atWork += turn.waiting
              return Deferred.succeed(turn.over, undefined)
            })
          )
        )
      })
    return take
  }

  return {
    group,
    turns,
    all: (works) =>
      Effect.suspend(() => {
        atWork += works.length
        return Effect.forEach(
          works,
          (work) =>
            Effect.onExit(work, (exit) =>
              Effect.suspend(() => {
                atWork -= 1
                if (Exit.isFailure(exit)) isBroken = true
                return goOn
              })
            ),
          { concurrency: "unbounded", discard: true }
        )
      })
  }
}
