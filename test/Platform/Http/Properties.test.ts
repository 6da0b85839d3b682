import { assert, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import * as fc from "fast-check"
import { AllTools } from "../../../src/Tools/AllTools.ts"
import { type HttpAnswer, makeTokenHolder, send, testGateway } from "../../support/servers/TestServer.ts"

const Refusal = Schema.Struct({ error: Schema.String, type: Schema.String, detail: Schema.String })
const ToolFailure = Schema.Struct(
  { error: Schema.String, type: Schema.String, reason: Schema.String, detail: Schema.String },
  { key: Schema.String, value: Schema.Unknown }
)
const isRefusal = Schema.is(Refusal, { onExcessProperty: "error" })
const isToolFailure = Schema.is(ToolFailure)

/** Whether the answer is one that the contract declares for a call of this tool. */
const isDeclared = (tool: string, { json, status }: HttpAnswer): boolean => {
  if (status === 200) {
    return Option.match(AllTools.get(tool), {
      onNone: () => false,
      onSome: ({ returns }) => Schema.is(returns, { onExcessProperty: "error" })(json)
    })
  }
  if (status === 400 || status === 405 || status === 413) return isRefusal(json)
  if (status === 404) return isRefusal(json) || isToolFailure(json)
  return (status === 403 || status === 422) && isToolFailure(json)
}

const seed = 20_260_101
const runs = 150

/** Texts that have broken programs before, and random ones. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(
    "",
    " ",
    "null",
    "1e3",
    "NaN",
    "%",
    "_",
    "\\",
    "'; drop table lead; --",
    "\u0000",
    "💣",
    "\ud800",
    "0x10"
  ),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.emailAddress(),
  fc.integer().map(String)
)
const value = fc.oneof(
  { weight: 5, arbitrary: text },
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.anything(), { maxLength: 2 }),
  fc.dictionary(fc.string(), fc.anything(), { maxKeys: 2 })
)

const toolNames = AllTools.entries.map(({ tool }) => tool.name)
const tool = fc.constantFrom(...AllTools.entries.map((entry) => entry.tool))

/** Arguments similar to what the tool accepts: mostly its own parameters, with any values. */
const argumentsFor = (names: ReadonlyArray<string>) =>
  names.length === 0
    ? fc.dictionary(fc.string({ maxLength: 10 }), value, { maxKeys: 1 })
    : fc.dictionary(
        fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...names) }, fc.string({ maxLength: 10 })),
        value,
        { maxKeys: names.length }
      )

const sample = <A>(arbitrary: fc.Arbitrary<A>): ReadonlyArray<A> => fc.sample(arbitrary, { seed, numRuns: runs })

const print = (args: object): string => {
  try {
    return JSON.stringify(args)
  } catch {
    return "{}"
  }
}

layer(testGateway(), { excludeTestServices: true })("random requests", (it) => {
  it.effect("bodies of any kind get a declared answer, and no 5xx", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const calls = sample(
        tool.chain(({ name, parameters }) =>
          fc
            .oneof(
              { weight: 8, arbitrary: argumentsFor(Object.keys(parameters)).map(print) },
              fc.string({ maxLength: 200 }),
              fc.json()
            )
            .map((body) => ({ name, body }))
        )
      )
      yield* Effect.forEach(
        calls,
        ({ body, name }) =>
          Effect.map(send(`/rest/v1/tools/${name}`, { method: "POST", token, body }), (answer) =>
            assert.isTrue(isDeclared(name, answer), `${name} ${body} -> ${answer.status} ${answer.text}`)
          ),
        { concurrency: 4 }
      )
    })
  )

  it.effect("query strings of any kind get a declared answer, and no 5xx", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const reads = AllTools.entries.map((entry) => entry.tool).filter(({ kind }) => kind === "read")
      const calls = sample(
        fc.constantFrom(...reads).chain(({ name, parameters }) =>
          fc
            .oneof(
              {
                weight: 5,
                arbitrary: fc
                  .dictionary(fc.constantFrom("page", ...Object.keys(parameters)), text, { maxKeys: 4 })
                  .map((query) => new URLSearchParams(query).toString())
              },
              fc.string({ maxLength: 60 }).map((raw) => encodeURI(raw.toWellFormed()).replace(/#/g, "%23"))
            )
            .map((query) => ({ name, query }))
        )
      )
      yield* Effect.forEach(
        calls,
        ({ name, query }) =>
          Effect.map(send(`/rest/v1/call/${name}?${query}`, { token }), (answer) =>
            assert.isTrue(isDeclared(name, answer), `${name}?${query} -> ${answer.status} ${answer.text}`)
          ),
        { concurrency: 4 }
      )
    })
  )

  it.effect("headers of any kind never give a 5xx", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const headerText = fc.string({
        unit: fc.constantFrom(..." !#$%&'*+-.^_`|~0aZ,;=:/\"()<>@[]{}?\\"),
        maxLength: 40
      })
      const headers = sample(
        fc.record({
          Authorization: fc.oneof(
            headerText,
            headerText.map((rest) => `Bearer ${rest}`),
            fc.constant(`Bearer ${token}`)
          ),
          "X-Request-Id": headerText,
          traceparent: headerText,
          "Content-Type": headerText,
          Accept: headerText
        })
      )
      yield* Effect.forEach(
        headers,
        (set) =>
          Effect.map(send("/rest/v1/call/whoami", { headers: set }), ({ status, text: body }) =>
            assert.include([200, 400, 401], status, `${print(set)} -> ${body}`)
          ),
        { concurrency: 4 }
      )
    })
  )

  it.effect("paths and methods of any kind get an answer in the gateway's shape", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const requests = sample(
        fc.record({
          method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
          prefix: fc.constantFrom("/rest/v1", "/api/v1", "/rest", ""),
          rest: fc.oneof(
            fc.webPath(),
            fc
              .tuple(fc.constantFrom("/tools/", "/call/"), fc.constantFrom(...toolNames, "Whoami", "%00"))
              .map((parts) => parts.join(""))
          )
        })
      )
      yield* Effect.forEach(
        requests,
        ({ method, prefix, rest }) =>
          Effect.map(send(`${prefix}${rest || "/"}`, { method, token }), ({ json, status }) => {
            assert.isBelow(status, 500)
            if (status >= 400) assert.isTrue(isRefusal(json) || isToolFailure(json), `${method} ${prefix}${rest}`)
          }),
        { concurrency: 4 }
      )
    })
  )

  it.effect("two accounts calling at once never see each other", () =>
    Effect.gen(function* () {
      const holders = yield* Effect.replicateEffect(makeTokenHolder(), 2)
      const register = (index: number) =>
        Effect.forEach(
          holders,
          ({ caller, token }) =>
            send("/rest/v1/tools/register_lead", {
              method: "POST",
              token,
              body: JSON.stringify({ name: `of ${caller.accountId}`, email: `shared${index}@example.com` })
            }),
          { concurrency: "unbounded" }
        )
      const look = Effect.forEach(
        holders,
        ({ caller, token }) =>
          Effect.map(send("/rest/v1/call/search_leads?page_size=100", { token }), ({ json }) => {
            const { leads } = Schema.decodeUnknownSync(
              Schema.Struct({ leads: Schema.Array(Schema.Struct({ name: Schema.String })) })
            )(json)
            for (const lead of leads) assert.strictEqual(lead.name, `of ${caller.accountId}`)
            return leads.length
          }),
        { concurrency: "unbounded" }
      )
      yield* Effect.forEach(
        Array.from({ length: 30 }, (_, index) => index),
        (index) => Effect.zip(register(index), look, { concurrent: true }),
        {
          concurrency: 5
        }
      )
      assert.deepStrictEqual(yield* look, [30, 30])
    })
  )
})
