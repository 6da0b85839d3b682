import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import * as fc from "fast-check"
import { ServerAddress } from "../../src/Layers/Platform/Http/Server.ts"
import { makeTokenHolder, testGateway } from "../support/TestServer.ts"
import { type BadRequest, badRequest, problemOf, routes } from "./badRequests.ts"
import { deliverySettings, signedDelivery } from "./signedDeliveries.ts"

// A sample; `npm run test:hostile` sends as many as one wants.
const inputs = 500

const Gateway = testGateway({ bodyLimit: 1024 * 1024 }).pipe(
  Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(deliverySettings)))))
)

layer(Gateway, { excludeTestServices: true })("a request to any other route", (it) => {
  const problemsOf = (requests: ReadonlyArray<BadRequest>) =>
    Effect.gen(function* () {
      const { host, port } = yield* ServerAddress
      const { token } = yield* makeTokenHolder()
      const problems = yield* Effect.forEach(
        requests,
        (request, index) =>
          Effect.promise(() => problemOf(`http://${host}:${port}`, request, index % 2 === 0 ? token : undefined)),
        { concurrency: 10 }
      )
      return problems.filter((problem) => problem !== undefined)
    })

  it.effect("is answered in a shape that the platform decided on", () =>
    Effect.gen(function* () {
      const requests = fc.sample(badRequest, { numRuns: inputs, seed: 20261122 })
      assert.isAtLeast(new Set(requests.map(({ path }) => path.split("/")[1])).size, 15)
      assert.isAtLeast(routes.length, 60)
      assert.deepStrictEqual(yield* problemsOf(requests), [])
    })
  )

  it.effect("is answered so too where it is signed as its provider signs, whatever stands in it", () =>
    Effect.gen(function* () {
      const deliveries = fc.sample(signedDelivery, { numRuns: 150, seed: 20261122 })
      assert.strictEqual(new Set(deliveries.map(({ path }) => path)).size, 3)
      assert.deepStrictEqual(yield* problemsOf(deliveries), [])
    })
  )
})
