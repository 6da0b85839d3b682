import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { RateLimitsPostgres } from "../../src/Layers/Connections/RateLimitsPostgres.ts"
import { bucketOf, RateLimits } from "../../src/Services/Outbound/RateLimits.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const own = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

const use = { service: "crm.test", bucket: "calls", cost: 1, largestCost: 1, isWaitedFor: false }

describe("the bucket of an allowance", () => {
  it("never gives more than the allowance in its time, and at least 95 % of it in the long run", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 100_000 }), fc.integer({ min: 1, max: 86_400 }), (amount, seconds) => {
        const { capacity, perSecond, reserve } = bucketOf({ amount, seconds })
        // Uses are whole; what flows in is not.
        assert.isAtMost(Math.floor(capacity + perSecond * seconds + 1e-6), amount)
        assert.isAtLeast(capacity, 1)
        assert.isAtMost(reserve, capacity - 1)
        assert.isAtLeast(perSecond * seconds, amount * 0.95)
      })
    )
  })
})

layer(Layer.provideMerge(RateLimitsPostgres, TestDatabase), { excludeTestServices: true })("a rate limit", (it) => {
  const allowance = { amount: 100, seconds: 1_000_000 }

  it.effect("is shared by all who ask at once", () =>
    own(
      Effect.gen(function* () {
        const limits = yield* RateLimits
        const waits = yield* Effect.all(
          Array.from({ length: 40 }, () => limits.take({ ...use, allowance, isWaitedFor: true })),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          waits.filter((wait) => wait === 0),
          bucketOf(allowance).capacity
        )
      })
    )
  )

  it.effect("keeps a part for those who wait, and is not one account's for another", () =>
    own(
      Effect.gen(function* () {
        const limits = yield* RateLimits
        const sync = limits.take({ ...use, allowance })
        const { capacity, reserve } = bucketOf(allowance)
        for (let taken = 0; taken < capacity - reserve; taken++) assert.strictEqual(yield* sync, 0)
        assert.isAbove(yield* sync, 0)
        assert.strictEqual(yield* limits.take({ ...use, allowance, isWaitedFor: true }), 0)
        const other = yield* makeAccount()
        assert.strictEqual(yield* as(other)(sync), 0)
      })
    )
  )

  it.effect("waits as long as the service says", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const limits = yield* RateLimits
        const wide = { amount: 1000, seconds: 1 }
        assert.strictEqual(yield* limits.take({ ...use, allowance: wide }), 0)
        yield* limits.correct("crm.test", "calls", { emptyForSeconds: 77 })
        const wait = yield* limits.take({ ...use, allowance: wide, isWaitedFor: true })
        assert.isAbove(wait, 70)
        assert.isAtMost(wait, 77)
        assert.isAbove(yield* limits.blockedFor("crm.test"), 70)
        // The time is over.
        yield* sql`update connection_bucket set empty_until = instant() - interval '1 second',
          filled_at = filled_at - interval '1 second'`
        assert.strictEqual(yield* limits.take({ ...use, allowance: wide }), 0)
        assert.strictEqual(yield* limits.blockedFor("crm.test"), 0)
      })
    )
  )

  it.effect("is lowered by what the service says is left, and never raised", () =>
    own(
      Effect.gen(function* () {
        const limits = yield* RateLimits
        const sync = limits.take({ ...use, allowance })
        assert.strictEqual(yield* sync, 0)
        yield* limits.correct("crm.test", "calls", { left: 1000 })
        yield* limits.correct("crm.test", "calls", { left: 0 })
        assert.isAbove(yield* sync, 0)
        yield* limits.correct("crm.test", "calls", { left: 1000 })
        assert.isAbove(yield* sync, 0)
      })
    )
  )

  const costly = { bucket: "day", allowance: { amount: 1000, seconds: 1_000_000 }, largestCost: 20 }
  const plain = { bucket: "calls", allowance: { amount: 300, seconds: 1_000_000 } }

  it.effect("gives several uses their turns at once: the first for which each of the buckets has enough", () =>
    own(
      Effect.gen(function* () {
        const limits = yield* RateLimits
        const day = bucketOf(costly.allowance, costly.largestCost)
        const calls = bucketOf(plain.allowance)
        const ask = (costs: ReadonlyArray<number>) =>
          limits.takeMany({ service: "crm.test", limits: [plain, costly], costs, isWaitedFor: true })
        // Of the one with costs there is enough for the first two only, and nothing is taken for the third of the other.
        const first = yield* ask([day.capacity - 10, 10, 1])
        assert.deepStrictEqual({ granted: first.granted, limit: first.limit?.bucket }, { granted: 2, limit: "day" })
        assert.approximately(first.seconds, 1 / day.perSecond, 5)
        assert.approximately(yield* limits.left("crm.test", plain), calls.capacity - calls.reserve - 2, 0.01)
        assert.strictEqual((yield* ask([1])).granted, 0)
        assert.approximately(yield* limits.left("crm.test", plain), calls.capacity - calls.reserve - 2, 0.01)
        yield* limits.correct("crm.test", "calls", { emptyForSeconds: 50 })
        assert.isAbove((yield* ask([0])).seconds, 40)
      })
    )
  )

  it.effect("never gives more than there is, however many ask for many", () =>
    own(
      Effect.gen(function* () {
        const limits = yield* RateLimits
        const costs = [3, 1, 4, 1, 5]
        const turns = yield* Effect.all(
          Array.from({ length: 30 }, () =>
            limits.takeMany({ service: "crm.test", limits: [plain, costly], costs, isWaitedFor: true })
          ),
          { concurrency: "unbounded" }
        )
        const granted = turns.reduce((sum, turn) => sum + turn.granted, 0)
        const spent = turns.flatMap((turn) => costs.slice(0, turn.granted)).reduce((sum, cost) => sum + cost, 0)
        assert.isAtMost(granted, bucketOf(plain.allowance).capacity)
        assert.isAtMost(spent, bucketOf(costly.allowance, costly.largestCost).capacity)
        // One of the two is used up.
        assert.isTrue(
          granted === bucketOf(plain.allowance).capacity ||
            bucketOf(costly.allowance, costly.largestCost).capacity - spent < 5
        )
      })
    )
  )
})
