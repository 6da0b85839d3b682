import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schema } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { OAuthProvider } from "../../Services/Connections/OAuth.ts"
import type { Language } from "../../Services/Text/Language.ts"
import { html, lines, type Markup } from "../../Services/Text/Web/Html.ts"
import { endpointBody } from "../Platform/Http/Bodies/RequestBody.ts"
import type { Endpoint, RequestScope } from "../Platform/Http/Endpoint.ts"
import { refusedAnswer, transientAnswer } from "../Platform/Http/EndpointAnswers.ts"
import { type PageTone, pageLanguage, personPage } from "../Platform/Http/PersonPage.ts"
import { makeAccountSeal } from "../Platform/Postgres/AccountSeal.ts"
import { Settings } from "../Platform/Settings.ts"
import { connectWords } from "./ConnectWords.ts"
import { browserKey, isKey, redirectUri } from "./OAuthConsents.ts"
import { sandboxPath } from "./OAuthPostgres.ts"
import { type ConsentEnd, OAuthRegistry } from "./OAuthRegistry.ts"
import { simulatedClient } from "./sandbox/AuthorizationSandbox.ts"
import { SimulatedCodes } from "./sandbox/AuthorizationSandboxCodes.ts"

const longestQuery = 8192
const largestForm = 16 * 1024

/** Returns the parameters of a request for a service's page. */
const asked = Effect.map(
  Effect.all({ params: HttpRouter.params, request: HttpServerRequest.HttpServerRequest }),
  ({ params, request: { cookies, headers, url } }) => ({
    service: params.service ?? "",
    query: new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?"), longestQuery) : ""),
    language: pageLanguage(headers["accept-language"]),
    cookies
  })
)

const page = (status: number, language: Language, title: string, content: Markup, tone: PageTone = "ask") =>
  personPage({ status, language, tone, title, content })

const paragraph = (text: string): Markup => html`<p>${text}</p>`

const pageOf = (
  { title }: OAuthProvider,
  language: Language,
  status: number,
  tone: PageTone,
  ...content: ReadonlyArray<Markup>
) => page(status, language, connectWords[language].heading(title[language]), lines(...content), tone)

const unknownLink = (language: Language) => {
  const words = connectWords[language]
  return page(404, language, words.heading(""), paragraph(words.unknownLink), "trouble")
}

const endPage = (provider: OAuthProvider, language: Language, end: ConsentEnd) => {
  const words = connectWords[language]
  const trouble = (status: number, text: string, ...more: ReadonlyArray<Markup>) =>
    pageOf(provider, language, status, "trouble", paragraph(text), ...more)
  switch (end._tag) {
    case "Connected": {
      const { isOtherAccount, label } = end.consent
      const text = isOtherAccount ? words.otherAccount(label, end.before) : words.connected(label)
      return pageOf(provider, language, 200, "done", paragraph(text), paragraph(words.close))
    }
    case "Declined":
      return trouble(200, words.declined)
    case "ScopesWithheld":
      return trouble(409, words.withheld, ...end.scopes.map((scope) => html`<code>${scope}</code>`))
    case "LinkSpent":
      return trouble(410, words.spent)
    case "WrongBrowser":
      return trouble(409, words.wrongBrowser)
    case "Failed":
      return trouble(502, words.failed)
  }
}

const ConsentForm = Schema.Struct({
  holder: Schema.String.pipe(Schema.pattern(/^[^\s@]{1,60}@[^\s@]{1,60}$/)),
  answer: Schema.Literal("allow", "decline")
})
const decodeForm = Schema.decodeUnknownOption(ConsentForm)
const shownHolder = "owner@sandbox.example"

const consentPage = (provider: OAuthProvider, language: Language, holder: string) => {
  const boxes = provider.scopes.map(
    (scope) => html`<p><label><input type="checkbox" name="scope" value="${scope}" checked> ${scope}</label></p>`
  )
  return page(
    200,
    language,
    `Sandbox: ${provider.title[language]}`,
    lines(
      paragraph(
        "This service is simulated by the gateway. Consent as whichever account you like, tick scopes off, or decline."
      ),
      html`<form method="post">`,
      html`<p><label>Account <input name="holder" value="${holder}" maxlength="120"></label></p>`,
      ...boxes,
      html`<p><button name="answer" value="allow">Allow</button></p>`,
      html`<p><button name="answer" value="decline">Decline</button></p>`,
      html`</form>`
    )
  )
}

/**
 * `/connect/{service}` and `/connect/{service}/callback`, where an owner connects a service by consent, and the page of
 * the simulated authorization server, `/sandbox/oauth/{service}`.
 */
export const connectEndpoints: Effect.Effect<
  ReadonlyArray<Endpoint<RequestScope>>,
  never,
  OAuthRegistry | SimulatedCodes | Settings | SqlClient
> = Effect.gen(function* () {
  const registry = yield* OAuthRegistry
  const codes = yield* SimulatedCodes
  const seal = yield* makeAccountSeal
  const { baseUrl } = yield* Settings
  const isSecure = baseUrl.startsWith("https:")
  const cookieOf = (service: string): string => `${isSecure ? "__Host-" : ""}connect-${service}`

  const opened = Effect.gen(function* () {
    const { cookies, language, query, service } = yield* asked
    const provider = registry.provider(service)
    const link = Option.isNone(provider)
      ? Option.none()
      : yield* registry.openLink(provider.value, query.get("link") ?? "")
    if (Option.isNone(provider) || Option.isNone(link)) return unknownLink(language)
    const before = cookies[cookieOf(service)]
    const browser = isKey(before) ? before : browserKey()
    const { authorizeUrl } = yield* registry.begin(provider.value, link.value, browser)
    const words = connectWords[language]
    return pageOf(
      provider.value,
      language,
      200,
      "ask",
      paragraph(words.ask(provider.value.title[language], link.value.accountName)),
      html`<p><a class="button" href="${authorizeUrl}">${words.goOn}</a></p>`
    ).pipe(
      HttpServerResponse.setHeader(
        "Set-Cookie",
        `${cookieOf(service)}=${browser}; Path=/; Max-Age=600; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`
      )
    )
  }).pipe(Effect.catchTag("Transient", (failure) => Effect.succeed(transientAnswer(failure))))

  const cameBack = Effect.gen(function* () {
    const { cookies, language, query, service } = yield* asked
    const provider = registry.provider(service)
    if (Option.isNone(provider)) return unknownLink(language)
    const end = yield* registry.end(provider.value, query, cookies[cookieOf(service)])
    return endPage(provider.value, language, end)
  }).pipe(Effect.catchTag("Transient", (failure) => Effect.succeed(transientAnswer(failure))))

  /** Handles an authorization request to the simulated server. The state identifies the account. */
  const authorization = Effect.gen(function* () {
    const { language, query, service } = yield* asked
    const provider = Option.filter(registry.provider(service), ({ mode }) => mode === "sandbox")
    const state = query.get("state") ?? ""
    const account = isKey(state) ? yield* seal.accountOfAddressKey(state) : Option.none<AccountId>()
    const isRight =
      query.get("client_id") === simulatedClient &&
      query.get("redirect_uri") === redirectUri(baseUrl, service) &&
      query.get("response_type") === "code" &&
      query.get("code_challenge_method") === "S256" &&
      isKey(query.get("code_challenge") ?? undefined)
    return Option.isSome(provider) && Option.isSome(account) && isRight
      ? Option.some({ provider: provider.value, accountId: account.value, state, query, language })
      : Option.none()
  })

  const consentAsked = Effect.gen(function* () {
    const { language } = yield* asked
    return Option.match(yield* authorization, {
      onNone: () => unknownLink(language),
      onSome: ({ provider }) => consentPage(provider, language, shownHolder)
    })
  }).pipe(Effect.catchTag("Transient", (failure) => Effect.succeed(transientAnswer(failure))))

  const consented = Effect.gen(function* () {
    const { language } = yield* asked
    const request = yield* authorization
    const form = new URLSearchParams((yield* endpointBody({ limit: largestForm })).toString("utf8"))
    if (Option.isNone(request)) return unknownLink(language)
    const { accountId, provider, query, state } = request.value
    const given = decodeForm({ holder: form.get("holder")?.trim().toLowerCase(), answer: form.get("answer") })
    if (Option.isNone(given)) return consentPage(provider, language, shownHolder)
    const back = new URL(redirectUri(baseUrl, provider.service))
    back.searchParams.set("state", state)
    if (given.value.answer === "decline") back.searchParams.set("error", "access_denied")
    else {
      const ticked = new Set(form.getAll("scope"))
      const code = yield* codes.give(accountId, {
        service: provider.service,
        holder: given.value.holder,
        scopes: provider.scopes.filter((scope) => ticked.has(scope)),
        challenge: query.get("code_challenge") ?? "",
        redirectUri: query.get("redirect_uri") ?? ""
      })
      back.searchParams.set("code", code)
    }
    return HttpServerResponse.empty({ status: 303, headers: { Location: back.href, "Cache-Control": "no-store" } })
  }).pipe(
    Effect.catchTags({
      RequestRefused: (refusal) => Effect.succeed(refusedAnswer(refusal)),
      Transient: (failure) => Effect.succeed(transientAnswer(failure))
    })
  )

  return [
    { path: "/connect/:service", methods: { GET: opened } },
    { path: "/connect/:service/callback", methods: { GET: cameBack } },
    { path: `${sandboxPath}/:service`, methods: { GET: consentAsked, POST: consented } }
  ]
})
