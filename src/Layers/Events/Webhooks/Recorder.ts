import { Array, Cause, Deferred, Effect, Queue, Schedule, type Scope } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { Outcome, Recorded, WebhookQueue } from "../WebhookQueue.ts"

interface Waiting {
  readonly outcome: Outcome
  readonly recorded: Deferred.Deferred<Recorded, Transient>
}

/** Concurrent statements. Outcomes that arrive while all of them run form the next batch. */
const statements = 2
const outcomesPerStatement = 200

/**
 * Retries while the database is briefly unavailable. An outcome that is lost after that leads to a second delivery once
 * the lease ends.
 */
const whileAway = Schedule.exponential("100 millis").pipe(
  Schedule.union(Schedule.spaced("1 second")),
  Schedule.upTo("8 seconds")
)

/** Records outcomes, with those of many subscriptions in one statement. An outcome is stored once this succeeds. */
export const makeRecorder = (
  queue: WebhookQueue
): Effect.Effect<(outcome: Outcome) => Effect.Effect<Recorded, Transient>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const waiting = yield* Queue.unbounded<Waiting>()

    const record = (batch: ReadonlyArray<Waiting>): Effect.Effect<void> =>
      Effect.matchCauseEffect(Effect.retry(queue.record(batch.map(({ outcome }) => outcome)), whileAway), {
        onSuccess: (answers) =>
          Effect.forEach(Array.zip(batch, answers), ([{ recorded }, answer]) => Deferred.succeed(recorded, answer), {
            discard: true
          }),
        // An outcome that cannot be recorded must not affect the others.
        onFailure: (cause) =>
          batch.length > 1 && Cause.isDie(cause)
            ? Effect.forEach(batch, (one) => record([one]), { discard: true })
            : Effect.forEach(batch, ({ recorded }) => Deferred.failCause(recorded, cause), { discard: true })
      })

    const work = Effect.forever(
      Effect.flatMap(Queue.takeBetween(waiting, 1, outcomesPerStatement), (batch) => record([...batch]))
    )
    yield* Effect.forkScoped(Effect.all(Array.replicate(work, statements), { concurrency: "unbounded" }))

    return (outcome) =>
      Effect.flatMap(Deferred.make<Recorded, Transient>(), (recorded) =>
        Effect.zipRight(Queue.offer(waiting, { outcome, recorded }), Deferred.await(recorded))
      )
  })
