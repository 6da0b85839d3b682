import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mostValues } from "../../../src/Api/JsonSource.ts"
import { newConsole, ownWrite } from "../../Console/browsing.ts"
import { send, testGateway } from "../../support/servers/TestServer.ts"

const bodyLimit = 1024 * 1024

layer(testGateway({ bodyLimit, trustedProxies: () => true }), { excludeTestServices: true })(
  "a call that someone is to confirm",
  (it) => {
    it.effect("is refused before it is decoded if it has very many arguments, and if they are no single values", () =>
      Effect.gen(function* () {
        const { Cookie } = (yield* newConsole).console
        const ask = (args: string) =>
          send("/console/api/confirmations", {
            method: "POST",
            headers: { Cookie, ...ownWrite },
            body: `{"tool":"stop_lead","arguments":${args}}`
          })
        const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"a${at}":1`).join(",")}}`
        const attacks = {
          "many members": members(mostValues),
          "many numbers": `{"lead_id":1${"1".repeat(250_000)}}`,
          "deep lists": "[".repeat(250_000) + "]".repeat(250_000),
          "deep objects": `${'{"a":'.repeat(9000)}1${"}".repeat(9000)}`,
          "a list": '["lead_id",12]',
          "a list as a value": '{"lead_id":[12]}',
          "an object as a value": '{"lead_id":{"lead_id":12}}',
          nothing: "null",
          text: '"lead_id"'
        }
        for (const [name, args] of Object.entries(attacks)) {
          const answer = yield* ask(args)
          assert.strictEqual(answer.status, 400, `${name}: ${answer.text.slice(0, 200)}`)
          assert.deepInclude(answer.json, { type: "InvalidRequestBody" }, name)
        }
        const good = yield* ask('{"lead_id":12,"reason":null}')
        assert.strictEqual(good.status, 200, good.text)
      })
    )
  }
)
