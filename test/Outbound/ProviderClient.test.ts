import { inspect } from "node:util"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Redacted, Schema } from "effect"
import { refused, transient } from "../../src/Errors.ts"
import { makeProviderClient, type ProviderClientOptions } from "../../src/Layers/Platform/Outbound/ProviderClient.ts"
import { ProviderFailure } from "../../src/Layers/Platform/Outbound/ProviderFailure.ts"
import { sharedQuota } from "../../src/Layers/Platform/Outbound/ProviderQuota.ts"
import type { ProviderRequest } from "../../src/Layers/Platform/Outbound/ProviderRequest.ts"
import {
  html,
  json,
  type Reply,
  receivedJson,
  asContractor as run,
  VendorOverHttp
} from "../support/providers/VendorOverHttp.ts"

const baseUrl = "https://api.provider.example/v1"
const origin = "https://api.provider.example"
const read: ProviderRequest = { method: "GET", path: "/things" }
const write: ProviderRequest = { method: "POST", path: "/things", json: { name: "a" } }

type Options = Partial<ProviderClientOptions<never, never, never, never, never>>

/** A client over replies that come one after another, and what the provider received. */
const over = (options: Options, ...replies: ReadonlyArray<Reply>) =>
  Effect.map(VendorOverHttp, (vendor) => {
    const story = vendor.over(origin, "provider", ...replies)
    return {
      ...story,
      client: makeProviderClient({ name: "provider", baseUrl, transport: story.request, ...options })
    }
  })

const failureOf = (request: ProviderRequest, reply: Reply, options: Options = {}) =>
  Effect.flatMap(over(options, reply), ({ client }) => Effect.flip(client.send(request)))

layer(VendorOverHttp.layer, { excludeTestServices: true })("the client of providers", (it) => {
  it.effect("builds the request from the base URL, the query and the body", () =>
    run(
      Effect.gen(function* () {
        const { client, sent } = yield* over(
          { headers: { "x-key": "secret" }, query: { key: "s&t" } },
          json(200, { id: 7 })
        )
        const shape = Schema.Struct({ id: Schema.Number })
        const query = { "a b": "ü+", none: undefined, flag: true }
        assert.deepStrictEqual(yield* client.ask(shape, { ...write, query, headers: { accept: undefined } }), { id: 7 })
        const [request] = sent
        assert.strictEqual(request?.url, `${baseUrl}/things?a%20b=%C3%BC%2B&flag=true&key=s%26t`)
        assert.deepStrictEqual(receivedJson(request), { name: "a" })
        assert.deepInclude(request?.headers, { "content-type": "application/json", "x-key": "secret" })
        assert.isUndefined(request?.headers["accept"])
      })
    )
  )

  it.effect("shows credentials on the provider's own origin only", () =>
    run(
      Effect.gen(function* () {
        const requests: Array<{ readonly url: string; readonly headers?: object; readonly allowNonPublic?: boolean }> =
          []
        const client = makeProviderClient({
          name: "provider",
          baseUrl,
          isOperators: true,
          headers: { "x-key": "secret" },
          query: { key: "secret" },
          access: { accessToken: Effect.succeed(Redacted.make("secret")), reject: () => Effect.void },
          transport: (request) => Effect.sync(() => requests.push(request)).pipe(Effect.as(json(200, {})))
        })
        yield* client.send({ method: "GET", path: `${origin}/file` })
        for (const elsewhere of ["https://files.example/file", `${origin}.files.example/file`]) {
          yield* client.send({ method: "GET", path: elsewhere })
        }
        const [own, ...others] = requests
        assert.deepStrictEqual(own, {
          method: "GET",
          isRead: true,
          url: `${origin}/file?key=secret`,
          headers: { accept: "application/json", "x-key": "secret", authorization: "Bearer secret" },
          timeout: "20 seconds",
          maxResponseBytes: 8 * 1024 * 1024,
          allowNonPublic: true
        } as never)
        assert.lengthOf(others, 2)
        assert.notInclude(JSON.stringify(others), "secret")
        assert.notInclude(JSON.stringify(others), "allowNonPublic")
      })
    )
  )

  it.effect("says in which of eight ways a call failed", () =>
    run(
      Effect.gen(function* () {
        for (const [reply, forReading, forWriting, code] of [
          [json(400, {}), "rejected", "rejected", "status_400"],
          [json(401, {}), "unauthorized", "unauthorized", "status_401"],
          [json(403, {}), "forbidden", "forbidden", "status_403"],
          [json(404, {}), "not_found", "not_found", "status_404"],
          [json(409, {}), "conflict", "conflict", "status_409"],
          [json(429, {}), "rate_limited", "rate_limited", "status_429"],
          [json(503, {}), "unavailable", "unavailable", "status_503"],
          [json(302, {}), "rejected", "rejected", "status_302"],
          // Whether the provider did something is unknown.
          [json(500, {}), "unavailable", "maybe_sent", "status_500"],
          [json(408, {}), "unavailable", "maybe_sent", "status_408"],
          [html, "unavailable", "maybe_sent", "answer_unreadable"],
          [{ halfOf: json(200, {}) }, "unavailable", "maybe_sent", "connection_failed"],
          ["breaks", "unavailable", "maybe_sent", "connection_failed"],
          ["silent", "unavailable", "maybe_sent", "timed_out"],
          // The request did not arrive.
          ["unreachable", "unavailable", "unavailable", "connection_failed"],
          ["silent_before", "unavailable", "unavailable", "timed_out"]
        ] as const) {
          assert.deepInclude(yield* failureOf(read, reply), { kind: forReading, code })
          assert.deepInclude(yield* failureOf(write, reply), { kind: forWriting, code })
          assert.deepInclude(yield* failureOf({ ...write, isRead: true }, reply), { kind: forReading, code })
        }
        const tooLarge = yield* failureOf({ ...write, maxResponseBytes: 10 }, json(200, { text: "x".repeat(20) }))
        assert.deepInclude(tooLarge, { kind: "maybe_sent", code: "response_too_large" })
      })
    )
  )

  it.effect("refuses an address that is not allowed without sending anything", () =>
    run(
      Effect.gen(function* () {
        const client = makeProviderClient({
          name: "provider",
          baseUrl,
          transport: () => refused("address_not_public", "It is private.", "Send another one.")
        })
        const failure = yield* Effect.flip(client.send(write))
        assert.deepInclude(failure, { kind: "rejected", code: "address_not_public" })
        assert.isUndefined(failure.answer)
      })
    )
  )

  it.effect("takes a success without JSON only where the caller expects any", () =>
    run(
      Effect.gen(function* () {
        const { client } = yield* over({}, html)
        assert.strictEqual((yield* client.send({ ...read, expects: "any" })).status, 200)
        const failure = yield* Effect.flip(client.ask(Schema.Struct({}), { ...read, expects: "any" }))
        assert.deepInclude(failure, { kind: "unavailable", code: "answer_unreadable" })
        const empty = yield* over({}, { status: 204, headers: {}, body: Buffer.from("") })
        assert.isUndefined((yield* empty.client.send(write)).json)
      })
    )
  )

  it.effect("lets the adapter judge answers that mean something else there", () =>
    run(
      Effect.gen(function* () {
        const judge: Options["judge"] = ({ json: body }, usual) =>
          JSON.stringify(body) === '{"error":"slow down"}'
            ? { kind: "rate_limited", code: "slowed_down", retryAfterMillis: 1500 }
            : usual
        const limited = yield* failureOf(read, json(200, { error: "slow down" }), { judge })
        assert.deepInclude(limited, { kind: "rate_limited", code: "slowed_down", retryAfterSeconds: 2 })
        assert.deepInclude(yield* failureOf(read, json(404, {}), { judge }), { kind: "not_found" })
      })
    )
  )

  it.effect("reads how long the provider asks to wait", () =>
    run(
      Effect.gen(function* () {
        for (const [headers, seconds] of [
          [{ "retry-after": "7" }, 7],
          [{ "retry-after-ms": "1200" }, 2],
          [{ "retry-after": "soon" }, undefined],
          [{}, undefined]
        ] as const) {
          const failure = yield* failureOf(read, json(429, {}, headers))
          assert.strictEqual(failure.retryAfterSeconds, seconds)
        }
      })
    )
  )

  it.effect("replaces a refused token once, and gives the connection up when the new one is refused too", () =>
    run(
      Effect.gen(function* () {
        const vendor = yield* VendorOverHttp
        const withAccess = (...replies: ReadonlyArray<Reply>) => {
          const story = vendor.over(origin, "provider", ...replies)
          const { connection: access, request: transport } = story
          return { ...story, access, client: makeProviderClient({ name: "provider", baseUrl, transport, access }) }
        }
        const renewed = withAccess(json(401, {}), json(200, {}))
        yield* renewed.client.send(write)
        assert.deepStrictEqual(
          renewed.sent.map(({ headers }) => headers["authorization"]),
          ["Bearer first", "Bearer second"]
        )
        const ended = withAccess(json(401, {}))
        assert.deepInclude(yield* Effect.flip(ended.client.send(write)), { reason: "provider_needs_reconnect" })
        assert.lengthOf(ended.sent, 2)
        assert.deepStrictEqual(ended.seen, ["rejected", "lost: unauthorized"])

        const single = withAccess(json(401, {}))
        const failure = yield* Effect.flip(single.client.send({ ...read, token: Redacted.make("mine") }))
        assert.deepInclude(failure, { kind: "unauthorized" })
        assert.deepStrictEqual(
          single.sent.map(({ headers }) => headers["authorization"]),
          ["Bearer mine"]
        )
      })
    )
  )

  it.effect("waits for the quota, and learns from the answers", () =>
    run(
      Effect.gen(function* () {
        const vendor = yield* VendorOverHttp
        const withQuota = (waits: ReadonlyArray<number>, reply: Reply) => {
          const { limits, request: transport, ...story } = vendor.over(origin, "provider", reply)
          const left = [...waits]
          const quota = sharedQuota(
            { ...limits, take: () => Effect.sync(() => left.shift() ?? 0) },
            {
              service: "provider",
              longestWaitSeconds: 2,
              restSeconds: 30,
              isWaitedFor: true,
              limits: () => [
                { bucket: "minute", allowance: { amount: 10, seconds: 60 }, leftHeader: "x-left" },
                { bucket: "day", allowance: { amount: 100, seconds: 86_400 }, isExhaustedBy: () => false }
              ]
            }
          )
          return { ...story, client: makeProviderClient({ name: "provider", baseUrl, transport, quota }) }
        }
        const soon = withQuota([0.01, 0.01], json(200, {}, { "x-left": "3" }))
        yield* soon.client.send(read)
        assert.deepStrictEqual(soon.seen, ['minute {"left":3}'])

        const late = withQuota([0.1, 600], json(200, {}))
        assert.deepInclude(yield* Effect.flip(late.client.send(read)), {
          kind: "rate_limited",
          code: "quota_exhausted",
          retryAfterSeconds: 600
        })
        assert.lengthOf(late.sent, 0)

        for (const [headers, seconds] of [
          [{ "retry-after": "7" }, 7],
          [{ "x-left": "0" }, 30]
        ] as const) {
          const limited = withQuota([], json(429, {}, headers))
          yield* Effect.flip(limited.client.send(read))
          assert.deepStrictEqual(limited.seen, [`minute {"emptyForSeconds":${seconds}}`])
        }
      })
    )
  )

  it.effect("passes on what access and quota fail with", () =>
    run(
      Effect.gen(function* () {
        const gone = transient("database_away", "It is away.", 1)
        const { request: transport } = (yield* VendorOverHttp).over(origin, "provider", json(200, {}))
        const access = { accessToken: Effect.fail(gone), reject: () => Effect.void }
        const failure = yield* Effect.flip(makeProviderClient({ name: "p", baseUrl, transport, access }).send(read))
        assert.deepInclude(failure, { _tag: "Transient", reason: "database_away" })
      })
    )
  )

  it.effect("keeps the provider's words and the credentials out of what is logged", () =>
    run(
      Effect.gen(function* () {
        const failure = yield* failureOf(write, json(422, { error: "ana@example.com is taken" }), {
          headers: { "x-key": "secret" }
        })
        assert.instanceOf(failure, ProviderFailure)
        const logged = [inspect(failure), JSON.stringify(failure), Cause.pretty(Cause.fail(failure)), failure.message]
        for (const text of logged) assert.notMatch(text, /ana@|taken|secret/)
        assert.strictEqual(failure.message, "provider: rejected (status_422)")
        const answer = failure.answer === undefined ? undefined : Redacted.value(failure.answer)
        assert.deepStrictEqual(answer?.json, { error: "ana@example.com is taken" })
      })
    )
  )
})
