import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { channelPaths } from "../../src/Api/OpenApi/ChannelOperations.ts"
import { openApiOf } from "../../src/Api/OpenApi.ts"
import { AccessTokensPostgres } from "../../src/Layers/Accounts/AccessTokensPostgres.ts"
import { channelEndpoints } from "../../src/Layers/Channels.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { TestEngine } from "../Outreach/touches.ts"

const described = (path: string): ReadonlyArray<string> => {
  const item = channelPaths[path.replace(/:(\w+)/g, "{$1}")]
  return typeof item === "object" && item !== null
    ? Object.keys(item)
        .filter((member) => member !== "parameters")
        .map((method) => method.toUpperCase())
    : []
}

/** What is served only where a real provider of calls is set up. */
const ofProviders = ["/voice/elevenlabs/post-call", "/voice/twilio/calls/{reference}"]

layer(AccessTokensPostgres.pipe(Layer.provideMerge(TestEngine)), { excludeTestServices: true })(
  "the routes of the channels",
  (it) => {
    it.effect("are described, each with its methods, and nothing else is", () =>
      Effect.gen(function* () {
        const endpoints = yield* channelEndpoints
        for (const { methods, path } of endpoints) assert.deepStrictEqual(described(path), Object.keys(methods), path)
        const served = endpoints.map(({ path }) => path.replace(/:(\w+)/g, "{$1}"))
        assert.sameMembers(Object.keys(channelPaths), [...served, ...ofProviders])
        const document = openApiOf(AllTools, { baseUrl: "https://gateway.example" })
        assert.containsAllKeys(document["paths"], Object.keys(channelPaths))
      })
    )
  }
)
