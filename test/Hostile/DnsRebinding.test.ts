import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeNameResolver } from "../../src/Layers/Platform/Outbound/NameResolver.ts"
import { nameServer } from "../Outbound/nameServer.ts"
import { client } from "../Outbound/outboundClient.ts"
import { canary } from "../Websites/Pages/hostilePages.ts"

/** The address that an attacker shows first. No one is there: it is for documents. */
const harmless = "192.0.2.1"

it.scopedLive("an attacker's name server, which answers otherwise each time, leads no request inside", () =>
  Effect.gen(function* () {
    const bird = yield* canary
    let questions = 0
    const answers: ReadonlyArray<ReadonlyArray<string>> = [
      [harmless],
      [bird.address],
      [harmless, bird.address],
      [bird.address, harmless],
      ["169.254.169.254"],
      ["10.0.0.1"]
    ]
    const { asked: questionNames, server } = yield* nameServer((_, family) =>
      family === 4 ? (answers[questions++ % answers.length] ?? []) : questions % 2 === 0 ? ["0:0:0:0:0:0:0:1"] : []
    )
    const resolve = makeNameResolver({
      servers: [server],
      systemNames: () => Promise.resolve({ hosts: new Map(), searched: [] })
    })
    const outbound = yield* client({ allowLoopback: false, resolve: (name) => resolve(name, { party: undefined }) })
    const failures = yield* Effect.forEach(
      Array.from({ length: 4 * answers.length }).keys(),
      (round) =>
        Effect.flip(
          outbound.request({
            method: "GET",
            url: `http://rebind${round % 3}.example/`,
            allowHttp: true,
            timeout: "300 millis"
          })
        ),
      { concurrency: 4 }
    )
    assert.isAtLeast(questionNames.length, 4 * answers.length)
    assert.isAbove(failures.filter(({ reason }) => reason === "address_not_public").length, 0)
    assert.strictEqual(bird.hits(), 0)
  })
)
