import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, TestClock } from "effect"
import { makeCrmQuota, restSeconds } from "../../src/Layers/Crm/Calling/CrmQuota.ts"
import { bucketOf, type Limit } from "../../src/Services/Outbound/RateLimits.ts"

const minute = { bucket: "calls", allowance: { amount: 240, seconds: 60 } }
const day = { bucket: "day", allowance: { amount: 30_000, seconds: 86_400 }, largestCost: 40 }

/** A bucket in this test alone, which fills by one a second; tells what was asked of it. */
const bucket = (left: number, limit: Limit = day) => {
  const asked: Array<ReadonlyArray<number>> = []
  return {
    asked,
    fill: (by: number) => (left += by),
    takeMany: (costs: ReadonlyArray<number>) =>
      Effect.sync(() => {
        asked.push(costs)
        let granted = 0
        for (const cost of costs) {
          if (cost > left) break
          left -= cost
          granted += 1
        }
        const next = costs[granted]
        return next === undefined ? { granted, seconds: 0, limit: undefined } : { granted, seconds: next - left, limit }
      })
  }
}

describe("turns within what a CRM allows", () => {
  it.effect("are asked for together by those who come at a time", () =>
    Effect.gen(function* () {
      const { asked, takeMany } = bucket(100)
      const turn = makeCrmQuota(takeMany)
      yield* Effect.all([turn(1), turn(2), turn(3)], { concurrency: "unbounded" })
      assert.deepStrictEqual(asked, [[1, 2, 3]])
    })
  )

  it.effect("come in their order as they flow in, also behind one who broke off", () =>
    Effect.gen(function* () {
      const { asked, fill, takeMany } = bucket(1)
      const turn = makeCrmQuota(takeMany)
      const done: Array<string> = []
      const named = (name: string) => Effect.map(turn(1), () => done.push(name))
      const fibers = yield* Effect.forEach(["first", "second", "third", "fourth"], (name) => Effect.fork(named(name)))
      yield* TestClock.adjust(Duration.millis(1))
      assert.deepStrictEqual(done, ["first"])
      // Nobody asks before there can be any.
      assert.strictEqual(asked.length, 1)
      for (const fiber of fibers.slice(1, 2)) yield* Fiber.interrupt(fiber)
      fill(2)
      yield* TestClock.adjust(Duration.seconds(1))
      yield* Effect.forEach(fibers, Fiber.await)
      assert.deepStrictEqual(done, ["first", "third", "fourth"])
    })
  )

  it.effect("come first for what is urgent", () =>
    Effect.gen(function* () {
      const { fill, takeMany } = bucket(1)
      const turn = makeCrmQuota(takeMany)
      const done: Array<string> = []
      const named = (name: string) => Effect.map(turn(1, name.startsWith("urgent")), () => done.push(name))
      const fibers = yield* Effect.forEach(["asking", "one", "other", "urgent 1", "urgent 2"], (name) =>
        Effect.fork(named(name))
      )
      for (let second = 0; second < 4; second++) {
        yield* TestClock.adjust(Duration.seconds(1))
        fill(1)
      }
      yield* TestClock.adjust(Duration.seconds(1))
      yield* Effect.forEach(fibers, Fiber.await)
      assert.deepStrictEqual(done, ["asking", "urgent 1", "urgent 2", "one", "other"])
    })
  )

  it.effect("are taken several at a time where an allowance gathers as much", () =>
    Effect.gen(function* () {
      const { asked, fill, takeMany } = bucket(1, minute)
      const turn = makeCrmQuota(takeMany)
      const fibers = yield* Effect.forEach(Array.from({ length: 5 }), () => Effect.fork(turn(1)))
      yield* TestClock.adjust(Duration.millis(1))
      for (let second = 0; second < 4; second++) {
        fill(1)
        yield* TestClock.adjust(Duration.millis(500))
      }
      yield* TestClock.adjust(Duration.seconds(1))
      yield* Effect.forEach(fibers, Fiber.await)
      assert.deepStrictEqual(
        asked.map(({ length }) => length),
        [5, 4]
      )
    })
  )

  it.effect("are put off when they would be too late, for as long as is worth going on after", () =>
    Effect.gen(function* () {
      const turn = makeCrmQuota(bucket(0).takeMany)
      const exits = yield* Effect.all([Effect.exit(turn(20)), Effect.exit(turn(30))], { concurrency: "unbounded" })
      for (const exit of exits) {
        assert.isTrue(Exit.isFailure(exit) && exit.cause._tag === "Fail" && exit.cause.error.kind === "rate_limited")
      }
      const { capacity, perSecond } = bucketOf(day.allowance, day.largestCost)
      assert.strictEqual(restSeconds(day, 20), Math.ceil(capacity / 2 / perSecond))
      assert.strictEqual(restSeconds(day, 5000), 5000)
    })
  )
})
