import { generateKeyPairSync } from "node:crypto"
import type * as http from "node:http"
import { Effect } from "effect"
import Provider from "oidc-provider"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { askJudge, judgeIssuer, judgeScopes, judgeSecret } from "./JudgeProvider.ts"

/** What the person at the judge's page does next. */
export interface Person {
  account: string
  withheld: ReadonlyArray<string>
  declines: boolean
}

/** An authorization server of others' making: certified, strict, with refresh tokens that serve once. */
export const makeJudge = Effect.gen(function* () {
  const person: Person = { account: "owner-1", withheld: [], declines: false }
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const judge = new Provider(judgeIssuer, {
    clients: [
      {
        client_id: "gateway",
        client_secret: judgeSecret,
        redirect_uris: ["https://gateway.example/connect/judge/callback"],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_basic"
      }
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", kid: "one" }] },
    cookies: { keys: ["one key of the tests"] },
    scopes: judgeScopes,
    pkce: { required: () => true },
    rotateRefreshToken: true,
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      Grant: 86_400,
      Interaction: 600,
      RefreshToken: 86_400,
      Session: 600
    },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => Promise.resolve({ sub: id }) })
  })
  judge.proxy = true
  const serve = judge.callback()

  const decide = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const { params, prompt, session } = await judge.interactionDetails(request, response)
    if (person.declines) {
      return judge.interactionFinished(request, response, { error: "access_denied", error_description: "declined" })
    }
    if (prompt.name === "login" || session?.accountId !== person.account) {
      return judge.interactionFinished(request, response, { login: { accountId: person.account } })
    }
    const grant = new judge.Grant({ accountId: person.account, clientId: String(params["client_id"]) })
    grant.addOIDCScope(judgeScopes.filter((scope) => !person.withheld.includes(scope)).join(" "))
    grant.rejectOIDCScope(person.withheld.join(" "))
    return judge.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }
  const { port, requests } = yield* localHttpServer((request, response) => {
    const handled =
      request.url?.startsWith("/interaction/") === true ? decide(request, response) : serve(request, response)
    handled.catch(() => response.destroy())
  })

  const send = (method: string, path: string, headers: http.OutgoingHttpHeaders, body?: string | Uint8Array) =>
    askJudge(port, method, path, headers, body)

  /** The person's browser at the judge's address: follows its pages to the address that they end with. */
  const browse = (address: string) =>
    Effect.gen(function* () {
      const cookies = new Map<string, string>()
      let url = new URL(address)
      for (let step = 0; step < 12 && url.origin === judgeIssuer; step++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
        const { headers } = yield* send("GET", `${url.pathname}${url.search}`, { cookie })
        for (const set of headers["set-cookie"] ?? []) {
          const [name = "", value = ""] = (set.split(";")[0] ?? "").split("=")
          cookies.set(name, value)
        }
        url = new URL(headers.location ?? "https://nowhere.example", url)
      }
      return url
    })

  return { person, port, requests, send, browse }
})
