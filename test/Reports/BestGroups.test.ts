import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { industryFunnel, metricsByGroup, noMetrics } from "../../src/Services/Reports/GroupFigures.ts"

const stateOf = (state: string, more: Partial<typeof noMetrics>) => ({ state, ...noMetrics, ...more })
const bestOf = (metric: string, states: ReadonlyArray<ReturnType<typeof stateOf>>) =>
  metricsByGroup(states, [], { days: 30, language: "en" }).best_state.filter((best) => best.metric === metric)

describe("the best group", () => {
  it("of cancelled and missed meetings is the one with the lowest rate among those with 20 meetings", () => {
    const states = [
      stateOf("SP", { meetings_booked: 100, meetings_cancelled: 10, meetings_held: 80, meetings_no_show: 20 }),
      stateOf("RJ", { meetings_booked: 20, meetings_cancelled: 3, meetings_held: 18, meetings_no_show: 2 }),
      stateOf("MG", { meetings_booked: 19, meetings_cancelled: 0, meetings_held: 19, meetings_no_show: 0 })
    ]
    assert.deepStrictEqual(bestOf("meetings_cancelled", states), [
      { metric: "meetings_cancelled", name: "SP", value: 10, rate_pct: 10 }
    ])
    assert.deepStrictEqual(bestOf("meetings_no_show", states), [
      { metric: "meetings_no_show", name: "RJ", value: 2, rate_pct: 10 }
    ])
    assert.deepStrictEqual(bestOf("meetings_cancelled", states.slice(2)), [])
  })

  it("of other metrics is the one with the most", () => {
    const states = [stateOf("SP", { interested: 3 }), stateOf("RJ", { interested: 5 })]
    assert.deepStrictEqual(bestOf("interested", states), [
      { metric: "interested", name: "RJ", value: 5, rate_pct: null }
    ])
  })
})

describe("rates of a funnel", () => {
  it("are never over 100 %, though leads write and become interested that were not contacted", () => {
    const count = fc.nat(50)
    fc.assert(
      fc.property(count, count, count, count, count, (contacted, others, replied, interested, won) => {
        const row = {
          cnae: null,
          industry: "x",
          total: contacted + others,
          contacted,
          replied: Math.min(replied, contacted + others),
          contacted_replied: Math.min(replied, contacted),
          interested: Math.min(interested, contacted + others),
          contacted_interested: Math.min(interested, contacted),
          closed: won,
          won
        }
        for (const sector of industryFunnel([row], { isBrazilian: false, language: "en" }).industries) {
          assert.isAtMost(sector.reply_rate_pct ?? 0, 100)
          assert.isAtMost(sector.interest_rate_pct ?? 0, 100)
        }
      })
    )
  })
})
