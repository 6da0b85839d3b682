import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { transient } from "../../../src/Errors.ts"
import { makeGroupedWrites } from "../../../src/Layers/Platform/Postgres/GroupedWrites.ts"

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

describe("grouped writes", () => {
  it.live("what comes while one is under way is written by the next, and each has its own answer", () =>
    Effect.gen(function* () {
      const groups: Array<ReadonlyArray<number>> = []
      const gate = yield* Deferred.make<void>()
      const add = yield* makeGroupedWrites({
        mostItems: 3,
        write: (items: ReadonlyArray<number>) =>
          Effect.suspend(() => {
            groups.push(items)
            return Effect.as(
              Deferred.await(gate),
              items.map((item) => item * 10)
            )
          })
      })
      const first = yield* Effect.forkAll([add(1), add(2)])
      yield* Effect.repeat(turn, { until: () => groups.length === 1 })
      const gone = yield* Effect.fork(add(3))
      const others = yield* Effect.forkAll([add(4), add(5), add(6)])
      yield* turn
      // Whoever asked and is gone holds up nobody.
      yield* Fiber.interrupt(gone)
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* Fiber.join(first), [10, 20])
      assert.deepStrictEqual(yield* Fiber.join(others), [40, 50, 60])
      assert.deepStrictEqual(groups, [[1, 2], [3, 4, 5], [6]])
    })
  )

  it.live("a group that fails tells all of its own, and the next is written", () =>
    Effect.gen(function* () {
      let writes = 0
      const add = yield* makeGroupedWrites({
        mostItems: 2,
        write: (items: ReadonlyArray<string>) =>
          writes++ === 0 ? transient("gone", "Gone.", 1) : Effect.succeed(items)
      })
      const [one, other, third] = yield* Effect.all([add("a"), add("b"), add("c")].map(Effect.exit), {
        concurrency: "unbounded"
      })
      assert.isTrue(one !== undefined && Exit.isFailure(one))
      assert.isTrue(other !== undefined && Exit.isFailure(other))
      assert.deepStrictEqual(third, Exit.succeed("c"))
    })
  )

  it.live("what cannot be written of one is no fault of the others of its group", () =>
    Effect.gen(function* () {
      const add = yield* makeGroupedWrites({
        mostItems: 10,
        write: (items: ReadonlyArray<string>) =>
          items.includes("\0") ? Effect.die(new Error("Not a text.")) : Effect.succeed(items)
      })
      const exits = yield* Effect.all([add("a"), add("\0"), add("b")].map(Effect.exit), { concurrency: "unbounded" })
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, true])
    })
  )
})
