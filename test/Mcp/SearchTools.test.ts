import { assert, it } from "@effect/vitest"
import { Option } from "effect"
import { searchScenarios } from "../../src/Api/Mcp/SearchScenarios.ts"
import { searchSynonyms } from "../../src/Api/Mcp/SearchSynonyms.ts"
import { makeToolSearch } from "../../src/Api/Mcp/SearchTools.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { colloquial } from "./colloquialWishes.ts"
import { heldOut } from "./heldOutWishes.ts"
import { mixed } from "./mixedWishes.ts"
import { plain } from "./plainWishes.ts"
import { searchQueriesRound1 } from "./searchQueriesRound1.ts"
import { secondSight } from "./secondSightWishes.ts"
import { thirdSight } from "./thirdSightWishes.ts"
import { wideWishes } from "./wideWishes.ts"
import { wishes } from "./wishes.ts"

const search = makeToolSearch(AllTools)

const firstFive = (wish: string): ReadonlyArray<string> => search(wish, 5, () => true).map(({ tool }) => tool.name)

/** Wishes of which none of the tools that would do is among the first five. */
const missed = (list: ReadonlyArray<readonly [wish: string, ...tools: ReadonlyArray<string>]>) => {
  assert.strictEqual(list.length, 150)
  return list.filter(([wish, ...tools]) => !firstFive(wish).some((name) => tools.includes(name)))
}

/** At the first run of the last three, before the search was mended on what they missed, 144, 141 and 145 were met. */
const lists = [wishes, wideWishes, heldOut, colloquial, mixed, plain, searchQueriesRound1, secondSight, thirdSight]

it("the right tool is among the first five for at least 97 % of 1 350 wishes in three languages", () => {
  for (const list of lists) {
    for (const [, ...tools] of list) for (const name of tools) assert.isTrue(Option.isSome(AllTools.get(name)), name)
    const found = missed(list)
    assert.isAtMost(
      found.length,
      4,
      JSON.stringify(
        found.map(([wish, ...tools]) => [wish, tools, firstFive(wish)]),
        null,
        1
      )
    )
  }
})

it("what people say is known of every tool, and of none that there is not", () => {
  const names = AllTools.entries.map(({ tool }) => tool.name)
  assert.sameMembers(Object.keys(searchSynonyms), names)
  assert.sameMembers(Object.keys(searchScenarios), names)
})

it("a slip of the keyboard is forgiven, and a wish of nothing but noise is answered at once", () => {
  assert.include(firstFive("cancell the meeeting"), "cancel_lead_meeting")
  assert.include(firstFive("exportar os leeds"), "export_leads")
  assert.isAtMost(search("qzxwv ".repeat(80), 5, () => true).length, 5)
})

it("a tool's own name finds it first", () => {
  for (const { tool } of AllTools.entries) assert.strictEqual(firstFive(tool.name)[0], tool.name)
})

it("what is kept out is not found", () => {
  const found = search("pause prospecting of a lead", 15, ({ tool }) => tool.kind === "read")
  assert.isNotEmpty(found)
  assert.isTrue(found.every(({ tool }) => tool.kind === "read"))
})
