import { assert, it } from "@effect/vitest"
import { makeToolSearch } from "../../src/Api/Mcp/SearchTools.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { wishes } from "./wishes.ts"

const search = makeToolSearch(AllTools)

const firstFive = (wish: string): ReadonlyArray<string> => search(wish, 5, () => true).map(({ tool }) => tool.name)

it("the right tool is among the first five for at least 95 % of 150 wishes in three languages", () => {
  assert.strictEqual(wishes.length, 150)
  const missed = wishes.filter(([wish, tool]) => !firstFive(wish).includes(tool))
  assert.isAtMost(
    missed.length,
    7,
    JSON.stringify(
      missed.map(([wish, tool]) => [wish, tool, firstFive(wish)]),
      null,
      1
    )
  )
})

it("a tool's own name finds it first", () => {
  for (const { tool } of AllTools.entries) assert.strictEqual(firstFive(tool.name)[0], tool.name)
})

it("what is kept out is not found", () => {
  const found = search("pause prospecting of a lead", 15, ({ tool }) => tool.kind === "read")
  assert.isNotEmpty(found)
  assert.isTrue(found.every(({ tool }) => tool.kind === "read"))
})
