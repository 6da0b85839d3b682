import * as net from "node:net"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Either, Schedule } from "effect"
import * as fc from "fast-check"
import {
  absenceMillis,
  type BodyBudget,
  type BodyTenant,
  bytesPerSecond,
  isAnonymous,
  largeBodyBytes,
  makeBodyBudget
} from "../../../src/Layers/Platform/Http/Admission/BodyBudget.ts"
import { pieceBytes } from "../../../src/Layers/Platform/Http/Bodies/BodyReads.ts"
import { takeBody } from "../../../src/Layers/Platform/Http/Bodies/RequestBody.ts"
import { ServerAddress } from "../../../src/Layers/Platform/Http/Server.ts"
import { FaultTools } from "../../support/checks/FaultTools.ts"
import { localHttpServer } from "../../support/servers/LocalHttpServer.ts"
import { makeTokenHolder, send, testServer } from "../../support/servers/TestServer.ts"

/** Sends the head of a request and a part of its body. Returns the answer. */
const halfSent = (path: string, headers: ReadonlyArray<string>, sent: number) =>
  Effect.gen(function* () {
    const { host, port } = yield* ServerAddress
    return yield* Effect.acquireRelease(
      Effect.sync(() => {
        const connection = { answer: "", socket: net.connect({ host, port }) }
        const head = [`POST ${path} HTTP/1.1`, "Host: gateway.test", ...headers, `Content-Length: ${sent + 1}`]
        connection.socket.on("error", () => {})
        connection.socket.on("data", (bytes) => {
          connection.answer += bytes.toString("latin1")
        })
        connection.socket.write(`${head.join("\r\n")}\r\n\r\n`)
        connection.socket.write(Buffer.alloc(sent, 0x20))
        return connection
      }),
      ({ socket }) => Effect.sync(() => socket.destroy())
    )
  })

layer(testServer(FaultTools, { bodyBufferLimit: 256 * 1024 }), { excludeTestServices: true })(
  "bodies that are never sent to their end",
  (it) => {
    it.effect("are held up to a limit for one account, which others do not feel, and given back", () =>
      Effect.gen(function* () {
        const holder = yield* makeTokenHolder()
        const other = yield* makeTokenHolder()
        const body = `{"name":"x"${" ".repeat(20_000)}}`
        const call = (token: string) => send("/rest/v1/tools/write_something", { method: "POST", token, body })
        yield* Effect.scoped(
          Effect.gen(function* () {
            const headers = [`Authorization: Bearer ${holder.token}`]
            const connections = yield* Effect.all(
              Array.from({ length: 6 }, () => halfSent("/rest/v1/tools/write_something", headers, 30_000))
            )
            const refused = () => connections.filter(({ answer }) => answer !== "")
            yield* Effect.repeat(Effect.sync(refused), {
              until: (answered) => answered.length >= 4,
              schedule: Schedule.spaced("5 millis")
            })
            for (const { answer } of refused()) {
              assert.match(answer, /^HTTP\/1\.1 503 .*\r\nRetry-After: 2\r\n.*"reason":"overloaded"/s)
            }
            assert.strictEqual((yield* call(holder.token)).status, 503)
            const dispatched = yield* send("/api/v1/tools/write_something", {
              method: "POST",
              token: holder.token,
              body
            })
            assert.strictEqual(dispatched.status, 500)
            assert.strictEqual(dispatched.headers.get("retry-after"), "2")
            assert.strictEqual((yield* call(other.token)).status, 200)
          })
        )
        yield* Effect.repeat(call(holder.token), {
          until: ({ status }) => status === 200,
          schedule: Schedule.spaced("5 millis")
        })
      })
    )
  }
)

layer(testServer(FaultTools), { excludeTestServices: true })("the rest of a request that is refused early", (it) => {
  const refused = (length: number) =>
    Effect.gen(function* () {
      const { host, port } = yield* ServerAddress
      const socket = yield* Effect.acquireRelease(
        Effect.sync(() => net.connect({ host, port })),
        (open) => Effect.sync(() => open.destroy())
      )
      let answer = ""
      socket.on("error", () => {})
      socket.on("data", (bytes) => {
        answer += bytes.toString("latin1")
      })
      const told = (text: string) =>
        Effect.repeat(
          Effect.sync(() => answer),
          { until: (all: string) => all.includes(text), schedule: Schedule.spaced("5 millis") }
        ).pipe(Effect.map(() => answer))
      const head = ["POST /rest/v1/tools/write_something HTTP/1.1", "Host: gateway.test", `Content-Length: ${length}`]
      socket.write(`${head.join("\r\n")}\r\n\r\n{`)
      return { socket, told, first: yield* told("how_to_fix") }
    })

  it.scoped("is read to its end where it is short, and the connection stays", () =>
    Effect.gen(function* () {
      const length = 900_000
      const { first, socket, told } = yield* refused(length)
      assert.match(first, /^HTTP\/1\.1 401 /)
      assert.notMatch(first, /Connection: close/i)
      socket.write(Buffer.alloc(length - 1, 0x20))
      socket.write("GET /health/live HTTP/1.1\r\nHost: gateway.test\r\n\r\n")
      assert.match(yield* told("HTTP/1.1 200"), /HTTP\/1\.1 200 OK/)
    })
  )

  it.scoped("is not waited for where it is long", () =>
    Effect.gen(function* () {
      const { first } = yield* refused(2_000_000)
      assert.match(first, /^HTTP\/1\.1 401 [^]*Connection: close/i)
    })
  )
})

describe("a body of many pieces", () => {
  it.scoped("is read in pieces, each in a turn of its own, and nothing of it between them", () =>
    Effect.gen(function* () {
      const size = 5 * pieceBytes
      const pieces: Array<number> = []
      const budget: BodyBudget["Type"] = {
        ...makeBodyBudget(64 * 1024 * 1024),
        readingOf: () => ({
          next: (read) => {
            pieces.push(0)
            setImmediate(read)
          },
          end: () => {}
        })
      }
      const { url } = yield* localHttpServer((request, response) => {
        const onChunk = ({ length }: Buffer) => {
          pieces.push((pieces.pop() ?? 0) + length)
        }
        takeBody(request, response, { budget, limit: size, onChunk, tenant: 1 }, (body) => {
          response.end(Either.isRight(body) ? String(body.right.length) : "refused")
        })
      })
      const answer = yield* Effect.promise(() =>
        fetch(url, { method: "POST", body: Buffer.alloc(size) }).then((response) => response.text())
      )
      assert.strictEqual(answer, String(size))
      assert.strictEqual(
        pieces.reduce((sum, bytes) => sum + bytes),
        size
      )
      // A read of the socket may return more than the piece.
      for (const bytes of pieces) assert.isBelow(bytes, pieceBytes + 64 * 1024 + 1)
      assert.isAtLeast(pieces.length, 5)
    })
  )
})

const clockAt = (now: () => number) => ({
  longestTurnMillis: 60_000,
  now,
  later: (run: () => void, millis: number) => setTimeout(run, millis).unref()
})

describe("the budget", () => {
  const tenants = [
    ...[1, 2, 3, 4, 5],
    "key /inbound/mail" as const,
    ...Array.from({ length: 8 }, (_, number) => `address 10.0.0.${number}` as const)
  ]

  it("never holds more than it may, and forgets what was given back", () => {
    const step = fc.record({
      party: fc.constantFrom(...tenants),
      bytes: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 60 }))
    })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const budget = makeBodyBudget(200)
        const reservedBytes = new Map<BodyTenant, number>()
        const sumOf = (kinds: ReadonlySet<boolean>) =>
          [...reservedBytes].reduce((sum, [tenant, bytes]) => sum + (kinds.has(isAnonymous(tenant)) ? bytes : 0), 0)
        const all = () => sumOf(new Set([true, false]))
        for (const { bytes, party } of steps) {
          const before = reservedBytes.get(party) ?? 0
          const isUnknown = isAnonymous(party)
          // An eighth of 200 bytes is for all addresses, and an eighth of that for each of them.
          const fits =
            before + bytes <= (isUnknown ? 4 : 50) && sumOf(new Set([isUnknown])) + bytes <= (isUnknown ? 25 : 175)
          assert.strictEqual(budget.reserve(party, bytes), fits)
          if (fits) reservedBytes.set(party, before + bytes)
          assert.strictEqual(budget.reservedBytes(), all())
        }
        for (const [party, bytes] of reservedBytes) budget.release(party, bytes)
        assert.strictEqual(budget.reservedBytes(), 0)
      })
    )
  })
})

describe("turns of bodies", () => {
  // So small that the rate limit, which has a separate test, does not delay any.
  const size = largeBodyBytes
  const nobody = () => assert.fail("refused")
  const turn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))
  const turns = (count: number) => Effect.repeatN(turn, count - 1)

  it("lets a small one pass at once, whatever waits", () => {
    const { enqueue } = makeBodyBudget(size, { clock: clockAt(() => performance.now()) })
    const done: Array<string> = []
    enqueue(1, size, () => done.push("large"), nobody)
    enqueue(2, 100, () => done.push("small"), nobody)
    assert.deepStrictEqual(done, ["small"])
  })

  it.effect("begins with one large one in each turn of the event loop, and works on one of a party at a time", () =>
    Effect.gen(function* () {
      // Each turn took longer than the rate limit requires.
      let now = 0
      const { enqueue } = makeBodyBudget(size, { clock: clockAt(() => (now += 100)) })
      const startedTurns: Array<Array<string>> = [[]]
      const leave = new Map<string, () => void>()
      const enter = (party: BodyTenant, name: string) =>
        leave.set(
          name,
          enqueue(party, size, () => startedTurns.at(-1)?.push(name), nobody)
        )
      for (let request = 1; request <= 9; request++) enter(1, `a${request}`)
      enter("address 10.0.0.1", "b1")
      for (let passed = 0; passed < 12; passed++) {
        yield* turn
        startedTurns.push([])
      }
      assert.isAtMost(Math.max(...startedTurns.map(({ length }) => length)), 1)
      assert.deepStrictEqual(startedTurns.flat(), ["a1", "b1"])
      leave.get("a1")?.()
      yield* turns(3)
      assert.deepStrictEqual(startedTurns.flat().slice(2), ["a2"])
      // A waiting body that gives up is skipped.
      leave.get("a3")?.()
      leave.get("a2")?.()
      yield* turns(3)
      assert.deepStrictEqual(startedTurns.flat().slice(3), ["a4"])
      // Bodies that still wait would be refused during a later test.
      for (const leaveTurn of leave.values()) leaveTurn()
    })
  )

  it.effect("refuses one of a party of which very many wait", () =>
    Effect.sync(() => {
      const { enqueue } = makeBodyBudget(size, { clock: clockAt(() => performance.now()) })
      let refused = 0
      const refuse = () => void refused++
      for (let request = 0; request < 1010; request++) enqueue(1, size, () => {}, refuse)
      assert.strictEqual(refused, 9)
      enqueue("address 10.0.0.1", size, () => {}, nobody)()
    })
  )

  describe("with bodies of half a second", () => {
    const large = bytesPerSecond / 2
    /** Two bodies of one tenant. The first is answered after 100 ms. Returns how long the second waits after that. */
    const waitOfSecond = (
      prepare: (came: (party: BodyTenant) => void, pass: (millis: number) => void) => void,
      leavesWork = false
    ) =>
      Effect.gen(function* () {
        let time = 0
        const timers: Array<{ readonly run: () => void; readonly millis: number }> = []
        const budget = makeBodyBudget(4 * large, {
          clock: {
            longestTurnMillis: 60_000,
            now: () => time,
            later: (run, millis) => {
              timers.push({ run, millis })
              return setTimeout(() => {}, 0)
            }
          }
        })
        const pass = (millis: number): void => {
          time += millis
        }
        prepare(budget.recordCall, pass)
        let startedCount = 0
        const leaveFirst = budget.enqueue(1, large, () => void startedCount++, nobody, leavesWork)
        const leaveSecond = budget.enqueue(1, large, () => void startedCount++, nobody, leavesWork)
        yield* turns(3)
        assert.strictEqual(startedCount, 1)
        pass(100)
        leaveFirst()
        const waits = timers.slice(1).filter(({ millis }) => millis < 60_000)
        yield* turns(3)
        assert.strictEqual(startedCount, waits.length === 0 ? 2 : 1)
        for (const { run } of waits) run()
        yield* turns(3)
        assert.strictEqual(startedCount, 2)
        pass(60_000)
        leaveSecond()
        return waits.map(({ millis }) => millis)
      })

    it.effect("a lone party's follow each other at once", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* waitOfSecond(() => {}), [])
        assert.deepStrictEqual(yield* waitOfSecond((came) => came(1)), [])
      })
    )

    it.effect("a lone party's come at half the pace from the first if they leave work behind", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* waitOfSecond(() => {}, true), [900])
      })
    )

    it.effect("they come at a pace while another one calls, with however little, and until it is gone", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* waitOfSecond((came) => came("address 10.0.0.1")), [400])
        const after = (millis: number) =>
          waitOfSecond((came, pass) => {
            came("address 10.0.0.1")
            pass(millis)
          })
        assert.deepStrictEqual(yield* after(absenceMillis / 2), [400])
        assert.deepStrictEqual(yield* after(absenceMillis), [])
      })
    )
  })

  it.effect("forgets nobody", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.nat({ max: 4 }), { maxLength: 60 }), async (parties) => {
          const { enqueue } = makeBodyBudget(size, { clock: clockAt(() => performance.now()) })
          const done: Array<number> = []
          await Promise.all(
            parties.map(
              (party, index) =>
                new Promise<void>((resolve) => {
                  const leave = enqueue(
                    party,
                    size,
                    () => {
                      done.push(index)
                      setImmediate(() => {
                        leave()
                        resolve()
                      })
                    },
                    nobody
                  )
                })
            )
          )
          for (const party of new Set(parties)) {
            const ownTurns = done.filter((index) => parties[index] === party)
            assert.deepStrictEqual(
              ownTurns,
              ownTurns.toSorted((a, b) => a - b)
            )
          }
          assert.lengthOf(done, parties.length)
        }),
        { numRuns: 50 }
      )
    )
  )
})
