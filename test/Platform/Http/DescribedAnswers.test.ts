import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { openApiOf } from "../../../src/Api/OpenApi.ts"
import { AllTools } from "../../../src/Tools/AllTools.ts"
import { PlatformTools } from "../../../src/Tools/PlatformTools.ts"
import { type HttpAnswer, makeTokenHolder, send, testGateway } from "../../support/servers/TestServer.ts"

const Headers = Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
const Answer = Schema.Struct({ $ref: Schema.optional(Schema.String), headers: Headers })
const Operation = Schema.Struct({
  "x-tool-kind": Schema.optional(Schema.String),
  requestBody: Schema.optional(
    Schema.Struct({ content: Schema.Record({ key: Schema.String, value: Schema.Unknown }) })
  ),
  responses: Schema.Record({ key: Schema.String, value: Answer })
})
type Operation = typeof Operation.Type

const { components, paths } = Schema.decodeUnknownSync(
  Schema.parseJson(
    Schema.Struct({
      paths: Schema.Record({
        key: Schema.String,
        value: Schema.Struct({ get: Schema.optional(Operation), post: Schema.optional(Operation) })
      }),
      components: Schema.Struct({ responses: Schema.Record({ key: Schema.String, value: Answer }) })
    })
  )
)(JSON.stringify(openApiOf(AllTools, { baseUrl: "http://gateway.test", platform: PlatformTools })))

/** A few tools are enough: one function describes the routes of all. */
const toolsTried = /\/(?:whoami|register_lead|list_requests|create_token)$/

interface Described {
  readonly path: string
  readonly method: "GET" | "POST"
  readonly operation: Operation
}

const described: ReadonlyArray<Described> = Object.entries(paths).flatMap(([path, { get, post }]) => [
  ...(get === undefined ? [] : [{ path, method: "GET" as const, operation: get }]),
  ...(post === undefined ? [] : [{ path, method: "POST" as const, operation: post }])
])

const tried = described.filter(({ operation, path }) => operation["x-tool-kind"] === undefined || toolsTried.test(path))

const bodyOf: Readonly<Record<string, string>> = {
  "application/json": "{}",
  "application/x-www-form-urlencoded": "token=nothing",
  "message/rfc822": "From: a@lead.example\r\n\r\nHello"
}

/** With a token, this answer has no end. test/Console/EventStreams.test.ts reads it. */
const eventStreamPath = "/platform/v1/events"

/** Sends a request of the form that the operation takes. */
const sendTo = ({ method, operation, path }: Described, token?: string) => {
  const [type] = Object.keys(operation.requestBody?.content ?? {})
  return send(path.replaceAll(/\{\w+\}/g, "nothing"), {
    method,
    ...(token === undefined ? {} : { token }),
    ...(type === undefined ? {} : { body: bodyOf[type] ?? "{}", headers: { "Content-Type": type } })
  })
}

const headersOf = ({ operation }: Described, status: number): ReadonlyArray<string> => {
  const answer = operation.responses[String(status)]
  const name = answer?.$ref?.split("/").at(-1)
  return Object.keys((name === undefined ? answer : components.responses[name])?.headers ?? {})
}

const textTypes = /^(?:application\/(?:json|xml)|text\/)/

/** What is wrong with an answer, by its description and by what every answer has. */
const faultsOf = (one: Described, { headers, status }: HttpAnswer): ReadonlyArray<string> => {
  const name = `${one.method} ${one.path} ${status}`
  const type = headers.get("content-type")
  return [
    ...(one.operation.responses[String(status)] === undefined ? [`${name} is not described`] : []),
    ...(headers.get("x-content-type-options") === "nosniff" ? [] : [`${name} has no nosniff`]),
    ...(headers.get("x-request-id") === null ? [`${name} has no id`] : []),
    ...(type !== null && textTypes.test(type) && !/;\s*charset=utf-8$/i.test(type) ? [`${name} has no charset`] : []),
    ...(headers.has("retry-after") && !headersOf(one, status).includes("Retry-After")
      ? [`${name} has a Retry-After that is not described`]
      : [])
  ]
}

layer(testGateway(), { excludeTestServices: true })("every route", (it) => {
  it.effect("answers with a status that its description has, as text with its charset", () =>
    Effect.gen(function* () {
      assert.isAbove(tried.length, 70)
      const { token } = yield* makeTokenHolder()
      const faults = yield* Effect.forEach(
        tried,
        (one) =>
          Effect.gen(function* () {
            const faults = faultsOf(one, yield* sendTo(one))
            return one.path === eventStreamPath ? faults : [...faults, ...faultsOf(one, yield* sendTo(one, token))]
          }),
        { concurrency: 4 }
      )
      assert.deepStrictEqual([...new Set(faults.flat())], [])
    })
  )
})

layer(testGateway({ rateLimits: { perToken: 1, perAccount: undefined } }), { excludeTestServices: true })(
  "a route of tools whose caller has had enough",
  (it) => {
    it.effect("says under each prefix, as it is described, when the call may be repeated", () =>
      Effect.gen(function* () {
        const statuses = new Set<string>()
        for (const one of tried.filter(({ path }) => /^\/(?:rest|api|platform)\/v1\/(?:tools|call)/.test(path))) {
          const { token } = yield* makeTokenHolder()
          yield* send("/rest/v1/call/whoami", { token })
          const answer = yield* sendTo(one, token)
          assert.deepStrictEqual(faultsOf(one, answer), [])
          if (answer.headers.has("retry-after")) statuses.add(`${one.path.slice(0, 5)} ${answer.status}`)
        }
        assert.sameMembers([...statuses], ["/rest 429", "/api/ 500", "/plat 429"])
      })
    )
  }
)
