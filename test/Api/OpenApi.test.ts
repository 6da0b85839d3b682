import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import openapiTS, { astToString } from "openapi-typescript"
import { openApiOf } from "../../src/Api/OpenApi.ts"
import { eventTypes } from "../../src/Services/Events/AccountEvents.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import type { Catalog } from "../../src/Tools/Core/Catalog.ts"
import { PlatformTools } from "../../src/Tools/PlatformTools.ts"
import { eventFaults } from "../support/checks/WebhookJudge.ts"
import { ProbeTools } from "../support/ProbeTools.ts"
import { problemsOf } from "../support/redocly.ts"

const baseUrl = "https://gateway.test"

const AnyObject = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const Operation = Schema.Struct({
  operationId: Schema.String,
  summary: Schema.String,
  description: Schema.String,
  tags: Schema.Array(Schema.String),
  security: Schema.optional(Schema.Array(Schema.Unknown)),
  parameters: Schema.optional(
    Schema.Array(
      Schema.Struct({
        name: Schema.String,
        in: Schema.String,
        required: Schema.Boolean,
        schema: AnyObject,
        example: Schema.optional(Schema.Unknown)
      })
    )
  ),
  requestBody: Schema.optional(
    Schema.Struct({
      required: Schema.Boolean,
      content: Schema.Record({
        key: Schema.String,
        value: Schema.Struct({ schema: AnyObject, example: Schema.optional(AnyObject) })
      })
    })
  ),
  responses: Schema.Record({ key: Schema.String, value: AnyObject })
})

const Document = Schema.parseJson(
  Schema.Struct({
    openapi: Schema.String,
    info: AnyObject,
    servers: Schema.Array(Schema.Struct({ url: Schema.String })),
    security: Schema.Array(AnyObject),
    tags: Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.String })),
    paths: Schema.Record({
      key: Schema.String,
      value: Schema.Struct({
        parameters: Schema.optional(Schema.Unknown),
        get: Schema.optional(Operation),
        post: Schema.optional(Operation)
      })
    }),
    webhooks: Schema.Record({ key: Schema.String, value: Schema.Struct({ post: Operation }) }),
    components: Schema.Struct({
      schemas: Schema.Record({ key: Schema.String, value: AnyObject }),
      responses: Schema.Record({ key: Schema.String, value: AnyObject })
    })
  })
)

const optionsOf = (catalog: Catalog<unknown>) =>
  catalog === AllTools ? { baseUrl, platform: PlatformTools } : { baseUrl }

const documentOf = (catalog: Catalog<unknown>) =>
  Schema.decodeUnknownSync(Document)(JSON.stringify(openApiOf(catalog, optionsOf(catalog))))

const operationsOf = (document: ReturnType<typeof documentOf>) =>
  Object.entries(document.paths).flatMap(([path, { get, post }]) => [
    ...(get === undefined ? [] : [{ path, method: "get", operation: get }]),
    ...(post === undefined ? [] : [{ path, method: "post", operation: post }])
  ])

const probes = documentOf(ProbeTools)

const statusesOf = (path: string, method: "get" | "post"): ReadonlyArray<string> =>
  Object.keys(probes.paths[path]?.[method]?.responses ?? assert.fail(`${method} ${path} is not described`))

for (const [name, catalog] of [
  ["the probes", ProbeTools],
  ["all tools", AllTools]
] as const) {
  describe(`the document of ${name}`, () => {
    const document = documentOf(catalog)

    it.live("has no fault that a linter's recommended rules know", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* problemsOf(openApiOf(catalog, optionsOf(catalog))), [])
      })
    )

    it.live("becomes a client's types", () =>
      Effect.gen(function* () {
        const nodes = yield* Effect.promise(() => openapiTS(JSON.stringify(openApiOf(catalog, optionsOf(catalog)))))
        const types = astToString(nodes)
        for (const { tool } of catalog.entries) assert.include(types, `"/rest/v1/tools/${tool.name}"`)
      })
    )

    it("names each operation once", () => {
      const ids = operationsOf(document).map(({ operation }) => operation.operationId)
      assert.strictEqual(new Set(ids).size, ids.length)
    })

    it("describes each tool under both prefixes, reads by GET too", () => {
      for (const { group, tool } of catalog.entries) {
        for (const prefix of ["/rest/v1", "/api/v1"]) {
          const post = document.paths[`${prefix}/tools/${tool.name}`]?.post
          assert.deepStrictEqual(post?.tags, [group], tool.name)
          const get = document.paths[`${prefix}/call/${tool.name}`]?.get
          assert.strictEqual(get !== undefined, tool.kind === "read", tool.name)
        }
      }
    })

    it("has examples that their own tools take", () => {
      for (const { path, operation } of operationsOf(document)) {
        const example = operation.requestBody?.content["application/json"]?.example
        if (example === undefined) continue
        const tool = [...catalog.entries, ...PlatformTools.entries].find((entry) =>
          path.endsWith(`/tools/${entry.tool.name}`)
        )?.tool
        assert.isDefined(tool, path)
        assert.deepStrictEqual(example, { ...tool?.example }, path)
      }
    })

    it("has tags with descriptions for every group that is used", () => {
      const tags = new Set(document.tags.map((tag) => tag.name))
      for (const { operation, path } of operationsOf(document)) {
        for (const tag of operation.tags) assert.isTrue(tags.has(tag), `${path}: ${tag}`)
      }
    })

    it("has a description for every status and an id in every answer's headers", () => {
      for (const { operation, path } of operationsOf(document)) {
        for (const [status, response] of Object.entries(operation.responses)) {
          const name = typeof response["$ref"] === "string" ? response["$ref"].split("/").at(-1) : undefined
          const { description, headers } = name === undefined ? response : (document.components.responses[name] ?? {})
          assert.isString(description, `${path} ${status}`)
          assert.property(headers, "X-Request-Id", `${path} ${status}`)
        }
      }
    })
  })
}

describe("the statuses of a tool", () => {
  const always = ["200", "400", "401", "404", "405"]
  const ofBody = ["413", "415"]

  it("that can refuse has 422, one that cannot has not", () => {
    assert.sameMembers(
      [...statusesOf("/rest/v1/tools/probe_text", "post")],
      [...always, ...ofBody, "403", "422", "429", "500", "503"]
    )
    assert.sameMembers(
      [...statusesOf("/rest/v1/tools/probe_boolean", "post")],
      [...always, ...ofBody, "403", "429", "500", "503"]
    )
  })

  it("has 403, for a missing scope and in some tools for the plan too", () => {
    const forbidden = (path: string) => probes.paths[path]?.post?.responses["403"]
    assert.deepStrictEqual(forbidden("/rest/v1/tools/probe_write"), {
      $ref: "#/components/responses/PlanOrScopeRequired"
    })
    assert.deepStrictEqual(forbidden("/rest/v1/tools/probe_text"), { $ref: "#/components/responses/ScopeRequired" })
  })

  it("called by GET has none of a body", () => {
    assert.sameMembers([...statusesOf("/rest/v1/call/probe_boolean", "get")], [...always, "403", "429", "500", "503"])
  })

  it("under /api/v1 has only those of the transport", () => {
    assert.sameMembers([...statusesOf("/api/v1/tools/probe_write", "post")], [...always, ...ofBody, "500"])
    assert.sameMembers([...statusesOf("/api/v1/call/probe_text", "get")], [...always, "500"])
  })

  it("that can miss a record says so in its 404", () => {
    const revoke = documentOf(AllTools).paths["/rest/v1/tools/revoke_mcp_token"]?.post
    assert.deepStrictEqual(revoke?.responses["404"], { $ref: "#/components/responses/NotFound" })
    const probe = probes.paths["/rest/v1/tools/probe_text"]?.post
    assert.deepStrictEqual(probe?.responses["404"], { $ref: "#/components/responses/UnknownTool" })
  })
})

describe("the bodies of errors", () => {
  it("say their type as a closed set", () => {
    for (const [schema, types] of [
      ["NotFoundError", ["NotFound"]],
      ["RefusedError", ["Refused"]],
      ["PlanRequiredError", ["PlanRequired"]],
      ["TransientError", ["Transient"]],
      ["PermanentError", ["Permanent"]],
      ["UnknownTool", ["UnknownTool"]],
      ["NotReadOnly", ["NotReadOnly", "MethodNotAllowed"]]
    ] as const) {
      assert.deepNestedInclude(probes.components.schemas[schema], { "properties.type.enum": types })
    }
  })

  it("of 503 come with Retry-After", () => {
    assert.nestedProperty(probes.components.responses["Transient"], "headers.Retry-After")
  })

  it("say when to repeat a call, under each prefix", () => {
    for (const [prefix, names] of [
      ["/rest/v1", ["RateLimited", "Transient"]],
      ["/api/v1", ["DispatcherFailed"]]
    ] as const) {
      const used = JSON.stringify(probes.paths[`${prefix}/tools/probe_text`]?.post?.responses)
      for (const name of names) {
        assert.include(used, `#/components/responses/${name}`)
        assert.nestedProperty(probes.components.responses[name], "headers.Retry-After")
      }
    }
  })

  it("are answers too under /api/v1", () => {
    const response = probes.paths["/api/v1/tools/probe_write"]?.post?.responses["200"]
    assert.deepNestedInclude(response, {
      "content.application/json.schema.anyOf": [
        "probe_write_answer",
        "RefusedError",
        "PlanRequiredError",
        "TransientError",
        "PermanentError"
      ].map((name) => ({ $ref: `#/components/schemas/${name}` }))
    })
  })
})

it("has a schema of each event that webhooks send, which takes that event alone", () => {
  const document = documentOf(AllTools)
  assert.deepStrictEqual(Object.keys(document.webhooks), [...eventTypes, "ping"])
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    assert.deepStrictEqual(post.security, [])
    assert.deepStrictEqual(post.requestBody?.content["application/json"]?.schema, {
      $ref: `#/components/schemas/${type}_event`
    })
    assert.deepNestedInclude(document.components.schemas[`${type}_event`], { "properties.type.enum": [type] })
  }
  const meeting = { lead_id: 1, meeting_id: 2, starts_at: "2026-01-01T10:00:00Z", ends_at: "2026-01-01T11:00:00Z" }
  const event = {
    id: "evt_1",
    type: "meeting_cancelled",
    occurred_at: "2026-01-01T09:00:00Z",
    data: { ...meeting, lead_name: "Ana", campaign_id: null }
  }
  assert.isUndefined(eventFaults(event))
  for (const wrong of [
    { ...event, type: "meeting_booked" },
    { ...event, type: "meeting" },
    { ...event, data: meeting },
    { ...event, data: { ...event.data, lead_id: "1" } },
    { ...event, data: { ...event.data, body: "What the lead wrote" } }
  ]) {
    assert.isDefined(eventFaults(wrong))
  }
})

it("the agents' protocol is described, with what it answers when it cannot be served", () => {
  for (const path of ["/mcp", "/mcp/{toolset}"]) {
    const { get, post } = probes.paths[path] ?? {}
    for (const status of ["401", "403", "404", "429", "503"]) {
      assert.property(post?.responses, status)
      assert.property(get?.responses, status)
    }
    assert.property(post?.responses, "202")
  }
})

it("query parameters have no null, and the example of the tool", () => {
  const parameters = probes.paths["/rest/v1/call/probe_optional_text"]?.get?.parameters
  assert.deepNestedInclude(parameters?.[0], { name: "value", in: "query", required: false, example: "a" })
  assert.deepNestedInclude(parameters?.[0], { "schema.type": "string" })
})

it("pages that need no token say so; everything else needs one", () => {
  assert.deepStrictEqual(probes.security, [{ accessToken: [] }])
  const open = operationsOf(probes).flatMap(({ operation, path }) => (operation.security === undefined ? [] : [path]))
  assert.deepStrictEqual(open, [
    "/platform/v1/revoke",
    "/health/live",
    "/health/ready",
    "/openapi.json",
    "/SKILL.md",
    "/SKILL/{page}",
    "/metrics",
    "/files/{key}/{name}",
    "/sites/tls-check",
    "/u/{token}",
    "/u/{token}",
    "/not-me/{token}",
    "/not-me/{token}",
    "/confirm/{token}",
    "/confirm/{token}",
    "/access/{token}",
    "/access/{token}",
    "/lead/{token}",
    "/lead/{token}",
    "/inbound/mail",
    "/webhooks/crm/{account}/{crm}/{secret}/{news}",
    "/webhooks/chatapp",
    "/webhooks/chatapp",
    "/chatapp/signup",
    "/voice/elevenlabs/post-call",
    "/voice/twilio/calls/{reference}",
    "/webhooks/scheduler/{key}",
    "/connect/{service}",
    "/connect/{service}/callback",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/{address}",
    "/oauth/authorize",
    "/oauth/authorize",
    "/oauth/token",
    "/oauth/register",
    "/oauth/revoke",
    "/calendar/notices",
    "/calendar/notices/microsoft",
    "/ads/payment-notices",
    "/ads/recharge/{token}",
    "/ads/recharge/{token}",
    "/site-editor/{key}",
    "/site-editor/{key}",
    "/site-editor/{key}/preview",
    "/site-editor/{key}/picture/{digest}",
    "/site-editor/{key}/records",
    "/sandbox/chatapp/pictures/{key}",
    "/sandbox/chatapp/signup",
    "/sandbox/chatapp/signup",
    "/sandbox/oauth/{service}",
    "/sandbox/oauth/{service}",
    "/sandbox/ads/{token}",
    "/sandbox/ads/{token}",
    "/sandbox/scheduler/{key}",
    "/sandbox/scheduler/{key}"
  ])
})
