import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { ServerAddress } from "../../src/Layers/Platform/Http/Server.ts"
import { makeTokenHolder, testGateway } from "../support/TestServer.ts"
import { badRequest, problemOf, routes } from "./badRequests.ts"

// A sample; `npm run test:hostile` sends as many as one wants.
const inputs = 500

layer(testGateway({ bodyLimit: 1024 * 1024 }), { excludeTestServices: true })("a request to any other route", (it) => {
  it.effect("is answered in a shape that the platform decided on", () =>
    Effect.gen(function* () {
      const { host, port } = yield* ServerAddress
      const { token } = yield* makeTokenHolder()
      const requests = fc.sample(badRequest, { numRuns: inputs, seed: 20261122 })
      assert.isAtLeast(new Set(requests.map(({ path }) => path.split("/")[1])).size, 15)
      assert.isAtLeast(routes.length, 60)
      const problems = yield* Effect.forEach(
        requests,
        (request, index) =>
          Effect.promise(() => problemOf(`http://${host}:${port}`, request, index % 2 === 0 ? token : undefined)),
        { concurrency: 10 }
      )
      assert.deepStrictEqual(
        problems.filter((problem) => problem !== undefined),
        []
      )
    })
  )
})
