import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import * as fc from "fast-check"
import {
  FairSemaphore,
  type Tenant,
  type Ticket,
  withFairPermit
} from "../../src/Layers/Platform/Fairness/FairSemaphore.ts"
import { TenantUsage } from "../../src/Layers/Platform/Fairness/TenantUsage.ts"

const limits = { slots: 4, perAccount: 2, waiting: 100, waitingPerAccount: 50, longestWait: 60_000 }

/** Enters, and records who starts and who is refused. */
const book = (turns: FairSemaphore) => {
  const started: Array<Tenant> = []
  const refused: Array<Tenant> = []
  const enter = (party: Tenant): Ticket =>
    turns.enter(
      party,
      () => started.push(party),
      () => refused.push(party)
    )
  return { started, refused, enter }
}

describe("turns", () => {
  it("are taken in rounds by those who wait", () => {
    const turns = new FairSemaphore({ ...limits, slots: 2 })
    const { enter, started } = book(turns)
    const flood = Array.from({ length: 10 }, () => enter(1))
    const others = [enter(2), enter(3)]
    assert.deepStrictEqual(started, [1, 1])
    for (const place of flood.slice(0, 2)) turns.leave(place)
    assert.deepStrictEqual(started, [1, 1, 2, 3])
    for (const place of others) turns.leave(place)
    assert.deepStrictEqual(started, [1, 1, 2, 3, 1, 1])
    for (const place of flood) turns.leave(place)
    assert.strictEqual(turns.waiting, 0)
  })

  it("leave room for others beside one account, but not beside the platform's own work", () => {
    const { enter, started } = book(new FairSemaphore(limits))
    for (let call = 0; call < 10; call++) enter(1)
    enter(2)
    assert.deepStrictEqual(started, [1, 1, 2])
    const platform = book(new FairSemaphore(limits))
    for (let call = 0; call < 10; call++) platform.enter(undefined)
    assert.lengthOf(platform.started, 4)
  })

  it("are fewer for whoever takes long ones while others are there, and as many as before when they are gone", () => {
    let now = 0
    const use = new TenantUsage(() => now)
    const turns = new FairSemaphore({ ...limits, slots: 8, perAccount: 4, perHeavyAccount: 1, use })
    const { enter } = book(turns)
    /** An account that always wants more, with turns of this length. Returns how many it had at a time. */
    const flood = (party: Tenant, millis: number, rounds: number, neighbour?: Tenant): number => {
      const places = Array.from({ length: 6 }, () => enter(party))
      let most = 0
      for (let round = 0; round < rounds; round++) {
        if (neighbour !== undefined) turns.leave(enter(neighbour))
        now += millis
        const running = places.filter(({ state }) => state === "running")
        most = round < rounds / 2 ? 0 : Math.max(most, running.length)
        for (const place of running) turns.leave(place)
        for (const _ of running) places.push(enter(party))
      }
      for (const place of places.reverse()) turns.leave(place)
      return most
    }
    assert.strictEqual(flood(1, 100, 20), 4, "alone")
    assert.strictEqual(flood(1, 100, 20, 2), 1, "beside another, whose turns are short")
    assert.strictEqual(flood(3, 1, 20, 2), 4, "with short turns")
    now += 60_000
    assert.strictEqual(flood(1, 100, 20), 4, "alone again")
  })

  it("are fewer beside one who calls, and has no turns because others' statements answer", () => {
    let now = 0
    const use = new TenantUsage(() => now)
    const isHeavyBeside = (neighbour: boolean): boolean => {
      for (let turn = 0; turn < 30; turn++) {
        if (neighbour) use.recordCall(2)
        use.recordCall(1)
        now += 30
        use.add(1, 30)
      }
      return use.isHeavy(1)
    }
    assert.isFalse(isHeavyBeside(false))
    assert.isTrue(isHeavyBeside(true))
    assert.isFalse(use.isHeavy(2))
    now += 60_000
    assert.isFalse(isHeavyBeside(false))
  })

  it("of one whose turns were long stay few where they are shorter by that, until the others are gone", () => {
    let now = 0
    const use = new TenantUsage(() => now)
    const has = (account: number, millis: number): boolean => {
      for (let turn = 0; turn < 30; turn++) {
        use.add(2, 1)
        now += millis
        use.add(account, millis)
      }
      return use.isHeavy(account)
    }
    assert.isFalse(has(1, 8))
    assert.isTrue(has(1, 30))
    assert.isTrue(has(1, 8))
    assert.isFalse(has(1, 2))
    assert.isFalse(has(1, 8))
  })

  it("are refused beyond a number of those who wait", () => {
    const turns = new FairSemaphore({ ...limits, waitingPerAccount: 3, waiting: 5 })
    const { enter, refused } = book(turns)
    for (let call = 0; call < 6; call++) enter(1)
    assert.isTrue(turns.isFull(1))
    assert.isFalse(turns.isFull(2))
    assert.deepStrictEqual(refused, [1])
    for (let call = 0; call < 6; call++) enter(2)
    for (let call = 0; call < 2; call++) enter(3)
    assert.deepStrictEqual(refused, [1, 2, 2, 3, 3])
  })

  it.live("are refused to those who have waited for too long", () =>
    Effect.gen(function* () {
      const turns = new FairSemaphore({ ...limits, slots: 1, longestWait: 5 })
      const holding = yield* Effect.fork(withFairPermit(turns, 1, Effect.never))
      yield* Effect.yieldNow()
      const exit = yield* Effect.exit(withFairPermit(turns, 2, Effect.void))
      assert.isTrue(Exit.isFailure(exit))
      assert.strictEqual(turns.waiting, 0)
      yield* Fiber.interrupt(holding)
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(withFairPermit(turns, 2, Effect.void))))
    })
  )

  it("never exceed the limits, keep an account's order, and are all given", () => {
    const step = fc.record({ party: fc.integer({ min: 0, max: 4 }), leaves: fc.nat({ max: 3 }), which: fc.nat() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const turns = new FairSemaphore({ ...limits, waiting: 1000, waitingPerAccount: 1000 })
        const places: Array<{ readonly party: Tenant; readonly place: Ticket }> = []
        const startedBy = new Map<number, Array<number>>()
        let entered = 0
        let started = 0
        let left = 0
        const running = (party?: Tenant) =>
          places.filter((one) => one.place.state === "running" && (party === undefined || one.party === party)).length
        const leave = (which: number) => {
          const [one] = places.splice(which % places.length, 1)
          if (one === undefined) return
          if (one.place.state === "waiting") left++
          turns.leave(one.place)
          turns.leave(one.place)
        }
        for (const { leaves, party, which } of steps) {
          const number = entered++
          const place = turns.enter(
            party,
            () => {
              started++
              startedBy.set(party, [...(startedBy.get(party) ?? []), number])
            },
            () => assert.fail("refused")
          )
          places.push({ party, place })
          for (let n = 0; n < leaves && places.length > 0; n++) leave(which)
          assert.isAtMost(running(), limits.slots)
          for (const one of [0, 1, 2, 3, 4]) assert.isAtMost(running(one), limits.perAccount)
        }
        while (places.length > 0) leave(0)
        assert.strictEqual(started + left, entered)
        assert.strictEqual(turns.waiting, 0)
        for (const order of startedBy.values())
          assert.deepStrictEqual(
            order,
            [...order].sort((a, b) => a - b)
          )
      })
    )
  })
})
