import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { NotFound, Refused, Transient } from "../../../Errors.ts"
import { AccessTokens } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { hiddenField, html, Markup, nothing } from "../../../Services/Text/Web/Html.ts"
import { endpointBody } from "./Bodies/RequestBody.ts"
import { bearerToken, type RequestScope } from "./Endpoint.ts"
import { stillPageHeaders } from "./PersonPage.ts"

/** True if the client is a browser. Browsers get pages, and programs get JSON. */
const wantsPage = (headers: { readonly [name: string]: string | undefined }): boolean =>
  (headers["accept"] ?? "").toLowerCase().includes("text/html")

const isForm = (headers: { readonly [name: string]: string | undefined }): boolean =>
  (headers["content-type"] ?? "").toLowerCase().startsWith("application/x-www-form-urlencoded")

/** Returns the fields of a posted form that are not blank. */
const fieldsOf = (body: Uint8Array): { readonly [name: string]: string } =>
  Object.fromEntries(
    [...new URLSearchParams(Buffer.from(body).toString("utf8"))].flatMap(([name, value]) =>
      value.trim() === "" ? [] : [[name, value.trim()]]
    )
  )

const style = new Markup(
  [
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#1d2733}",
    "table{border-collapse:collapse;width:100%;margin:0 0 2em}",
    "td,th{text-align:left;vertical-align:top;padding:6px 8px;border-bottom:1px solid #e2e7ee}",
    "form{display:inline-block;margin:0 8px 6px 0}input,select{font:inherit;width:9em}",
    ".trouble{color:#a65f00}.done{color:#1b7f3b}code{overflow-wrap:anywhere}"
  ].join("")
)

/** A page on which a developer acts in a sandbox. It runs no scripts, loads nothing and is not cached. */
export const sandboxPage = (page: {
  readonly status: number
  readonly title: string
  readonly content: Markup
}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<style>${style}</style>
</head>
<body>
<h1>${page.title}</h1>
${page.content}
</body>
</html>
`.markup,
    {
      status: page.status,
      contentType: "text/html; charset=utf-8",
      headers: stillPageHeaders
    }
  )

/**
 * A form with a button for one action. It contains the token instead of relying on a cookie, so that no other page can
 * send it.
 */
export const actForm = (
  token: string,
  hidden: { readonly [name: string]: string },
  button: string,
  inputs: Markup = nothing
): Markup =>
  html`<form method="post">${Object.entries({ token, ...hidden }).map(([name, value]) => hiddenField(name, value))}${inputs}<button type="submit">${button}</button></form>`

const tokenForm = html`<form method="post"><label>Access token <input type="password" name="token" required autocomplete="off"></label> <button type="submit">Show</button></form>`

export const inputOf = (name: string, hint: string): Markup => html`<input name="${name}" placeholder="${hint}">`

export const trouble = (text: string): Markup => html`<p class="trouble">${text}</p>`
export const doneNote = (text: string): Markup => html`<p class="done">${text}</p>`

type Answer = HttpServerResponse.HttpServerResponse
type Served = Effect.Effect<Answer, never, RequestScope>

const largestForm = 16 * 1024

/**
 * Serves a sandbox's route to browsers: a page that asks for the token, and one that shows the state and acts. Programs get
 * the route's answers. `act` performs a form's action and describes it; `show` makes the page.
 */
export const makeSandboxPage = (page: {
  readonly mode: "live" | "sandbox"
  readonly path: string
  readonly title: string
  readonly notHere: Answer
  readonly act: (fields: {
    readonly [name: string]: string
  }) => Effect.Effect<Markup, NotFound | Refused | Transient, Caller>
  readonly show: (token: string, note: Markup) => Effect.Effect<Answer, NotFound | Refused | Transient, Caller>
}): Effect.Effect<
  { readonly get: (otherwise: Served) => Served; readonly post: (otherwise: Served) => Served },
  never,
  AccessTokens
> =>
  Effect.map(AccessTokens, (tokens) => {
    const ask = (status: number, note: Markup): Answer =>
      sandboxPage({ status, title: page.title, content: html`${note}${tokenForm}` })

    /** Handles a posted form: the form contains the token, and the answer is the page. */
    const formed = Effect.gen(function* () {
      if (page.mode !== "sandbox") return page.notHere
      const { token = "", ...fields } = fieldsOf(yield* endpointBody({ limit: largestForm }))
      const holder = yield* tokens.authenticate(token)
      return yield* Effect.gen(function* () {
        const note =
          fields["act"] === undefined
            ? nothing
            : yield* page.act(fields).pipe(
                Effect.catchTags({
                  NotFound: ({ error }) => Effect.succeed(trouble(error)),
                  Refused: ({ detail, error }) => Effect.succeed(trouble(`${error} ${detail}`))
                })
              )
        return yield* page.show(token, note).pipe(
          Effect.catchTags({
            NotFound: ({ error }) => Effect.succeed(ask(200, trouble(error))),
            Refused: ({ detail, error }) => Effect.succeed(ask(200, trouble(`${error} ${detail}`)))
          })
        )
      }).pipe(Effect.provideService(Caller, { ...holder, requestId: "sandbox" }))
    }).pipe(
      Effect.catchTags({
        Unauthorized: () => Effect.succeed(ask(401, trouble("The token is not one of this gateway."))),
        RequestRefused: () => Effect.succeed(ask(413, trouble("That is too much."))),
        Transient: () => Effect.succeed(ask(503, trouble("Not now: try again in a moment.")))
      })
    )

    const either =
      (isMeant: (headers: { readonly [name: string]: string | undefined }) => boolean, page: Served) =>
      (otherwise: Served): Served =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => (isMeant(headers) ? page : otherwise))

    return {
      get: either(
        (headers) => page.mode === "sandbox" && wantsPage(headers) && bearerToken(headers) === undefined,
        Effect.succeed(ask(200, nothing))
      ),
      post: either(isForm, formed)
    }
  })
