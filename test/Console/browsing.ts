import { Effect } from "effect"
import { type HttpAnswer, makeTokenHolder, send } from "../support/servers/TestServer.ts"

/** What a browser adds to requests of the console's own page. */
export const ownPage = { "Sec-Fetch-Site": "same-origin" } as const
export const ownWrite = { ...ownPage, "X-Console": "1" } as const

let clients = 0

/** Each sign-in has another address, since those of one are limited. */
export const signIn = (token: string, headers: Readonly<Record<string, string>> = {}) =>
  send("/console/api/session", {
    method: "POST",
    headers: { ...ownWrite, "X-Forwarded-For": `198.51.100.${++clients % 250}`, ...headers },
    body: JSON.stringify({ token })
  })

/** The cookie that an answer sets, as the browser sends it back. */
export const cookieOf = ({ headers }: HttpAnswer): string => (headers.get("set-cookie") ?? "").split(";")[0] ?? ""

/** Someone who is signed in. */
export const signedIn = (token: string) =>
  Effect.map(signIn(token), (answer) => {
    const Cookie = cookieOf(answer)
    return {
      Cookie,
      get: (path: string, headers: Readonly<Record<string, string>> = {}) =>
        send(`/console/api${path}`, { headers: { Cookie, ...ownPage, ...headers } }),
      post: (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
        send(`/console/api${path}`, {
          method: "POST",
          headers: { Cookie, ...ownWrite, ...headers },
          body: JSON.stringify(body)
        })
    }
  })

/** A new account whose owner is signed in. */
export const newConsole = Effect.gen(function* () {
  const holder = yield* makeTokenHolder()
  return { ...holder, console: yield* signedIn(holder.token) }
})
