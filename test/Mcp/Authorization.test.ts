import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as oauth from "oauth4webapi"
import { AccessTokens } from "../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { recordsOfAccount } from "../support/AllRecords.ts"
import { freePort } from "../support/processes/GatewayProcess.ts"
import { localHttpsServer } from "../support/servers/LocalHttpsServer.ts"
import { makeTokenHolder, send } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"
import { judgedAuthorization } from "./conformanceSuite.ts"
import { consent, offered, openConsent } from "./ownersBrowser.ts"
import {
  allowed,
  asking,
  Gateway,
  inside,
  letIn,
  Place,
  Program,
  posted,
  redirectUri,
  registered,
  tokensFor,
  verifier
} from "./programs.ts"
import { calling, modern, rpc } from "./speaking.ts"

/** The same id under another signature. Its last characters hold spare bits, so the one that changes is further in. */
const withOtherSignature = (clientId: string): string =>
  clientId.replace(/.(?=.{9}$)/, (character) => (character === "A" ? "B" : "A"))

layer(Gateway, { excludeTestServices: true })("letting programs in", (it) => {
  it.effect("a client of the SDK registers, is consented to, calls, renews, and is listed and revoked", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* Place
      const { caller, token } = yield* makeTokenHolder()
      const { client, tokens } = yield* Effect.promise(() =>
        letIn(`${baseUrl}/mcp`, new Program(), { token, scopes: ["read", "write"] })
      )
      const answer = yield* Effect.promise(() => client.callTool({ name: "whoami" }))
      assert.isObject(answer.structuredContent)
      assert.strictEqual(tokens?.scope, "read write")
      const service = yield* AccessTokens
      const listed = yield* as(caller)(service.list)
      const own = listed.find(({ label }) => label === "Judge (unverified name)")
      assert.isNotNull(own?.expires_at)
      if (own === undefined) return assert.fail("The program's token is not listed.")
      yield* as(caller)(service.revoke(own.token_id))
      assert.strictEqual((yield* modern(tokens?.access_token ?? "", "tools/list")).status, 401)
      const clientId = yield* registered()
      const renewed = yield* tokensFor({
        grant_type: "refresh_token",
        client_id: clientId,
        refresh_token: tokens?.refresh_token ?? ""
      })
      assert.strictEqual(renewed.error, "invalid_grant")
    })
  )

  it.scoped("a client with a metadata document is shown with the host that vouches for it", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* Place
      const { token } = yield* makeTokenHolder()
      let document: object = {}
      const host = yield* localHttpsServer((_request, response) => {
        response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(document))
      })
      const clientId = `${host.url}/client.json`
      document = { client_id: clientId, client_name: "Documented <b>", redirect_uris: [redirectUri] }
      const { asked, client } = yield* Effect.promise(() =>
        letIn(`${baseUrl}/mcp/x/leads/readonly`, new Program(clientId), { token })
      )
      assert.strictEqual(asked.searchParams.get("client_id"), clientId)
      assert.strictEqual(asked.searchParams.get("scope"), "read")
      const page = yield* Effect.promise(() => openConsent(asked))
      assert.include(page.text, "Documented &lt;b&gt;")
      assert.include(page.text, new URL(host.url).host)
      const { tools } = yield* Effect.promise(() => client.listTools())
      assert.include(
        tools.map(({ name }) => name),
        "get_lead"
      )
      // A document about another address vouches for nobody.
      const liar = yield* asking(`${host.url}/other.json`)
      assert.strictEqual((yield* Effect.promise(() => openConsent(liar))).status, 400)
    })
  )

  it.effect("tells where to ask for a token, in the words of each address", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* Place
      const refused = yield* send("/mcp/x/leads/readonly", { method: "POST", body: "{}" })
      assert.strictEqual(
        refused.headers.get("www-authenticate"),
        `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp/x/leads/readonly", scope="read"`
      )
      const shown = yield* modern("pgw_nothing", "tools/list")
      assert.include(shown.headers.get("www-authenticate") ?? "", `error="invalid_token"`)
      for (const [path, resource] of [
        ["", "/mcp"],
        ["/mcp", "/mcp"],
        ["/mcp/x/leads/readonly", "/mcp/x/leads/readonly"]
      ] as const) {
        const { json } = yield* send(`/.well-known/oauth-protected-resource${path}`)
        assert.deepInclude(json, { resource: `${baseUrl}${resource}`, authorization_servers: [baseUrl] })
      }
      assert.strictEqual((yield* send("/.well-known/oauth-protected-resource/other")).status, 404)
      const server = yield* Effect.promise(async () => {
        const issuer = new URL(baseUrl)
        const options = { algorithm: "oauth2", [oauth.allowInsecureRequests]: true } as const
        return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
      })
      assert.isTrue(server.authorization_response_iss_parameter_supported)
      assert.isFalse(server.scopes_supported?.includes("offline_access"))
    })
  )

  it.effect("a program may be let in to the tools of a prefix, or of the whole gateway, and to no other address", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* Place
      const { token } = yield* makeTokenHolder()
      const addresses = ["/rest/v1/call/whoami", "/api/v1/call/whoami", "/platform/v1/call/list_tokens"]
      for (const [resource, allowedAt] of [
        ["/rest/v1", [200, 401, 401]],
        ["/platform/v1", [401, 401, 200]],
        ["", [200, 200, 200]],
        ["/mcp", [401, 401, 401]]
      ] as const) {
        const { tokens } = yield* inside(
          { token, scopes: ["read"] },
          { resource: `${baseUrl}${resource}`, scope: "read" }
        )
        const answers = yield* Effect.forEach(addresses, (path) => send(path, { token: tokens.access_token }))
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [...allowedAt],
          resource
        )
        const write = yield* send("/rest/v1/tools/register_lead", {
          method: "POST",
          token: tokens.access_token,
          body: "{}"
        })
        assert.strictEqual(write.status, allowedAt[0] === 200 ? 403 : 401, resource)
        const agent = yield* modern(tokens.access_token, "tools/list")
        assert.strictEqual(agent.status, resource === "" || resource === "/mcp" ? 200 : 401, resource)
      }
      const refused = yield* allowed({ token }, { resource: `${baseUrl}/files` })
      assert.strictEqual(refused.code, "")
    })
  )

  it.effect("a refresh token that leaked is ended by its secret alone, and with it what it renews", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const { clientId, tokens } = yield* inside({ token, scopes: ["read"] })
      const revoke = (secret: string) =>
        send("/platform/v1/revoke", { method: "POST", body: JSON.stringify({ token: secret }) })
      const wrong = yield* revoke(`${tokens.refresh_token?.slice(0, -4) ?? ""}AAAA`)
      assert.deepStrictEqual([wrong.status, wrong.text], [200, "{}"])
      assert.strictEqual((yield* modern(tokens.access_token, "tools/list")).status, 200)
      const right = yield* revoke(tokens.refresh_token ?? "")
      assert.deepStrictEqual([right.status, right.text], [200, "{}"])
      assert.strictEqual((yield* modern(tokens.access_token, "tools/list")).status, 401)
      const renewed = yield* tokensFor({
        grant_type: "refresh_token",
        client_id: clientId,
        refresh_token: tokens.refresh_token ?? ""
      })
      assert.strictEqual(renewed.error, "invalid_grant")
      assert.strictEqual((yield* modern(token, "tools/list")).status, 200)
    })
  )

  it.effect("a stolen code is worth nothing, and one that comes twice ends what came of it", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const { redemption } = yield* allowed({ token })
      const thief = yield* registered("Thief")
      for (const wrong of [
        { code_verifier: "w".repeat(43) },
        { client_id: thief },
        { redirect_uri: "http://127.0.0.1:49152/other" },
        { resource: "https://elsewhere.example/mcp" }
      ]) {
        assert.include(["invalid_grant", "invalid_target"], (yield* tokensFor({ ...redemption, ...wrong })).error)
      }
      const given = yield* tokensFor(redemption)
      assert.strictEqual(given.status, 200)
      assert.strictEqual((yield* modern(given.access_token, "tools/list")).status, 200)
      assert.strictEqual((yield* tokensFor(redemption)).error, "invalid_grant")
      assert.strictEqual((yield* modern(given.access_token, "tools/list")).status, 401)
    })
  )

  it.effect("a refresh token is good once: one that comes again ends the program's access", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const { clientId, tokens } = yield* inside({ token })
      const refresh = (refresh_token: string, client_id = clientId, more = {}) =>
        tokensFor({ grant_type: "refresh_token", client_id, refresh_token, ...more })
      assert.strictEqual((yield* refresh(tokens.refresh_token, yield* registered("Thief"))).error, "invalid_grant")
      assert.strictEqual(
        (yield* refresh(tokens.refresh_token, clientId, { scope: "read admin" })).error,
        "invalid_scope"
      )
      const second = yield* refresh(tokens.refresh_token)
      assert.strictEqual(second.status, 200)
      assert.strictEqual((yield* modern(tokens.access_token, "tools/list")).status, 401)
      assert.strictEqual((yield* modern(second.access_token, "tools/list")).status, 200)
      assert.strictEqual((yield* refresh(tokens.refresh_token)).error, "invalid_grant")
      assert.strictEqual((yield* modern(second.access_token, "tools/list")).status, 401)
      assert.strictEqual((yield* refresh(second.refresh_token)).error, "invalid_grant")
    })
  )

  it.effect("either token can be given back, and of no other one anything is told", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      for (const which of ["access_token", "refresh_token"] as const) {
        const { clientId, tokens } = yield* inside({ token })
        assert.strictEqual((yield* posted("/oauth/revoke", { token, client_id: clientId })).status, 200)
        assert.strictEqual((yield* modern(token, "tools/list")).status, 200)
        assert.strictEqual((yield* posted("/oauth/revoke", { token: tokens[which], client_id: clientId })).status, 200)
        assert.strictEqual((yield* modern(tokens.access_token, "tools/list")).status, 401)
      }
    })
  )

  it.effect("a token is good at the address it was asked for alone, and never for REST", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* Place
      const { token } = yield* makeTokenHolder()
      const { tokens } = yield* inside({ token }, { resource: `${baseUrl}/mcp/x/leads` })
      const at = (path: string) => modern(tokens.access_token, "tools/list", {}, { path })
      assert.strictEqual((yield* at("/mcp/x/leads/readonly")).status, 200)
      assert.strictEqual((yield* at("/mcp/x/leads")).status, 200)
      assert.strictEqual((yield* at("/mcp/x/leads,session")).status, 401)
      assert.strictEqual((yield* at("/mcp")).status, 401)
      assert.strictEqual((yield* send("/rest/v1/call/whoami", { token: tokens.access_token })).status, 401)
      const url = yield* asking(yield* registered(), { resource: "https://elsewhere.example/mcp" })
      const page = yield* Effect.promise(() => openConsent(url))
      assert.isUndefined(page.location)
      assert.include(page.text, "error=invalid_target")
    })
  )

  it.effect("a token does what was ticked, and tells what it would take to do more", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* makeTokenHolder()
      const { lead_id } = yield* recordsOfAccount(caller)
      const { tokens } = yield* inside({ token, scopes: ["read", "leads"] }, { scope: "read write leads campaigns" })
      assert.strictEqual(tokens.scope, "read leads")
      const program = tokens.access_token
      const all = { path: "/mcp/x/all" }
      const stop = { name: "stop_lead", arguments: { lead_id } }
      const refused = yield* modern(program, "tools/call", stop, all)
      assert.strictEqual(refused.status, 403)
      assert.include(refused.headers.get("www-authenticate") ?? "", `scope="read leads destructive"`)
      assert.include(refused.headers.get("www-authenticate") ?? "", `error="insufficient_scope"`)
      const byMeta = yield* modern(program, "tools/call", {
        name: "call_destructive_tool",
        arguments: { tool: "stop_lead", arguments: { lead_id } }
      })
      assert.strictEqual(byMeta.status, 403)
      assert.isUndefined((yield* calling(program, "get_lead", { lead_id }, all)).error)
      assert.strictEqual((yield* modern(program, "tools/call", { name: "whoami" })).status, 403)
      const listed = (yield* modern(program, "tools/list", {}, all)).text
      assert.include(listed, `"get_lead"`)
      assert.notInclude(listed, `"stop_lead"`)
      assert.notInclude(listed, `"whoami"`)
      const found = yield* calling(program, "search_tools", { query: "stop contacting a lead" })
      assert.notInclude(found.result?.content[0]?.text ?? "", "stop_lead")
      assert.strictEqual(
        (yield* modern(program, "resources/read", { uri: `lead://${JSON.stringify(lead_id)}/conversation` })).status,
        403
      )
    })
  )

  it.effect("a program cannot let itself or others in, nor can its token consent", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const { tokens } = yield* inside({ token })
      for (const [name, args] of [
        ["generate_mcp_token", {}],
        ["add_member", { name: "Eve", email: "eve@example.com" }]
      ] as const) {
        const answer = yield* calling(tokens.access_token, name, args, { path: "/mcp/x/all" })
        assert.include(answer.result?.content[0]?.text ?? "", "owner_token_required")
      }
      const url = yield* asking(yield* registered())
      const page = yield* Effect.promise(() => consent(url, { token: tokens.access_token }))
      assert.strictEqual(page.status, 401)
      assert.isUndefined(page.location)
    })
  )

  it.effect("consent can only narrow, and nobody is sent to an address that is not the program's", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const clientId = yield* registered()
      const url = yield* asking(clientId, { scope: "read leads offline_access" })
      assert.deepStrictEqual(offered(yield* Effect.promise(() => openConsent(url))), ["read", "leads"])
      const widened = yield* Effect.promise(() => consent(url, { token, scopes: ["read", "write", "leads"] }))
      const given = yield* tokensFor({
        grant_type: "authorization_code",
        client_id: clientId,
        code: widened.location?.searchParams.get("code") ?? "",
        redirect_uri: redirectUri,
        code_verifier: verifier
      })
      assert.strictEqual(given.scope, "read leads")
      // Without its group the token would reach every group.
      assert.strictEqual((yield* Effect.promise(() => consent(url, { token, scopes: ["read"] }))).status, 422)
      const declined = yield* Effect.promise(() => consent(url, { token, decline: true }))
      assert.strictEqual(declined.location?.searchParams.get("error"), "access_denied")
      assert.strictEqual(declined.location?.searchParams.get("state"), "s1")
      for (const wrong of [
        { redirect_uri: "https://evil.example/callback" },
        { redirect_uri: "http://127.0.0.1.evil.example/callback" },
        { client_id: withOtherSignature(clientId) },
        { client_id: "pgc_e30.AAAA" }
      ]) {
        const page = yield* Effect.promise(async () =>
          openConsent(
            await Effect.runPromise(asking(clientId, wrong).pipe(Effect.provideService(Place, { baseUrl: url.origin })))
          )
        )
        assert.strictEqual(page.status, 400)
        assert.isUndefined(page.location)
      }
      for (const [wrong, error] of [
        [{ code_challenge_method: "plain" }, "invalid_request"],
        [{ code_challenge: "" }, "invalid_request"],
        [{ response_type: "token" }, "unsupported_response_type"]
      ] as const) {
        const refused = yield* asking(clientId, wrong)
        const page = yield* Effect.promise(() => openConsent(refused))
        assert.isUndefined(page.location)
        assert.include(page.text, `error=${error}`)
      }
      const page = yield* Effect.promise(() => openConsent(url))
      assert.include(page.headers.get("content-security-policy") ?? "", "form-action 'self' http://127.0.0.1:49152;")
    })
  )

  it.effect("takes no address that runs, reads or leaks something", () =>
    Effect.gen(function* () {
      for (const uri of [
        "javascript:alert(1)",
        "data:text/html,x",
        "http://example.com/callback",
        "https://user:pass@example.com/",
        "https://example.com/#x",
        "file:///etc/passwd",
        "ms-settings://home",
        "cursor://elsewhere/callback",
        "nonsense"
      ]) {
        const answer = yield* send("/oauth/register", {
          method: "POST",
          body: JSON.stringify({ redirect_uris: [redirectUri, uri] })
        })
        assert.strictEqual(answer.status, 400, uri)
        assert.include(answer.text, "invalid_redirect_uri")
      }
      for (const uri of [
        "cursor://anysphere.cursor-retrieval/oauth/callback",
        "https://claude.ai/api/mcp/auth_callback",
        "com.example.app:/callback"
      ]) {
        assert.match(yield* registered("Host", uri), /^pgc_/)
      }
    })
  )

  it.effect("another's requestState is worth nothing to a program of the same account", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* makeTokenHolder()
      const { lead_id } = yield* recordsOfAccount(caller)
      const one = yield* inside({ token })
      const other = yield* inside({ token })
      const stop = (program: string, more: object = {}) =>
        Effect.map(
          modern(
            program,
            "tools/call",
            { name: "stop_lead", arguments: { lead_id }, ...more },
            { path: "/mcp/x/all", capabilities: { elicitation: {} } }
          ),
          rpc
        )
      const asked = yield* stop(one.tokens.access_token)
      const yes = {
        inputResponses: { confirmation: { action: "accept", content: { confirm: true } } },
        requestState: asked.result?.requestState
      }
      assert.strictEqual((yield* stop(other.tokens.access_token, yes)).result?.resultType, "input_required")
      assert.isUndefined((yield* stop(one.tokens.access_token, yes)).result?.isError)
    })
  )

  it.effect("a token for some groups reaches no others by headers, meta-tools or resources", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* Place
      const { caller, token } = yield* makeTokenHolder()
      const { lead_id } = yield* recordsOfAccount(caller)
      const { tokens } = yield* inside({ token }, { resource: `${baseUrl}/mcp/x/meetings/readonly` })
      assert.strictEqual(tokens.scope, "read meetings")
      const path = "/mcp/x/meetings/readonly"
      const call = (name: string, args: object, headers: Record<string, string>) =>
        modern(tokens.access_token, "tools/call", { name, arguments: args }, { path, headers })
      assert.strictEqual((yield* call("list_lead_meetings", {}, {})).status, 200)
      for (const headers of [{ "X-MCP-Toolsets": "all" }, { "X-MCP-Tools": "get_lead" }]) {
        assert.strictEqual((yield* call("get_lead", { lead_id }, headers)).status, 403)
      }
      const inner = { tool: "get_lead", arguments: { lead_id } }
      assert.strictEqual((yield* call("call_read_tool", inner, { "X-MCP-Toolsets": "default" })).status, 403)
      const uri = `lead://${JSON.stringify(lead_id)}`
      assert.strictEqual((yield* modern(tokens.access_token, "resources/read", { uri }, { path })).status, 403)
      assert.oneOf(
        (yield* modern(tokens.access_token, "tools/list", {}, { path: `${path}/../all` })).status,
        [401, 404]
      )
    })
  )

  it.effect("what stands twice, in an address or beside the token is not taken", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const { redemption } = yield* allowed({ token })
      const twice = (more: string) =>
        send("/oauth/token", { method: "POST", body: `${new URLSearchParams(redemption).toString()}&${more}` })
      for (const [more, error] of [
        ["code_verifier=x", "invalid_request"],
        ["client_id=pgc_e30.AAAA", "invalid_request"],
        ["grant_type=refresh_token", "invalid_request"],
        ["resource=http%3A%2F%2Fa.example%2Fmcp&resource=http%3A%2F%2Fb.example%2Fmcp", "invalid_target"]
      ] as const) {
        assert.include((yield* twice(more)).text, error)
      }
      const query = new URLSearchParams(redemption).toString()
      assert.strictEqual((yield* send(`/oauth/token?${query}`, { method: "POST", body: "" })).status, 400)
      assert.strictEqual((yield* send(`/oauth/token?${query}`)).status, 405)
      // All of that left the code as it was.
      const given = yield* tokensFor(redemption)
      assert.strictEqual(given.status, 200)
      const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
      const inAddress = yield* send(`/mcp?access_token=${given.access_token}`, { method: "POST", body: ping })
      assert.strictEqual(inAddress.status, 401)
    })
  )

  it.effect("an address that only looks like the program's is not sent to, and no page may frame the consent", () =>
    Effect.gen(function* () {
      const clientId = yield* registered("Judge", "https://app.example/callback")
      for (const lookalike of [
        "https://app.example/callback/",
        "https://app.example/callback?x=1",
        "https://APP.example/callback",
        "https://app.example:8443/callback",
        "https://app.example/%63allback",
        "https://app.example\\@evil.example/callback",
        "https://app.example@evil.example/callback",
        "https://evil.example/../app.example/callback",
        "http://app.example/callback",
        "https://app.example/callback#x"
      ]) {
        const page = yield* Effect.flatMap(asking(clientId, { redirect_uri: lookalike }), (url) =>
          Effect.promise(() => openConsent(url))
        )
        assert.strictEqual(page.status, 400, lookalike)
        assert.isUndefined(page.location, lookalike)
        assert.include(page.headers.get("content-security-policy") ?? "", "frame-ancestors 'none'")
      }
      const onMachine = yield* registered("Local", "http://localhost:1/cb")
      for (const [uri, status] of [
        ["http://localhost:65535/cb", 200],
        ["http://LOCALHOST:2/cb", 200],
        ["http://localhost.evil.example:1/cb", 400],
        ["http://127.0.0.1:1/cb", 400],
        ["http://localhost:1@evil.example/cb", 400]
      ] as const) {
        const page = yield* Effect.flatMap(asking(onMachine, { redirect_uri: uri }), (url) =>
          Effect.promise(() => openConsent(url))
        )
        assert.strictEqual(page.status, status, uri)
        assert.strictEqual(page.headers.get("x-frame-options"), "DENY")
      }
      const named = yield* send("/oauth/register", {
        method: "POST",
        body: JSON.stringify({ redirect_uris: ["https://x;sandbox/cb"] })
      })
      assert.include(named.text, "invalid_redirect_uri")
    })
  )

  it.scoped("a metadata document that moves on, never ends or is no document lets nobody in", () =>
    Effect.gen(function* () {
      let asked = 0
      const host = yield* localHttpsServer((request, response) => {
        asked++
        const id = `${host.url}${request.url ?? ""}`
        if (request.url === "/moved") response.writeHead(302, { Location: `${host.url}/target` }).end()
        else if (request.url === "/huge") response.writeHead(200).end("[".repeat(200_000))
        else if (request.url === "/deep") response.writeHead(200).end("[".repeat(15_000))
        else if (request.url === "/secret") {
          const said = { client_id: id, redirect_uris: [redirectUri], token_endpoint_auth_method: "client_secret_post" }
          response.writeHead(200).end(JSON.stringify(said))
        } else response.writeHead(200).end(JSON.stringify({ client_id: id, redirect_uris: [redirectUri] }))
      })
      for (const path of ["/moved", "/huge", "/deep", "/secret", "/"]) {
        const url = yield* asking(`${host.url}${path}`)
        assert.strictEqual((yield* Effect.promise(() => openConsent(url))).status, 400, path)
      }
      assert.strictEqual(asked, 4)
    })
  )

  it.effect("asks a person before something is taken away as the owner chose", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* makeTokenHolder()
      const { lead_id } = yield* recordsOfAccount(caller)
      const stop = (program: string, capabilities: object = {}) =>
        calling(program, "stop_lead", { lead_id }, { path: "/mcp/x/all", capabilities })
      const careful = yield* inside({ token, confirmation: "always" })
      const blind = yield* stop(careful.tokens.access_token)
      assert.include(blind.result?.content[0]?.text ?? "", "confirmation_required")
      const asked = yield* stop(careful.tokens.access_token, { elicitation: {} })
      assert.strictEqual(asked.result?.resultType, "input_required")
      const bold = yield* inside({ token, confirmation: "never" })
      const done = yield* stop(bold.tokens.access_token, { elicitation: {} })
      assert.strictEqual(done.result?.resultType, "complete")
      assert.isUndefined(done.result?.isError)
      const service = yield* AccessTokens
      const own = yield* service.authenticate(token)
      yield* as(caller)(service.setConfirmation(own.tokenId, "always"))
      // Whoever is asked always lets nobody in who is not.
      const held = yield* inside({ token, confirmation: "never" })
      assert.include((yield* stop(held.tokens.access_token)).result?.content[0]?.text ?? "", "confirmation_required")
    })
  )

  it.effect("the suite's authorization scenarios find no fault", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* Place
      const { token } = yield* makeTokenHolder()
      const port = yield* freePort
      const clientId = yield* registered("Suite", `http://127.0.0.1:${port}/callback`)
      const { code, output } = yield* judgedAuthorization({ baseUrl, clientId, port }, (url) =>
        consent(url, { token }).then(({ location }) => location)
      )
      assert.strictEqual(code, 0, output.slice(-4000))
      assert.include(output, "authorization")
    })
  )
})
