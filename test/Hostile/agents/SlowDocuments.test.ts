import type { ServerResponse } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, TestClock } from "effect"
import { makeOAuthClients } from "../../../src/Layers/Mcp/Authorization/Clients.ts"
import { OutboundFailure, OutboundHttp, type OutboundResponse } from "../../../src/Services/Outbound/OutboundHttp.ts"
import { openConsent } from "../../Mcp/ownersBrowser.ts"
import { asking, Gateway, redirectUri } from "../../Mcp/programs.ts"
import { localHttpsServer } from "../../support/servers/LocalHttpsServer.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const jsonOf = (clientId: string) => JSON.stringify({ client_id: clientId, redirect_uris: [redirectUri] })

const opened = (clientId: string) => Effect.flatMap(asking(clientId), (url) => Effect.promise(() => openConsent(url)))

layer(Gateway, { excludeTestServices: true })("hosts of programs' documents that never answer", (it) => {
  it.scoped("stop neither other hosts' programs nor, for long, the one that opens them", () =>
    Effect.gen(function* () {
      const heldRequests: Array<ServerResponse> = []
      const slow = yield* localHttpsServer((_request, response) => void heldRequests.push(response))
      const good = yield* localHttpsServer((request, response) => {
        response.end(jsonOf(`${good.url}${request.url ?? ""}`))
      })
      const flood = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, at) => `${slow.url}/program${at}.json`),
        (clientId) => Effect.fork(opened(clientId)),
        { concurrency: "unbounded" }
      )
      const answers = yield* Effect.forEach(flood, Fiber.join)
      // The bound of the address holds them: few reach the host, and the others learn at once that they may return.
      assert.isAtMost(heldRequests.length, 4)
      assert.strictEqual(answers.filter(({ status }) => status === 503).length, 20 - heldRequests.length)
      assert.strictEqual((yield* opened(`${good.url}/client.json`)).status, 200)
    })
  )
})

const clientId = "https://program.example/client.json"
const knownClient = { id: clientId, name: "program.example", host: "program.example" }

/** The clients of a gateway for whom the outside answers as `answer` says. */
const clientsWith = (answer: (url: string) => Effect.Effect<OutboundResponse, OutboundFailure>) =>
  makeOAuthClients.pipe(Effect.provide(Layer.mock(OutboundHttp, { request: ({ url }) => answer(url) })))

const good = (url: string): OutboundResponse => ({ status: 200, headers: {}, body: Buffer.from(jsonOf(url)) })
const away = Effect.fail(new OutboundFailure({ reason: "timed_out", mayHaveArrived: false }))

layer(TestDatabase)("a program's document", (it) => {
  it.effect("that was good is served for a day while its host is away, and no longer", () =>
    Effect.gen(function* () {
      let isAway = false
      const { find } = yield* clientsWith((url) => (isAway ? away : Effect.succeed(good(url))))
      assert.deepInclude(yield* find(clientId, "a"), knownClient)
      isAway = true
      for (let hour = 0; hour < 23; hour++) {
        yield* TestClock.adjust("1 hour")
        assert.deepInclude(yield* find(clientId, "a"), knownClient)
      }
      yield* TestClock.adjust("2 hours")
      assert.deepInclude(yield* Effect.flip(find(clientId, "a")), { reason: "document_unreachable" })
      isAway = false
      yield* TestClock.adjust("11 seconds")
      assert.deepInclude(yield* find(clientId, "a"), knownClient)
    })
  )

  it.effect("that its host took back is used by no one", () =>
    Effect.gen(function* () {
      let status = 200
      const { find } = yield* clientsWith((url) => Effect.succeed({ ...good(url), status }))
      yield* find(clientId, "a")
      status = 404
      yield* TestClock.adjust("6 minutes")
      yield* find(clientId, "a")
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* Effect.flip(find(clientId, "a")), { reason: "document_gone" })
    })
  )

  it.effect(
    "is found while all places of slow hosts are taken, by many addresses, and the lack of room is forgotten",
    () =>
      Effect.gen(function* () {
        const { find } = yield* clientsWith((url) =>
          url.includes("slow") ? Effect.zipRight(Effect.sleep("5 seconds"), away) : Effect.succeed(good(url))
        )
        const slow = (at: number) => find(`https://slow.example/${at}.json`, `address ${at}`)
        const heldRequests = yield* Effect.forEach(Array.from({ length: 200 }).keys(), (at) =>
          Effect.fork(Effect.flip(slow(at)))
        )
        yield* TestClock.adjust("10 millis")
        assert.deepInclude(yield* find(clientId, "victim"), knownClient)
        yield* TestClock.adjust("6 seconds")
        const failures = yield* Effect.forEach(heldRequests, Fiber.join)
        assert.strictEqual(failures.filter(({ _tag }) => _tag === "ClientUnknown").length, 4)
        // One that had no room is looked up at once on its next request.
        const again = yield* Effect.fork(Effect.flip(slow(150)))
        yield* TestClock.adjust("6 seconds")
        assert.strictEqual((yield* Fiber.join(again))._tag, "ClientUnknown")
      })
  )

  it.effect("is found while a domain has any number of slow hosts and ports, asked for from many addresses", () =>
    Effect.gen(function* () {
      for (const [at, slowHost] of [
        (at: number) => `s${at}.slow.example`,
        (at: number) => `s${at}.slow.com.br`,
        (at: number) => `slow.example:${2000 + at}`,
        (at: number) => `s${at}.slow.example.`
      ].entries()) {
        const { find } = yield* clientsWith((url) =>
          url.includes("slow") ? Effect.zipRight(Effect.sleep("5 seconds"), away) : Effect.succeed(good(url))
        )
        const heldRequests = yield* Effect.forEach(Array.from({ length: 200 }).keys(), (count) =>
          Effect.fork(Effect.flip(find(`https://${slowHost(count)}/client.json`, `address ${count}`)))
        )
        yield* TestClock.adjust("10 millis")
        assert.deepInclude(yield* find(clientId, "victim"), knownClient, String(at))
        yield* TestClock.adjust("6 seconds")
        yield* Effect.forEach(heldRequests, Fiber.join)
      }
    })
  )

  it.effect("of a fast host is looked up thirty times a minute for one address", () =>
    Effect.gen(function* () {
      let lookUps = 0
      const { find } = yield* clientsWith((url) => Effect.sync(() => (lookUps++, good(url))))
      for (let at = 0; at < 100; at++) yield* Effect.exit(find(`https://scan${at}.example/client.json`, "scanner"))
      assert.strictEqual(lookUps, 30)
      yield* TestClock.adjust("61 seconds")
      assert.deepInclude(yield* find(clientId, "scanner"), knownClient)
    })
  )
})
