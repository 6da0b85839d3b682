import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { ChatApp } from "../../../Services/ChatApp/ChatApp.ts"
import { ChatAppLines } from "../../../Services/ChatApp/ChatAppLines.ts"
import { html, nothing } from "../../../Services/Text/Web/Html.ts"
import type { Endpoint, RequestScope } from "../../Platform/Http/Endpoint.ts"
import { signupPath } from "../Graph/GraphChatApp.ts"
import { sandboxSignupPath } from "../sandbox/ChatAppSandbox.ts"

const page = (status: number, title: string, text: string, extra = nothing) =>
  HttpServerResponse.text(
    html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>body{font:16px/1.5 system-ui;max-width:36em;margin:4em auto;padding:0 1em}</style>
</head><body><h1>${title}</h1><p>${text}</p>${extra}</body></html>`.markup,
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff"
      }
    }
  )

const connected = page(200, "Number connected", "Your number is being set up. You can close this page.")
const unknownLink = page(404, "This link is not valid", "It was used already, or it is incomplete. Ask for a new one.")
const later = page(503, "Not possible for the moment", "Open the link again in a minute.")

const keyShape = /^[A-Za-z0-9_-]{43}$/

const queryOf = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ url }) => new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "")
)

/** The route to which the provider, or the sandbox's button, redirects the owner's browser after the sign-up. */
export const chatAppSignupEndpoints: Effect.Effect<
  ReadonlyArray<Endpoint<RequestScope>>,
  never,
  ChatApp | ChatAppLines
> = Effect.gen(function* () {
  const provider = yield* ChatApp
  const lines = yield* ChatAppLines

  const complete = (key: string, code: string) =>
    lines.completeSignup(key, code).pipe(
      Effect.map((end) => {
        switch (end._tag) {
          case "Connected":
            return connected
          case "UnknownLink":
            return unknownLink
          case "Refused":
            return page(409, "The number was not connected", end.reason)
        }
      }),
      Effect.catchAll(() => Effect.succeed(later))
    )

  const live = Effect.flatMap(queryOf, (query) => {
    const key = query.get("state") ?? ""
    const code = query.get("code") ?? ""
    if (!keyShape.test(key)) return Effect.succeed(unknownLink)
    if (query.has("error") || code === "" || code.length > 4000) {
      return Effect.succeed(
        page(409, "The number was not connected", "The sign-up was not completed. Open the link again.")
      )
    }
    return complete(key, code)
  })

  const sandboxKey = Effect.map(queryOf, (query) => {
    const key = query.get("state") ?? ""
    return provider.mode === "sandbox" && keyShape.test(key) ? key : undefined
  })

  const sandboxPage = Effect.map(sandboxKey, (key) =>
    key === undefined
      ? unknownLink
      : page(
          200,
          "Connect a simulated number",
          "This gateway has no messaging-app provider: the number is simulated.",
          html`<form method="post" action="${sandboxSignupPath}?state=${key}"><button>Connect</button></form>`
        )
  )

  const sandboxConnect = Effect.flatMap(sandboxKey, (key) =>
    key === undefined ? Effect.succeed(unknownLink) : complete(key, "sandbox")
  )

  return [
    { path: signupPath, methods: { GET: provider.mode === "live" ? live : Effect.succeed(unknownLink) } },
    { path: sandboxSignupPath, methods: { GET: sandboxPage, POST: sandboxConnect } }
  ]
})
