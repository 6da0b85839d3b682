import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { judge, type Observation } from "../../src/Services/Support/ServiceWatch.ts"

const quiet: Observation = { component: "mail", name: "Mail", failed: 0, succeeded: 0, waitingFor: 0 }
const judgementsOf = (changes: Partial<Observation>) =>
  judge({ ...quiet, ...changes }).map((one) =>
    one._tag === "Trouble" ? `+${one.trouble.key} ${one.trouble.impact}` : `-${one.key}`
  )

describe("what is noticed of a service", () => {
  it.each<readonly [string, Partial<Observation>, ReadonlyArray<string>]>([
    ["nothing", {}, ["-mail:failing", "-mail:stalled"]],
    ["one failure among none that succeed", { failed: 4 }, ["-mail:stalled"]],
    ["failures alone", { failed: 5 }, ["+mail:failing outage", "-mail:stalled"]],
    ["failures, and some that succeed", { failed: 50, succeeded: 1 }, ["-mail:stalled"]],
    ["more that succeed", { failed: 5, succeeded: 6 }, ["-mail:failing", "-mail:stalled"]],
    ["work that waits a while", { waitingFor: 600 }, ["-mail:failing"]],
    ["work that waits long", { waitingFor: 900 }, ["-mail:failing", "+mail:stalled degradation"]]
  ])("%s", (_, changes, expected) => assert.deepStrictEqual(judgementsOf(changes), expected))

  it("never opens and ends one trouble at once", () => {
    const count = fc.integer({ min: 0, max: 100 })
    fc.assert(
      fc.property(count, count, fc.integer({ min: 0, max: 5000 }), (failed, succeeded, waitingFor) => {
        const keys = judgementsOf({ failed, succeeded, waitingFor }).map((text) => text.slice(1).split(" ")[0])
        assert.strictEqual(new Set(keys).size, keys.length)
      })
    )
  })
})
