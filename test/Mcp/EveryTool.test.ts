import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { recordsOfAccount } from "../support/AllRecords.ts"
import type { RecordIds } from "../support/leads/RoomRecords.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { legacy, modern, rpc, textOf } from "./speaking.ts"

class Account extends Context.Tag("Account")<Account, { readonly token: string; readonly records: RecordIds }>() {}

const AccountLive = Layer.effect(
  Account,
  Effect.gen(function* () {
    const { caller, token } = yield* makeTokenHolder()
    return { token, records: yield* recordsOfAccount(caller) }
  })
)

const everything = "/mcp/x/all"

/** A link is sealed anew each time it is given, and a window that ends now ends a second later a second later. */
const withoutMoment = (text: string): string =>
  text.replace(/link=[A-Za-z0-9_-]{1,400}/g, "link=").replace(/"until":"[^"]{20}"/g, '"until":""')

layer(AccountLive.pipe(Layer.provideMerge(testGateway())), { excludeTestServices: true })("every tool", (it) => {
  const threeWays = (name: string, args: object) =>
    Effect.gen(function* () {
      const { token } = yield* Account
      const rest = yield* send(`/rest/v1/tools/${name}`, {
        method: "POST",
        token,
        body: JSON.stringify(args),
        headers: { "X-Request-Id": "three-ways" }
      })
      const newer = yield* modern(token, "tools/call", { name, arguments: args }, { path: everything })
      const older = yield* legacy(token, "tools/call", { name, arguments: args }, everything)
      assert.strictEqual(withoutMoment(textOf(newer)), withoutMoment(rest.text))
      assert.strictEqual(withoutMoment(textOf(older)), withoutMoment(rest.text))
      for (const answer of [newer, older]) {
        const result = rpc(answer).result
        if (rest.status === 200) {
          // What is parsed is compared as bytes too: the member stands in the message as REST wrote it.
          assert.include(withoutMoment(answer.text), `"structuredContent":${withoutMoment(rest.text)}`)
        } else assert.isTrue(result?.isError)
      }
    })

  it.effect.each(AllTools.entries.map(({ tool }) => tool))("$name refuses with the same bytes as REST", ({ name }) =>
    threeWays(name, { no_such_parameter: 1.1 })
  )

  it.effect.each(AllTools.entries.map(({ tool }) => tool).filter(({ kind }) => kind === "read"))(
    "$name answers the same bytes as REST",
    (tool) =>
      Effect.gen(function* () {
        const { records } = yield* Account
        const ids = Object.fromEntries(
          Object.keys(tool.example).flatMap((name) =>
            typeof records[name] === "number" ? [[name, records[name]]] : []
          )
        )
        yield* threeWays(tool.name, { ...tool.example, ...ids })
      })
  )

  it.effect("numbers keep the digits they were written with", () =>
    Effect.gen(function* () {
      const { token } = yield* Account
      const body = (inner: string) =>
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_leads","arguments":{"query":${inner}}}}`
      const answer = yield* send(everything, { method: "POST", token, body: body("1.10") })
      const text = yield* send(everything, { method: "POST", token, body: body('"1.10"') })
      assert.strictEqual(answer.text, text.text)
      assert.isUndefined(rpc(answer).error)
    })
  )
})
