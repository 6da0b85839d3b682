import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Runtime } from "effect"
import { makeBackgroundScheduler } from "../../src/Layers/Platform/Fairness/BackgroundScheduler.ts"
import { cachedCooperative } from "../../src/Layers/Platform/Fairness/EventLoop.ts"
import { makeCallSchedulers } from "../../src/Layers/Platform/Http/Admission/CallSchedulers.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"

it.effect("long work lets the event loop turn, however many fibers can go on", () =>
  Effect.gen(function* () {
    // Each reading of the clock is a millisecond later.
    let millis = 0
    const scheduler = makeBackgroundScheduler(
      () => false,
      () => millis++
    )("background work")
    const fork = Runtime.runFork(yield* Effect.runtime<never>())
    const steps = { done: 0 }
    const step = Effect.zipRight(
      Effect.sync(() => steps.done++),
      Effect.yieldNow()
    )
    const fibers = Array.from({ length: 5 }, () => fork(Effect.repeatN(step, 99), { scheduler }))
    const sliceTimes: Array<number> = []
    const ended = yield* Deferred.make<void>()
    const look = () => {
      sliceTimes.push(steps.done)
      if (steps.done < 500) setImmediate(look)
      else Deferred.unsafeDone(ended, Effect.void)
    }
    setImmediate(look)
    yield* Deferred.await(ended)
    yield* Fiber.joinAll(fibers)
    const gained = sliceTimes.map((done, index) => done - (sliceTimes[index - 1] ?? 0))
    assert.isAtMost(Math.max(...gained), 10)
    assert.isAbove(sliceTimes.length, 50)
  })
)

it.effect("the pieces of one party's work wait for one piece of another's, however many of those there are", () =>
  Effect.gen(function* () {
    let millis = 0
    const work = makeBackgroundScheduler(
      () => false,
      () => millis++
    )
    const fork = Runtime.runFork(yield* Effect.runtime<never>())
    const done: Array<string> = []
    const step = (party: string) =>
      Effect.zipRight(
        Effect.sync(() => done.push(party)),
        Effect.yieldNow()
      )
    const floods = Array.from({ length: 100 }, () =>
      fork(Effect.repeatN(step("flood"), 9), { scheduler: work("flood") })
    )
    const other = fork(Effect.repeatN(step("other"), 9), { scheduler: work("other") })
    // The first step of each runs where it begins.
    const startedFloods = floods.length
    yield* Fiber.join(other)
    assert.isAtMost(done.filter((party) => party === "flood").length - startedFloods, 20)
    yield* Fiber.joinAll(floods)
    assert.strictEqual(done.length, 1010)
  })
)

const callOf = (headers: Readonly<Record<string, string>> = {}) => {
  const request = Object.assign(new IncomingMessage(new Socket()), { headers })
  return { request, response: new ServerResponse(request) }
}

it("long work is a call with a long body, and each of an account's while it has very many under way", () => {
  const schedulerOf = makeCallSchedulers(makeBackgroundScheduler(() => false))
  const [crowd, other] = [AccountId.make(1), AccountId.make(2)]
  const isLong = ({ request, response }: ReturnType<typeof callOf>, account: AccountId) =>
    schedulerOf(request, response, account) !== undefined
  assert.isFalse(isLong(callOf({ "content-length": "100" }), other))
  assert.isTrue(isLong(callOf({ "content-length": "100000" }), other))
  assert.isTrue(isLong(callOf({ "transfer-encoding": "chunked" }), other))
  const calls = Array.from({ length: 100 }, () => callOf())
  assert.strictEqual(calls.filter((call) => isLong(call, crowd)).length, 36)
  // A call that was already counted is not counted again.
  for (const call of calls) isLong(call, crowd)
  assert.isFalse(isLong(callOf(), other))
  for (const { response } of calls) response.emit("close")
  assert.isFalse(isLong(callOf(), crowd))
})

it.effect("work in pieces lets the event loop turn, and is done once for all who ask", () =>
  Effect.gen(function* () {
    let millis = 0
    const pieces = { done: 0 }
    const answer = yield* cachedCooperative(
      function* () {
        for (let piece = 0; piece < 100; piece++) {
          pieces.done++
          yield
        }
        return pieces.done
      },
      () => millis++
    )
    const steps: Array<number> = []
    const look = () => {
      steps.push(pieces.done)
      if (pieces.done < 100) setImmediate(look)
    }
    setImmediate(look)
    assert.deepStrictEqual(yield* Effect.all([answer, answer], { concurrency: 2 }), [100, 100])
    assert.strictEqual(yield* answer, 100)
    const gained = steps.map((done, index) => done - (steps[index - 1] ?? 0))
    assert.isAtMost(Math.max(...gained), 10)
  })
)

it.effect("work in pieces goes on when whoever asked first has gone", () =>
  Effect.gen(function* () {
    const started = yield* Deferred.make<void>()
    let millis = 0
    const answer = yield* cachedCooperative(
      function* () {
        Deferred.unsafeDone(started, Effect.void)
        for (let piece = 0; piece < 50; piece++) yield
        return "made"
      },
      () => millis++
    )
    const first = yield* Effect.fork(answer)
    yield* Deferred.await(started)
    const interruption = yield* Effect.fork(Fiber.interrupt(first))
    assert.strictEqual(yield* answer, "made")
    yield* Fiber.join(interruption)
  })
)
