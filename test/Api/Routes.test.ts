import { assert, describe, it } from "@effect/vitest"
import {
  allowedMethods,
  bodyTooLarge,
  defectAnswer,
  encodedBody,
  failureAnswer,
  matchRoute,
  notReadOnly,
  type Prefix,
  prefixes
} from "../../src/Api.ts"
import {
  badRequest,
  notFound,
  permanent,
  planRequired,
  RequestRefused,
  refused,
  ToolDefect,
  transient,
  Unauthorized
} from "../../src/Errors.ts"

describe("matchRoute", () => {
  for (const [method, path, route] of [
    ["GET", "/tools", { _tag: "ListTools" }],
    ["HEAD", "/tools", { _tag: "ListTools" }],
    ["GET", "/tools/whoami", { _tag: "DescribeTool", name: "whoami" }],
    ["HEAD", "/tools/whoami", { _tag: "DescribeTool", name: "whoami" }],
    ["POST", "/tools/whoami", { _tag: "CallWithBody", name: "whoami" }],
    ["GET", "/call/whoami", { _tag: "CallWithQuery", name: "whoami" }],
    ["HEAD", "/call/whoami", { _tag: "CallWithQuery", name: "whoami" }],
    ["POST", "/tools/WHOAMI", { _tag: "CallWithBody", name: "WHOAMI" }],
    ["POST", "/tools/who%61mi", { _tag: "CallWithBody", name: "whoami" }],
    ["POST", "/tools/a%2Fb", { _tag: "CallWithBody", name: "a/b" }],
    ["POST", "/tools/%", { _tag: "CallWithBody", name: "%" }],
    ["POST", "/tools/%ff", { _tag: "CallWithBody", name: "%ff" }],
    ["POST", "/tools/__proto__", { _tag: "CallWithBody", name: "__proto__" }],
    ["GET", "/call/..", { _tag: "CallWithQuery", name: ".." }]
  ] as const) {
    it(`${method} ${path}`, () => {
      assert.deepStrictEqual(matchRoute(method, path), route)
    })
  }

  const refusalOf = (method: string, path: string): RequestRefused => {
    const route = matchRoute(method, path)
    return route instanceof RequestRefused ? route : assert.fail(`${method} ${path} is a route`)
  }

  for (const path of [
    "",
    "/",
    "/tool",
    "/Tools",
    "/tools/",
    "/tools/a/",
    "/tools/a/b",
    "/call",
    "/call/",
    "/call/a/b"
  ]) {
    it(`there is no route ${JSON.stringify(path)}`, () => {
      const refusal = refusalOf("GET", path)
      assert.strictEqual(refusal.status, 404)
      assert.strictEqual(refusal.type, "UnknownRoute")
      assert.isUndefined(allowedMethods(path))
    })
  }

  it("a slash too many is told of", () => {
    assert.include(refusalOf("GET", "/tools/").detail, "slash at the end")
    assert.notInclude(refusalOf("GET", "/").detail, "slash at the end")
  })

  for (const [method, path, allow] of [
    ["POST", "/tools", "GET, HEAD, OPTIONS"],
    ["DELETE", "/tools", "GET, HEAD, OPTIONS"],
    ["PUT", "/tools/whoami", "GET, HEAD, POST, OPTIONS"],
    ["PATCH", "/tools/whoami", "GET, HEAD, POST, OPTIONS"],
    ["POST", "/call/whoami", "GET, HEAD, OPTIONS"],
    ["get", "/tools", "GET, HEAD, OPTIONS"]
  ] as const) {
    it(`${method} ${path} is refused with what the route has`, () => {
      const refusal = refusalOf(method, path)
      assert.strictEqual(refusal.status, 405)
      assert.strictEqual(refusal.type, "MethodNotAllowed")
      assert.strictEqual(refusal.allow, allow)
    })
  }

  it("a method of any length is cut short in the message", () => {
    assert.isBelow(refusalOf("X".repeat(10_000), "/tools").detail.length, 100)
  })
})

describe("failureAnswer", () => {
  const answerTo = (
    failure: Parameters<typeof failureAnswer>[0]["failure"],
    options: { readonly prefix: Prefix; readonly reachedTool?: boolean }
  ) => {
    const { body, headers, status } = failureAnswer({
      prefix: options.prefix,
      failure,
      reachedTool: options.reachedTool ?? true,
      requestId: "request-1",
      baseUrl: "https://gateway.test"
    })
    const parsed: unknown = JSON.parse(body)
    return { status, headers, body: parsed, text: body }
  }

  const toolErrors = [
    [notFound("voice call", "voice_call_request_id", 7), 404],
    [refused("lead_unsubscribed", "The lead unsubscribed.", "Leave it alone.", { lead_id: 7 }), 422],
    [planRequired("register_referral_lead"), 403],
    [transient("database_busy", "The database is busy.", 5), 503],
    [permanent("unusable", "It cannot be done.", "Do not repeat the call."), 500]
  ] as const

  for (const [error, status] of toolErrors) {
    it(`${error._tag} is ${status} under /rest/v1 and 200 under /api/v1, with the same bytes`, () => {
      const mapped = answerTo(error, { prefix: "/rest/v1" })
      const always200 = answerTo(error, { prefix: "/api/v1" })
      assert.strictEqual(mapped.status, status)
      assert.strictEqual(always200.status, 200)
      assert.strictEqual(mapped.text, always200.text)
      assert.deepInclude(mapped.body, {
        type: error._tag,
        error: error.error,
        reason: error.reason,
        detail: error.detail
      })
      assert.isUndefined(always200.headers)
    })
  }

  it("the fields that help are members of the body", () => {
    const [[missing], [refusal], [plan]] = toolErrors
    assert.deepInclude(answerTo(missing, { prefix: "/rest/v1" }).body, {
      reason: "voice_call_not_found",
      voice_call_request_id: 7
    })
    assert.deepInclude(answerTo(refusal, { prefix: "/rest/v1" }).body, { lead_id: 7 })
    assert.deepInclude(answerTo(plan, { prefix: "/rest/v1" }).body, { required_plan: "paid" })
  })

  it("a transient error says when to come back, in body and header", () => {
    const answer = answerTo(transient("database_busy", "The database is busy.", 5), { prefix: "/rest/v1" })
    assert.deepInclude(answer.body, { retry_after_seconds: 5 })
    assert.deepStrictEqual(answer.headers, { "Retry-After": "5" })
  })

  it("an error met before the tool is the dispatcher's own under /api/v1", () => {
    const error = transient("database_busy", "The database is busy.")
    assert.strictEqual(answerTo(error, { prefix: "/api/v1", reachedTool: false }).status, 500)
    assert.strictEqual(answerTo(error, { prefix: "/rest/v1", reachedTool: false }).status, 503)
  })

  for (const prefix of prefixes) {
    it(`a refused request has its own status and three members under ${prefix}`, () => {
      const refusals: ReadonlyArray<readonly [RequestRefused, number]> = [
        [badRequest("UnknownParameter", "e", "d"), 400],
        [badRequest("JsonException", "e", "d"), 400],
        [new RequestRefused({ status: 404, type: "UnknownTool", error: "e", detail: "d" }), 404],
        [notReadOnly("stop_lead"), 405],
        [bodyTooLarge(16), 413],
        [encodedBody, 415]
      ]
      for (const [refusal, status] of refusals) {
        const answer = answerTo(refusal, { prefix, reachedTool: false })
        assert.strictEqual(answer.status, status)
        assert.deepStrictEqual(answer.body, { error: refusal.error, type: refusal.type, detail: refusal.detail })
      }
    })

    it(`405 carries Allow under ${prefix}`, () => {
      const answer = answerTo(notReadOnly("stop_lead"), { prefix })
      assert.deepStrictEqual(answer.headers, { Allow: "POST" })
      assert.deepInclude(answer.body, { type: "NotReadOnly" })
    })

    it(`401 has its own body and says Bearer under ${prefix}`, () => {
      const failure = new Unauthorized({ error: "The token is revoked.", howToFix: "Use another." })
      const answer = answerTo(failure, { prefix, reachedTool: false })
      assert.strictEqual(answer.status, 401)
      assert.deepStrictEqual(answer.body, {
        error: "The token is revoked.",
        how_to_fix: "Use another.",
        documentation: "https://gateway.test/SKILL.md"
      })
      assert.deepStrictEqual(answer.headers, { "WWW-Authenticate": "Bearer" })
    })

    it(`a defect is 500 of type Permanent under ${prefix}, with nothing of its cause`, () => {
      const answer = answerTo(new ToolDefect({ tool: "stop_lead" }), { prefix })
      assert.strictEqual(answer.status, 500)
      assert.deepInclude(answer.body, { type: "Permanent", reason: "internal_error" })
      assert.include(answer.text, "request-1")
      assert.notInclude(answer.text, "stop_lead")
      assert.strictEqual(answer.text, defectAnswer("request-1").body)
    })
  }
})
