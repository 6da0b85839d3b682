import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { channelPaths } from "../../src/Api/OpenApi/ChannelOperations.ts"
import { gatewayPaths } from "../../src/Api/OpenApi/GatewayOperations.ts"
import { openApiOf } from "../../src/Api/OpenApi.ts"
import { rooms } from "../../src/Layers/App.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { TestEngine } from "../Outreach/support/touches.ts"

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

/** The page of the console is for browsers, so the reference of the console describes it and not the document. */
const isPage = ({ path }: { readonly path: string }): boolean => /^\/console(?:\/|$)/.test(path)
const reference = readFileSync("docs/reference/console.md", "utf8")

/** What is served only where a real provider of calls is set up. */
const ofProviders = ["/voice/elevenlabs/post-call", "/voice/twilio/calls/{reference}"]

layer(TestEngine, { excludeTestServices: true })("the routes of rooms", (it) => {
  it.effect("are described, each with its methods, and nothing else is", () =>
    Effect.gen(function* () {
      const all = yield* rooms.endpoints
      const pages = all.filter(isPage)
      assert.lengthOf(pages, 2)
      for (const { methods, path } of pages) {
        assert.deepStrictEqual(Object.keys(methods), ["GET"])
        assert.include(reference, `\`${path.replace("*", "…")}\``)
      }
      const endpoints = all.filter((endpoint) => !isPage(endpoint))
      for (const { methods, path } of endpoints) assert.deepStrictEqual(described(path), Object.keys(methods), path)
      const served = endpoints.map(({ path }) => written(path))
      assert.includeMembers([...served, ...ofProviders], Object.keys(channelPaths))
      const document = openApiOf(AllTools, { baseUrl: "https://gateway.example" })
      assert.containsAllKeys(document["paths"], Object.keys(channelPaths))
    })
  )
})
