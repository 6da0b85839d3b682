import { spawn } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import * as http from "node:http"
import { Schema } from "effect"
import { exitCodes, PgwError } from "./ExitCodes.ts"
import type { Profile } from "./Profiles.ts"

const ServerMetadata = Schema.Struct({
  issuer: Schema.String,
  authorization_endpoint: Schema.String,
  token_endpoint: Schema.String,
  registration_endpoint: Schema.String
})
const Registration = Schema.Struct({ client_id: Schema.String })
const Tokens = Schema.Struct({
  access_token: Schema.String,
  refresh_token: Schema.String,
  expires_in: Schema.Number
})
const OAuthFault = Schema.Struct({ error: Schema.String, error_description: Schema.optional(Schema.String) })

const requestMillis = 30_000
/** How long a person may take to consent in the browser. */
const consentMillis = 10 * 60_000

const notLoggedIn = (why: string, detail = ""): PgwError =>
  new PgwError(`You are not logged in: ${why}`, detail, exitCodes.notAllowed)

const fetched = async <A>(schema: Schema.Schema<A>, url: string, init: RequestInit = {}): Promise<A> => {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(requestMillis) }).catch(() => {
    throw new PgwError(`${new URL(url).origin} does not answer.`, "Check --url.", exitCodes.tryAgain)
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok && Schema.is(schema)(body)) return body
  if (Schema.is(OAuthFault)(body)) throw notLoggedIn(body.error_description ?? body.error)
  throw notLoggedIn(`${url} answered ${response.status}.`, "Check that --url is a prospecting gateway.")
}

const form = (fields: Readonly<Record<string, string>>): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields)
})

/** Opens the address in the person's browser, if there is one. */
const openBrowser = (url: string): void => {
  const [program = "", ...args] =
    process.platform === "darwin"
      ? ["open"]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler"]
        : ["xdg-open"]
  spawn(program, [...args, url], { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref()
}

const closingPage = (text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>pgw</title><p>${text}</p>`

/** The first request to the loopback address that has this state, as the browser is sent back. */
const callbackOn = (server: http.Server, state: string): Promise<URLSearchParams> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(notLoggedIn("no one consented in time.")), consentMillis)
    server.on("request", (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1")
      const isOurs = pathname === "/callback" && searchParams.get("state") === state
      response.writeHead(isOurs ? 200 : 404, {
        "Content-Type": "text/html; charset=utf-8",
        "X-Content-Type-Options": "nosniff",
        Connection: "close"
      })
      const isGranted = searchParams.get("code") !== null
      response.end(
        closingPage(!isOurs ? "Not found." : isGranted ? "You can close this page." : "Access was declined.")
      )
      if (!isOurs) return
      clearTimeout(timer)
      resolve(searchParams)
    })
  })

const profileOf = (url: string, clientId: string, tokens: typeof Tokens.Type): Profile => ({
  url,
  token: tokens.access_token,
  refresh: {
    token: tokens.refresh_token,
    client_id: clientId,
    expires_at_millis: Date.now() + tokens.expires_in * 1000
  }
})

const metadataOf = (url: string) => fetched(ServerMetadata, `${url}/.well-known/oauth-authorization-server`)

/**
 * Asks the owner in a browser (authorization code with PKCE, RFC 8252). `show` gets the address, for a person whose
 * browser does not open.
 */
export const loginInBrowser = async (
  url: string,
  show: (address: string) => void,
  open: (address: string) => void = openBrowser
): Promise<Profile> => {
  const metadata = await metadataOf(url)
  const server = http.createServer().listen(0, "127.0.0.1")
  try {
    await once(server, "listening")
    const address = server.address()
    const port = address !== null && typeof address === "object" ? address.port : 0
    const redirect_uri = `http://127.0.0.1:${port}/callback`
    const { client_id } = await fetched(Registration, metadata.registration_endpoint, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ client_name: "pgw, the command line", redirect_uris: [redirect_uri] })
    })
    const verifier = randomBytes(32).toString("base64url")
    const state = randomBytes(16).toString("base64url")
    const resource = metadata.issuer
    const consent = `${metadata.authorization_endpoint}?${new URLSearchParams({
      response_type: "code",
      client_id,
      redirect_uri,
      state,
      resource,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256"
    })}`
    const answered = callbackOn(server, state)
    show(consent)
    open(consent)
    const answer = await answered
    // Another server's answer could be mixed in (RFC 9207).
    if (answer.get("iss") !== null && answer.get("iss") !== metadata.issuer)
      throw notLoggedIn("another server answered.")
    const code = answer.get("code")
    if (code === null)
      throw notLoggedIn(answer.get("error_description") ?? answer.get("error") ?? "access was declined.")
    const grant = { grant_type: "authorization_code", code, client_id, redirect_uri, code_verifier: verifier, resource }
    return profileOf(url, client_id, await fetched(Tokens, metadata.token_endpoint, form(grant)))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** A token for the next hour. The old refresh token is worth nothing afterwards. */
export const refreshed = async ({ refresh, url }: Profile): Promise<Profile | undefined> => {
  if (refresh === undefined) return undefined
  const metadata = await metadataOf(url)
  const grant = { grant_type: "refresh_token", refresh_token: refresh.token, client_id: refresh.client_id }
  return profileOf(url, refresh.client_id, await fetched(Tokens, metadata.token_endpoint, form(grant)))
}
