import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { makeTokenHolder, send, testGateway } from "../support/TestServer.ts"
import { badCall, undecided } from "./badCalls.ts"

// A sample; `npm run test:hostile` sends as many as one wants.
const inputs = 300

layer(testGateway({ bodyLimit: 1024 * 1024 }), { excludeTestServices: true })("a call with any arguments", (it) => {
  it.effect("is answered in a shape that the platform decided on", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      for (const { body, tool } of fc.sample(badCall, { numRuns: inputs, seed: 20261122 })) {
        const { status, text } = yield* send(`/rest/v1/tools/${tool}`, { method: "POST", token, body })
        assert.isUndefined(undecided(status, text), `${tool} ${body.slice(0, 500)}`)
      }
    })
  )
})
