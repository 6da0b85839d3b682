import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, HashMap, Logger, Option } from "effect"
import { transient } from "../../../src/Errors.ts"
import { makeGroupedWrites } from "../../../src/Layers/Platform/Postgres/grouped/GroupedWrites.ts"
import { countedBy } from "../../support/checks/Counted.ts"

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

describe("grouped writes", () => {
  it.live("what comes while one is under way is written by the next, and each has its own answer", () =>
    Effect.gen(function* () {
      const groups: Array<ReadonlyArray<number>> = []
      const gate = yield* Deferred.make<void>()
      const add = yield* makeGroupedWrites({
        name: "test",
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
      const interruptedCaller = yield* Effect.fork(add(3))
      const others = yield* Effect.forkAll([add(4), add(5), add(6)])
      yield* turn
      // A caller that was interrupted delays no one.
      yield* Fiber.interrupt(interruptedCaller)
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* Fiber.join(first), [10, 20])
      assert.deepStrictEqual(yield* Fiber.join(others), [40, 50, 60])
      assert.deepStrictEqual(groups, [[1, 2], [3, 4, 5], [6]])
    })
  )

  it.live("an unavailable database fails the whole batch, and the next is written", () =>
    Effect.gen(function* () {
      let writes = 0
      const add = yield* makeGroupedWrites({
        name: "test",
        mostItems: 2,
        write: (items: ReadonlyArray<string>) =>
          writes++ === 0 ? transient("database_unavailable", "Gone.", 1) : Effect.succeed(items)
      })
      const [one, other, third] = yield* Effect.all([add("a"), add("b"), add("c")].map(Effect.exit), {
        concurrency: "unbounded"
      })
      assert.isTrue(one !== undefined && Exit.isFailure(one))
      assert.isTrue(other !== undefined && Exit.isFailure(other))
      assert.deepStrictEqual(third, Exit.succeed("c"))
    })
  )

  it.live("a batch that fails is halved until the bad item is alone, counted, and logged once a minute", () =>
    Effect.gen(function* () {
      const batches: Array<string> = []
      const warnings: Array<string> = []
      const add = yield* makeGroupedWrites({
        name: "halved_test",
        mostItems: 10,
        write: (items: ReadonlyArray<string>) => {
          batches.push(items.join(""))
          return items.includes("\0") ? Effect.die(new Error("Not a text.")) : Effect.succeed(items)
        }
      }).pipe(
        Effect.provide(
          Logger.replace(
            Logger.defaultLogger,
            Logger.make(({ annotations }) => {
              warnings.push(String(Option.getOrNull(HashMap.get(annotations, "cause"))))
            })
          )
        )
      )
      const writeAll = Effect.forEach(["a", "b", "c", "\0", "e"], (item) => Effect.exit(add(item)), {
        concurrency: "unbounded"
      })
      let exits: Effect.Effect.Success<typeof writeAll> = []
      const fallbacks = yield* countedBy(
        "gateway_grouped_fallback_total",
        "halved_test",
        Effect.map(writeAll, (all) => {
          exits = all
        })
      )
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, true, false, true])
      assert.deepStrictEqual(batches, ["abc\0e", "abc", "\0e", "\0", "e"])
      assert.strictEqual(fallbacks, 2)
      assert.lengthOf(warnings, 1)
      assert.match(warnings[0] ?? "", /^Error/)
    })
  )
})
