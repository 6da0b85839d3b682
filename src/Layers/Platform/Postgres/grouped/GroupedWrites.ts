import { Cause, Clock, Duration, Effect, Exit, Option, Runtime } from "effect"
import { databaseUnavailableReason, type Transient } from "../../../../Errors.ts"
import { makeCounter } from "../../../../Services/Core/Counter.ts"
import { describeCause } from "../../../../Services/Core/SafeCause.ts"

export interface GroupedWritesOptions<Item, A, R> {
  /** The name of the batch in the metric and in warnings, in snake_case. */
  readonly name: string
  readonly mostItems: number
  /** Splits a batch into parts that commit separately. By default, all items are in one part. */
  readonly split?: (items: ReadonlyArray<Item>) => ReadonlyArray<ReadonlyArray<Item>>
  /** Writes all items or none. Returns one answer per item, in their order. */
  readonly write: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<A>, Transient, R>
}

interface Waiting<Item, A> {
  readonly item: Item
  readonly clock: Clock.Clock
  readonly resume: (exit: Exit.Exit<A, Transient>) => void
}

const noAnswer = Exit.die(new Error("A write has no answer."))

const exitOf = <A>(answer: A | undefined): Exit.Exit<A> => (answer === undefined ? noAnswer : Exit.succeed(answer))

const warningInterval = Duration.toMillis("1 minute")

/** Counts batches that failed, and logs the cause of one of them per minute. */
const makeFallbackReport = (name: string) => {
  const fallbacks = makeCounter({
    name: "gateway_grouped_fallback_total",
    help: "Batches that failed and were tried again in halves, by batch.",
    label: "batch",
    known: [name]
  })
  let nextWarningAt = Number.NEGATIVE_INFINITY
  const report = (cause: Cause.Cause<unknown>, items: number) =>
    Effect.gen(function* () {
      yield* fallbacks.count(name)
      const now = yield* Clock.currentTimeMillis
      if (now < nextWarningAt) return
      nextWarningAt = now + warningInterval
      yield* Effect.logWarning("a batch failed and is tried again in halves").pipe(
        Effect.annotateLogs({ batch: name, items, cause: describeCause(cause) })
      )
    })
  return { begin: fallbacks.begin, report }
}

/**
 * True if a failed batch is tried again in halves. An unavailable database fails every half too, and an interrupted
 * batch belongs to a process that stops.
 */
const mayHalvesSucceed = (cause: Cause.Cause<Transient>): boolean =>
  !Cause.isInterrupted(cause) &&
  !Option.exists(
    Cause.failureOption(cause),
    ({ reason }) => reason === databaseUnavailableReason || reason === "overloaded"
  )

/**
 * Collects single writes into batches: requests that arrive during a write form the next batch. Each caller gets the
 * answer to its own item. A batch that fails is halved until the bad item is alone, so only that item's caller fails.
 */
export const makeGroupedWrites = <Item, A, R>({ mostItems, name, split, write }: GroupedWritesOptions<Item, A, R>) =>
  Effect.gen(function* () {
    const runtime = yield* Effect.withTracerEnabled(Effect.runtime<R>(), false)
    const fork = Runtime.runFork(runtime)
    const { begin, report } = makeFallbackReport(name)
    yield* begin

    type Exits = ReadonlyArray<Exit.Exit<A, Transient>>

    const writeOrHalve = (items: ReadonlyArray<Item>): Effect.Effect<Exits, never, R> =>
      write(items).pipe(
        Effect.map((answers): Exits => items.map((_, index) => exitOf(answers[index]))),
        Effect.catchAllCause((cause): Effect.Effect<Exits, never, R> => {
          if (items.length === 1 || !mayHalvesSucceed(cause)) {
            return Effect.succeed(items.map(() => Exit.failCause(cause)))
          }
          const middle = Math.ceil(items.length / 2)
          return report(cause, items.length).pipe(
            Effect.zipRight(Effect.forEach([items.slice(0, middle), items.slice(middle)], writeOrHalve)),
            Effect.map((halves) => halves.flat())
          )
        })
      )

    const writeParts = (items: ReadonlyArray<Item>) =>
      Effect.gen(function* () {
        if (split === undefined) return yield* writeOrHalve(items)
        const exits = new Map<Item, Exit.Exit<A, Transient>>()
        for (const part of split(items)) {
          const exitsOfPart = yield* writeOrHalve(part)
          part.forEach((item, index) => exits.set(item, exitsOfPart[index] ?? noAnswer))
        }
        return items.map((item) => exits.get(item) ?? noAnswer)
      })

    let waiting: Array<Waiting<Item, A>> = []
    let isWriting = false

    const flush = (): void => {
      if (isWriting || waiting.length === 0) return
      const batch = waiting.slice(0, mostItems)
      waiting = waiting.slice(batch.length)
      isWriting = true
      // The batch runs on its first caller's clock: the sample account has a simulated one, which the runtime of this
      // closure lacks.
      const [first] = batch
      const write = writeParts(batch.map(({ item }) => item))
      fork(first === undefined ? write : Effect.withClock(write, first.clock)).addObserver((exit) => {
        isWriting = false
        flush()
        batch.forEach(({ resume }, index) => {
          resume(Exit.flatMap(exit, (exits) => exits[index] ?? noAnswer))
        })
      })
    }

    return (item: Item): Effect.Effect<A, Transient> =>
      Effect.clockWith((clock) =>
        Effect.async((resume) => {
          waiting.push({ item, clock, resume: (exit) => resume(exit) })
          // The batch takes everything that arrives in this turn of the event loop.
          if (waiting.length === 1) setImmediate(flush)
        })
      )
  })
