import { createHash } from "node:crypto"
import { assert } from "@effect/vitest"
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js"
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Context, Effect, Layer } from "effect"
import { OutboundPolicy } from "../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { freePort } from "../support/processes/GatewayProcess.ts"
import { localCertificate } from "../support/servers/LocalHttpsServer.ts"
import { send, testGateway } from "../support/servers/TestServer.ts"
import { type Answer, consent } from "./ownersBrowser.ts"

/** Metadata names the gateway's own address, so that it has to be known before the gateway listens. */
export class Place extends Context.Tag("Place")<Place, { readonly baseUrl: string }>() {}

export const Gateway = Layer.unwrapEffect(
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

export const redirectUri = "http://127.0.0.1:49152/callback"

/** A program of the official SDK, whose person answers the page of consent. */
export class Program implements OAuthClientProvider {
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
export const letIn = async (address: string, program: Program, answer: Answer) => {
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

export const verifier = "v".repeat(43)
const challenge = createHash("sha256").update(verifier).digest("base64url")

export const registered = (name = "Judge", uri = redirectUri) =>
  send("/oauth/register", {
    method: "POST",
    body: JSON.stringify({ client_name: name, redirect_uris: [uri] }),
    headers: { "Content-Type": "application/json" }
  }).pipe(Effect.map(({ json }) => (json as { readonly client_id: string }).client_id))

/** The address that a program sends its person to. */
export const asking = (clientId: string, more: Readonly<Record<string, string>> = {}) =>
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

export const posted = (path: string, form: Readonly<Record<string, string>>) =>
  send(path, { method: "POST", body: new URLSearchParams(form).toString() })

interface Given {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly expires_in: number
  readonly error?: string
}

export const tokensFor = (form: Readonly<Record<string, string>>) =>
  Effect.map(posted("/oauth/token", form), ({ json, status }) => ({ status, ...(json as Given) }))

/** A program that was let in, without an SDK. */
export const allowed = (answer: Answer, more: Readonly<Record<string, string>> = {}) =>
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

export const inside = (answer: Answer, more: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const grant = yield* allowed(answer, more)
    return { ...grant, tokens: yield* tokensFor(grant.redemption) }
  })
