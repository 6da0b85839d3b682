import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { channelPaths } from "../../src/Api/OpenApi/ChannelOperations.ts"
import { gatewayPaths } from "../../src/Api/OpenApi/GatewayOperations.ts"
import { openApiOf } from "../../src/Api/OpenApi.ts"
import { rooms } from "../../src/Layers/App.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { TestEngine } from "../Outreach/touches.ts"

/** The path as the document writes it. */
const written = (path: string): string => path.replace(/:(\w+)/g, "{$1}").replace(/\/\*$/, "/{address}")

const described = (path: string): ReadonlyArray<string> => {
  const item = { ...gatewayPaths, ...channelPaths }[written(path)]
  return typeof item === "object" && item !== null
    ? Object.keys(item)
        .filter((member) => member !== "parameters")
        .map((method) => method.toUpperCase())
    : []
}

/** What is served only where a real provider of calls is set up. */
const ofProviders = ["/voice/elevenlabs/post-call", "/voice/twilio/calls/{reference}"]

layer(TestEngine, { excludeTestServices: true })("the routes of rooms", (it) => {
  it.effect("are described, each with its methods, and nothing else is", () =>
    Effect.gen(function* () {
      const endpoints = yield* rooms.endpoints
      for (const { methods, path } of endpoints) assert.deepStrictEqual(described(path), Object.keys(methods), path)
      const served = endpoints.map(({ path }) => written(path))
      assert.includeMembers([...served, ...ofProviders], Object.keys(channelPaths))
      const document = openApiOf(AllTools, { baseUrl: "https://gateway.example" })
      assert.containsAllKeys(document["paths"], Object.keys(channelPaths))
    })
  )
})
