import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Option } from "effect"
import { contextWith } from "../../../src/Services/Core/Calls/ContextWith.ts"

class First extends Context.Tag("First")<First, number>() {}
class Second extends Context.Tag("Second")<Second, string>() {}
class Third extends Context.Tag("Third")<Third, boolean>() {}

const entriesOf = (context: Context.Context<never>) => [...context.unsafeMap].sort(([a], [b]) => (a < b ? -1 : 1))

const base = Context.make(First, 1).pipe(Context.add(Second, "base"))

describe("contextWith", () => {
  for (const [what, extended, expected] of [
    ["a further service", contextWith(base, Third, true), Context.add(base, Third, true)],
    ["a service in place of one", contextWith(base, Second, "own"), Context.add(base, Second, "own")]
  ] as const) {
    it(`is what Context.add makes of ${what}`, () => {
      assert.deepStrictEqual(entriesOf(extended), entriesOf(expected))
      assert.strictEqual(extended.unsafeMap.size, expected.unsafeMap.size)
      assert.deepStrictEqual([...extended.unsafeMap.keys()].sort(), [...expected.unsafeMap.keys()].sort())
      assert.sameMembers([...extended.unsafeMap.values()], [...expected.unsafeMap.values()])
      const entries: Array<unknown> = []
      extended.unsafeMap.forEach((value, key) => entries.push([key, value]))
      assert.sameDeepMembers(entries, entriesOf(expected))
      for (const tag of [First, Second, Third]) {
        assert.strictEqual(extended.unsafeMap.has(tag.key), expected.unsafeMap.has(tag.key))
      }
    })
  }

  it("leaves the given context unchanged", () => {
    contextWith(base, Second, "own")
    assert.strictEqual(Context.get(base, Second), "base")
    assert.isFalse(base.unsafeMap.has(Third.key))
  })

  it("can be added to, merged and provided", () => {
    const context = contextWith(base, Second, "own")
    const more = Context.merge(Context.add(context, Third, true), Context.make(First, 2))
    assert.deepStrictEqual(Effect.runSync(Effect.provide(Effect.all([First, Second, Third]), more)), [2, "own", true])
    assert.deepStrictEqual(Context.getOption(context, First), Option.some(1))
  })
})
