import { assert, it } from "@effect/vitest"
import { Option } from "effect"
import { makeToolSearch } from "../../src/Api/Mcp/SearchTools.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { heldOut } from "./heldOutWishes.ts"
import { wideWishes } from "./wideWishes.ts"
import { wishes } from "./wishes.ts"

const search = makeToolSearch(AllTools)

const firstFive = (wish: string): ReadonlyArray<string> => search(wish, 5, () => true).map(({ tool }) => tool.name)

/** Wishes of which none of the tools that would do is among the first five. */
const missed = (list: ReadonlyArray<readonly [wish: string, ...tools: ReadonlyArray<string>]>) => {
  assert.strictEqual(list.length, 150)
  return list.filter(([wish, ...tools]) => !firstFive(wish).some((name) => tools.includes(name)))
}

it("the right tool is among the first five for at least 95 % of 300 wishes in three languages", () => {
  for (const list of [wishes, wideWishes]) {
    const found = missed(list)
    assert.isAtMost(
      found.length,
      7,
      JSON.stringify(
        found.map(([wish, ...tools]) => [wish, tools, firstFive(wish)]),
        null,
        1
      )
    )
  }
})

// What fails is not shown: whoever saw it would tune on it.
it("and for at least 91 % of 150 others, on which nothing was tuned", () => {
  for (const [, ...tools] of heldOut) for (const name of tools) assert.isTrue(Option.isSome(AllTools.get(name)), name)
  assert.isAtMost(missed(heldOut).length, 13)
})

it("a tool's own name finds it first", () => {
  for (const { tool } of AllTools.entries) assert.strictEqual(firstFive(tool.name)[0], tool.name)
})

it("what is kept out is not found", () => {
  const found = search("pause prospecting of a lead", 15, ({ tool }) => tool.kind === "read")
  assert.isNotEmpty(found)
  assert.isTrue(found.every(({ tool }) => tool.kind === "read"))
})
