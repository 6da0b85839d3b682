import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Fiber, Schedule } from "effect"
import { noticeEndpoints } from "../../src/Layers/Calendar/Syncing/NoticeEndpoint.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { TaskQueue } from "../../src/Services/Jobs/TaskQueue.ts"
import { serveEndpoints } from "../support/servers/ServedEndpoints.ts"
import { CalendarWorld, connected, sync } from "./CalendarWorld.ts"

const token = "a token that the test sets"

layer(CalendarWorld, { excludeTestServices: true })("calendar notices", (it) => {
  it.effect("that are looked at together bring about one read", () =>
    connected(
      Effect.scoped(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { accountId } = yield* Caller
          yield* sync
          const [row] = yield* sql<{ readonly id: string }>`
            update calendar_mirror set channel_token_hash = sha256(${token}::bytea),
              due_at = instant() + interval '1 hour'
            where account_id = ${accountId} returning channel_id as id`
          let reads = 0
          let arrived = 0
          const counted = TaskQueue.of({
            enqueue: () => Effect.void,
            enqueueMany: () => Effect.sync(() => void (reads += 1)),
            remove: () => Effect.void
          })
          // Without the pace of reads, a second read is queued before its notice is answered.
          const withoutPace: Clock.Clock = { ...Clock.make(), sleep: () => Effect.yieldNow() }
          const endpoints = yield* noticeEndpoints.pipe(
            Effect.provideService(TaskQueue, counted),
            Effect.withClock(withoutPace)
          )
          const count = Effect.sync(() => void (arrived += 1))
          const address = yield* serveEndpoints(
            endpoints.map(({ methods, path }) => ({
              path,
              methods: methods.POST === undefined ? methods : { POST: Effect.zipRight(count, methods.POST) }
            }))
          )
          const arrivals = (expected: number) =>
            Effect.sync(() => arrived).pipe(
              Effect.repeat({ until: (present) => present === expected, schedule: Schedule.spaced("5 millis") })
            )
          const notice = (channel: string, number: number) =>
            Effect.promise(() =>
              fetch(`${address}/calendar/notices`, {
                method: "POST",
                headers: {
                  "x-goog-channel-id": channel,
                  "x-goog-channel-token": token,
                  "x-goog-resource-state": "exists",
                  "x-goog-message-number": `${number}`
                }
              }).then(({ status }) => status)
            )
          // While the first write waits for the table, the other notices gather for the next write.
          const [first, others] = yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`lock table calendar_mirror in access exclusive mode`
              const unknown = yield* Effect.fork(notice("pgw-999999-0000000000000000", 1))
              yield* arrivals(1)
              const ofCalendar = yield* Effect.fork(
                Effect.forEach([5, 6, 7], (number) => notice(row?.id ?? "", number), { concurrency: "unbounded" })
              )
              yield* arrivals(4)
              return [unknown, ofCalendar] as const
            })
          )
          assert.strictEqual(yield* Fiber.join(first), 404)
          assert.deepStrictEqual(yield* Fiber.join(others), [204, 204, 204])
          assert.strictEqual(reads, 1)
        })
      )
    )
  )
})
