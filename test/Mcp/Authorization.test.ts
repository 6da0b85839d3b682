import { createHash } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js"
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Context, Effect, Layer } from "effect"
import * as oauth from "oauth4webapi"
import { OutboundPolicy } from "../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { AccessTokens } from "../../src/Services/Accounts/AccessTokens.ts"
import { recordsOfAccount } from "../support/AllRecords.ts"
import { freePort } from "../support/GatewayProcess.ts"
import { localCertificate, localHttpsServer } from "../support/LocalHttpsServer.ts"
import { as } from "../support/TestAccount.ts"
import { makeTokenHolder, send, testGateway } from "../support/TestServer.ts"
import { judgedAuthorization } from "./conformanceSuite.ts"
import { type Answer, consent, offered, openConsent } from "./ownersBrowser.ts"
import { calling, modern, rpc } from "./speaking.ts"

/** Metadata names the gateway's own address, so that it has to be known before the gateway listens. */
class Place extends Context.Tag("Place")<Place, { readonly baseUrl: string }>() {}

const Gateway = Layer.unwrapEffect(
  Effect.map(freePort, (port) => {
    const baseUrl = `http://127.0.0.1:${port}`
    return Layer.merge(
      Layer.succeed(Place, { baseUrl }),
      testGateway({ port, baseUrl, outboundAllowLoopback: true }).pipe(
        Layer.provide(
          Layer.effect(
            OutboundPolicy,
            Effect.map(OutboundPolicy, (policy) => ({ ...policy, certificateAuthorities: [localCertificate] }))
          )
        )
      )
    )
  })
)

const redirectUri = "http://127.0.0.1:49152/callback"

/** A program of the official SDK, whose person answers the page of consent. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = redirectUri
  readonly clientMetadataUrl?: string
  asked: URL | undefined
  #client: OAuthClientInformationMixed | undefined
  #tokens: OAuthTokens | undefined
  #verifier = ""
  constructor(documentUrl?: string) {
    if (documentUrl !== undefined) this.clientMetadataUrl = documentUrl
  }
  get clientMetadata() {
    return { client_name: "Judge", redirect_uris: [redirectUri] }
  }
  clientInformation() {
    return this.#client
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client
  }
  tokens() {
    return this.#tokens
  }
  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens
  }
  redirectToAuthorization(url: URL) {
    this.asked = url
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier() {
    return this.#verifier
  }
}

/** From 401 over the page of consent to a call. */
const letIn = async (address: string, program: Program, answer: Answer) => {
  const url = new URL(address)
  const transport = () => new StreamableHTTPClientTransport(url, { authProvider: program })
  const first = transport()
  const firstTransport: unknown = first
  const client = new Client({ name: "judge", version: "1" })
  const failure = await client.connect(firstTransport as Transport).then(
    () => undefined,
    (error: unknown) => error
  )
  assert.instanceOf(failure, UnauthorizedError)
  const asked = program.asked ?? new URL(address)
  const page = await consent(asked, answer)
  assert.strictEqual(page.location?.searchParams.get("iss"), url.origin)
  await first.finishAuth(page.location?.searchParams.get("code") ?? "")
  const second: unknown = transport()
  const inside = new Client({ name: "judge", version: "1" })
  await inside.connect(second as Transport)
  return { asked, client: inside, tokens: program.tokens() }
}

const verifier = "v".repeat(43)
const challenge = createHash("sha256").update(verifier).digest("base64url")

const registered = (name = "Judge", uri = redirectUri) =>
  send("/oauth/register", {
    method: "POST",
    body: JSON.stringify({ client_name: name, redirect_uris: [uri] }),
    headers: { "Content-Type": "application/json" }
  }).pipe(Effect.map(({ json }) => (json as { readonly client_id: string }).client_id))

/** The address that a program sends its person to. */
const asking = (clientId: string, more: Readonly<Record<string, string>> = {}) =>
  Effect.map(Place, ({ baseUrl }) => {
    const url = new URL("/oauth/authorize", baseUrl)
    const parameters = {
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      code_challenge: challenge,
      code_challenge_method: "S256",
      state: "s1",
      ...more
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return url
  })

const posted = (path: string, form: Readonly<Record<string, string>>) =>
  send(path, { method: "POST", body: new URLSearchParams(form).toString() })

interface Given {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly error?: string
}

const tokensFor = (form: Readonly<Record<string, string>>) =>
  Effect.map(posted("/oauth/token", form), ({ json, status }) => ({ status, ...(json as Given) }))

/** A program that was let in, without an SDK. */
const allowed = (answer: Answer, more: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const clientId = yield* registered()
    const url = yield* asking(clientId, more)
    const page = yield* Effect.promise(() => consent(url, answer))
    const code = page.location?.searchParams.get("code") ?? ""
    const redemption = {
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier
    }
    return { clientId, code, redemption }
  })

const inside = (answer: Answer, more: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const grant = yield* allowed(answer, more)
    return { ...grant, tokens: yield* tokensFor(grant.redemption) }
  })

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
      const own = listed.find(({ label }) => label === "Judge")
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
      assert.strictEqual(page.location?.searchParams.get("error"), "invalid_target")
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
        { client_id: `${clientId.slice(0, -2)}AA` },
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
        assert.strictEqual(page.location?.searchParams.get("error"), error)
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
        "https://claude.ai/api/mcp/auth_callback"
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
