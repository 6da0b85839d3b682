import { randomUUID } from "node:crypto"
import { Data, Effect, Layer, Schedule } from "effect"
import pg from "pg"
import { finishWithin } from "../../Finalizer.ts"
import { DatabaseLocation, DatabasePools } from "../Database.ts"

const channel = "gateway_activity"

/** The first commit after a pause is announced at once. Those of the following period are announced together. */
const gathering = "500 millis"

class SessionEnded extends Data.TaggedError("SessionEnded") {}

const ask = (client: pg.Client, statement: string) =>
  Effect.tryPromise({ try: () => client.query(statement), catch: () => new SessionEnded() })

/**
 * Announces this process's commits to the other processes on the database, and receives theirs. It does so outside the
 * writing transactions, because their commits would wait for each other. While it fails, pollers use shorter pauses.
 */
export const ActivityExchange: Layer.Layer<never, never, DatabaseLocation | DatabasePools> = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { connection } = yield* DatabaseLocation
    const { activity } = yield* DatabasePools
    const self = randomUUID()
    const written = yield* Effect.makeLatch(false)
    const stop = activity.relay(() => written.unsafeOpen())
    yield* Effect.addFinalizer(() => Effect.sync(stop))

    const session = Effect.gen(function* () {
      const ended = yield* Effect.makeLatch(false)
      const client = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const made = new pg.Client({
            ...connection,
            application_name: "prospecting-gateway activity",
            connectionTimeoutMillis: 5_000,
            query_timeout: 10_000,
            keepAlive: true
          })
          made.on("error", () => ended.unsafeOpen())
          made.on("end", () => ended.unsafeOpen())
          made.on("notification", ({ payload }) => {
            if (payload !== self) activity.heard()
          })
          return made
        }),
        (made) => finishWithin("1 second")(Effect.promise(() => made.end().catch(() => {})))
      )
      yield* Effect.tryPromise({ try: () => client.connect(), catch: () => new SessionEnded() })
      yield* ask(client, `listen ${channel}`)
      yield* Effect.acquireRelease(
        Effect.sync(() => activity.hearing(true)),
        () => Effect.sync(() => activity.hearing(false))
      )
      const telling = written.await.pipe(
        Effect.zipRight(written.close),
        Effect.zipRight(ask(client, `select pg_notify('${channel}', '${self}')`)),
        Effect.zipRight(Effect.sleep(gathering)),
        Effect.forever
      )
      yield* Effect.raceFirst(telling, Effect.zipRight(ended.await, new SessionEnded()))
    }).pipe(Effect.scoped)

    const again = Schedule.exponential("200 millis").pipe(
      Schedule.union(Schedule.spaced("10 seconds")),
      Schedule.jittered,
      Schedule.resetAfter("1 minute")
    )
    yield* Effect.forkScoped(Effect.withTracerEnabled(Effect.retry(session, again), false))
  })
)
