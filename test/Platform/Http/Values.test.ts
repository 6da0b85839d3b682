import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type CoercionCase, coercionCases, type Outcome, queryOf } from "../../Catalog/coercionCases.ts"
import { ProbeTools } from "../../support/ProbeTools.ts"
import { type HttpAnswer, makeTokenHolder, send, testServer } from "../../support/servers/TestServer.ts"

const prefixes = ["/rest/v1", "/api/v1"] as const
const tools = [...new Set(coercionCases.map(({ tool }) => tool))]

const expected = (prefix: (typeof prefixes)[number], outcome: Outcome) => {
  switch (outcome._tag) {
    case "Taken":
      return { status: 200, json: { value: outcome.value } }
    case "Mismatch":
      return { status: 400, json: { type: "ParameterTypeMismatch" } }
    case "Unacceptable":
      return { status: prefix === "/rest/v1" ? 422 : 200, json: { type: "Refused", reason: outcome.reason } }
  }
}

const check = (prefix: (typeof prefixes)[number], { json, outcome }: CoercionCase, how: string, answer: HttpAnswer) => {
  const { json: members, status } = expected(prefix, outcome)
  const title = `${how} ${json.slice(0, 60)}: ${answer.text.slice(0, 200)}`
  assert.strictEqual(answer.status, status, title)
  if (outcome._tag === "Taken") assert.deepStrictEqual(answer.json, members, title)
  else assert.deepInclude(answer.json, members, title)
}

layer(testServer(ProbeTools, { bodyLimit: 1024 * 1024 }), { excludeTestServices: true })("values over HTTP", (it) => {
  for (const prefix of prefixes) {
    for (const tool of tools) {
      it.effect(`${prefix}: every value of ${tool}, in a body and in a query string`, () =>
        Effect.gen(function* () {
          const { token } = yield* makeTokenHolder()
          yield* Effect.forEach(
            coercionCases.filter((coercionCase) => coercionCase.tool === tool),
            (coercionCase) =>
              Effect.gen(function* () {
                const body = `{"value":${coercionCase.json}}`
                const posted = yield* send(`${prefix}/tools/${tool}`, { method: "POST", token, body })
                check(prefix, coercionCase, "POST", posted)
                const query = queryOf(coercionCase)
                if (query === undefined) return
                check(prefix, coercionCase, "GET", yield* send(`${prefix}/call/${tool}?value=${query}`, { token }))
              }),
            { concurrency: 8, discard: true }
          )
        })
      )
    }
  }
})
