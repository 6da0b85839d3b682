import * as http from "node:http"
import { Effect, Redacted } from "effect"
import type { OAuthProvider } from "../../src/Services/Connections/OAuth.ts"
import type { OutboundFailure, OutboundRequest } from "../../src/Services/Outbound/OutboundHttp.ts"

export const judgeIssuer = "https://judge.example"
export const judgeScopes = ["openid", "offline_access", "calendar", "contacts"]
export const judgeSecret = "a secret of the tests, long enough for all"

interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

/** Asks the judge, which listens here, as if it were at its address. */
export const askJudge = (
  port: number,
  method: string,
  path: string,
  headers: http.OutgoingHttpHeaders,
  body?: string | Uint8Array
) =>
  Effect.promise(
    () =>
      new Promise<Answer>((resolve, reject) => {
        const sent = http.request(
          {
            host: "127.0.0.1",
            port,
            method,
            path,
            headers: { ...headers, host: "judge.example", "x-forwarded-proto": "https" }
          },
          (response) => {
            const chunks: Array<Buffer> = []
            response.on("data", (chunk: Buffer) => chunks.push(chunk))
            response.on("end", () =>
              resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
            )
          }
        )
        sent.on("error", reject)
        sent.end(body)
      })
  )

type Request = (
  request: OutboundRequest
) => Effect.Effect<
  { readonly status: number; readonly headers: { readonly [name: string]: string }; readonly body: Buffer },
  OutboundFailure
>

/** The judge as the gateway knows it. */
export const judgeProvider = (request: Request): OAuthProvider => ({
  service: "judge",
  title: { "pt-BR": "o juiz", en: "the judge", es: "el juez" },
  connectTool: "get_judge_connection_url",
  mode: "live",
  issuer: judgeIssuer,
  authorizeUrl: `${judgeIssuer}/auth`,
  tokenUrl: `${judgeIssuer}/token`,
  revokeUrl: `${judgeIssuer}/token/revocation`,
  client: { id: "gateway", secret: Redacted.make(judgeSecret) },
  authentication: "basic",
  scopes: judgeScopes,
  requiredScopes: ["calendar"],
  parameters: { prompt: "consent" },
  rotatesRefreshToken: true,
  request,
  identify: (accessToken) =>
    request({
      method: "GET",
      url: `${judgeIssuer}/me`,
      headers: { authorization: `Bearer ${Redacted.value(accessToken)}` }
    }).pipe(
      Effect.map(({ body }) => {
        const { sub } = JSON.parse(body.toString()) as { readonly sub: string }
        return { identity: sub, label: `${sub}@judge.example`, settings: { zone: "UTC" } }
      }),
      Effect.orDie
    ),
  connected: () => Effect.void,
  leaving: () => Effect.void,
  disconnected: Effect.void
})
