import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect, Either, Option } from "effect"
import { AccessTokens } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { type Confirmation, confirmations } from "../../../Services/Accounts/Tokens/TokenBounds.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { authorizePath } from "../../../Services/Mcp/AuthorizationAddresses.ts"
import {
  type AuthorizationRequest,
  answerAddress,
  authorizationRequest,
  hasRepeated,
  narrowed
} from "../../../Services/Mcp/AuthorizationRequest.ts"
import { isKnownHost } from "../../../Services/Mcp/KnownClients.ts"
import { mayRedirectTo, type OAuthClient } from "../../../Services/Mcp/OAuthClients.ts"
import { ToolGroups } from "../../../Services/Mcp/ToolGroups.ts"
import type { Language } from "../../../Services/Text/Language.ts"
import { clip } from "../../../Services/Text/PlainText.ts"
import { html, lines, type Markup } from "../../../Services/Text/Web/Html.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { clientAddress, clientShare } from "../../Platform/Http/ClientAddress.ts"
import type { Endpoint, RequestScope } from "../../Platform/Http/Endpoint.ts"
import { refusedAnswer, transientAnswer } from "../../Platform/Http/EndpointAnswers.ts"
import { type PageTone, pageLanguage, personPage } from "../../Platform/Http/PersonPage.ts"
import { Settings } from "../../Platform/Settings.ts"
import type { OAuthClients } from "./Clients.ts"
import { consentWords } from "./ConsentWords.ts"
import type { Grants } from "./Grants.ts"

const longestQuery = 8_192
const largestForm = 16 * 1024
const longestLabel = 100

const requestedConsent = Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
  const { headers, url } = request
  return {
    incoming: NodeHttpServerRequest.toIncomingMessage(request),
    // A truncated query could have a different meaning.
    query: new URLSearchParams(url.length > longestQuery || !url.includes("?") ? "" : url.slice(url.indexOf("?"))),
    language: pageLanguage(headers["accept-language"]),
    // A form on another site could post here without a click on this page. The page sends no referrer, so browsers send
    // no origin for its own form.
    isOwnForm:
      headers["sec-fetch-site"] === undefined
        ? headers["origin"] === undefined || headers["origin"] === "null"
        : headers["sec-fetch-site"] === "same-origin"
  }
})

/** Marks where the program's own name begins and ends. */
const quoted = (name: string): string => `“${name.replace(/[“”]/g, "")}”`

const paragraph = (text: string): Markup => html`<p>${text}</p>`

const page = (status: number, language: Language, title: string, content: ReadonlyArray<Markup>, tone: PageTone) =>
  personPage({ status, language, tone, title, content: lines(...content) })

/** The target of a redirect in a form that a person recognises. */
const placeOf = (redirectUri: string): string => {
  const { host, protocol } = new URL(redirectUri)
  return `${protocol}//${host}`
}

/** The allowed target of the form. Browsers apply it to redirects too. */
const formTarget = (redirectUri: string): string => {
  const { origin, protocol } = new URL(redirectUri)
  return protocol === "https:" || protocol === "http:" ? origin : protocol
}

const box = (value: string, text: string): Markup =>
  html`<label style="display:block;margin:0 0 6px"><input type="checkbox" name="scope" value="${value}" checked> ${text}</label>`

const field =
  "display:block;width:100%;margin:6px 0 12px;padding:12px 14px;border:1px solid #8a94a1;border-radius:8px;background:#fff;font:inherit"

/** The token's name in lists. The program only claims its name, but the host was verified. */
const labelOf = ({ host = "unverified name", name }: OAuthClient): string =>
  `${clip(name, Math.max(20, longestLabel - host.length - 3))} (${host})`.slice(0, longestLabel)

interface Asking {
  readonly client: OAuthClient
  readonly request: AuthorizationRequest
  readonly language: Language
}

const consentPage = (
  { client, language, request }: Asking,
  groups: ReadonlyArray<{ readonly slug: string; readonly name: string }>,
  trouble?: { readonly status: number; readonly text: string }
) => {
  const words = consentWords[language]
  const kindWords: { readonly [kind: string]: string } = {
    read: words.read,
    write: words.write,
    destructive: words.destructive
  }
  const options = confirmations.map((when) => html`<option value="${when}">${words.confirmations[when]}</option>`)
  const content = [
    ...(trouble === undefined ? [] : [html`<p><strong>${trouble.text}</strong></p>`]),
    paragraph(words.ask(quoted(client.name))),
    html`<p class="from">${client.host === undefined ? words.unvouched : words.vouched(client.host)} ${words.goesTo(placeOf(request.redirectUri))}</p>`,
    html`<form method="post">`,
    html`<p><strong>${words.may}</strong></p>`,
    ...request.kinds.map((kind) => box(kind, kindWords[kind] ?? kind)),
    ...(request.groups.length === 0 ? [] : [html`<p><strong>${words.groups}</strong></p>`]),
    ...request.groups.map((slug) => box(slug, groups.find((group) => group.slug === slug)?.name ?? slug)),
    html`<p><label>${words.confirmation} <select name="confirmation" style="${field}">${options}</select></label></p>`,
    html`<p><label>${words.token} <input type="password" name="token" autocomplete="off" maxlength="100" style="${field}"></label></p>`,
    html`<p class="from">${words.tokenNote}</p>`,
    html`<p><button name="answer" value="allow">${words.allow}</button></p>`,
    html`<p><button name="answer" value="decline" formnovalidate>${words.decline}</button></p>`,
    html`</form>`
  ]
  return page(trouble?.status ?? 200, language, words.heading(quoted(client.name)), content, "ask").pipe(
    HttpServerResponse.setHeader(
      "Content-Security-Policy",
      `default-src 'none'; style-src 'unsafe-inline'; form-action 'self' ${formTarget(request.redirectUri)}; frame-ancestors 'none'; base-uri 'none'`
    )
  )
}

const seeOther = (location: string) =>
  HttpServerResponse.empty({
    status: 303,
    headers: { Location: location, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" }
  })

/** A page instead of a redirect, because no one is redirected automatically to a program without a known host. */
const leavePage = (language: Language, redirectUri: string, address: string) => {
  const words = consentWords[language]
  const content = [
    paragraph(words.badRequest),
    html`<p><a href="${address}" rel="noreferrer">${words.leave(placeOf(redirectUri))}</a></p>`
  ]
  return page(400, language, words.trouble, content, "trouble")
}

const isConfirmation = (value: string | null): value is Confirmation =>
  confirmations.some((confirmation) => confirmation === value)

/** The page on which an owner grants access to a program, with an account token that the program never sees. */
export const consentEndpoint = (
  clients: OAuthClients,
  grants: Grants
): Effect.Effect<Endpoint<RequestScope>, never, AccessTokens | Settings> =>
  Effect.gen(function* () {
    const tokens = yield* AccessTokens
    const groups = yield* ToolGroups
    const { baseUrl, trustedProxies } = yield* Settings
    const slugs = groups.map(({ slug }) => slug)

    /**
     * The authorization request. An invalid one is answered with an error page if the redirect address is not trusted,
     * otherwise with a redirect to the program.
     */
    const asking = Effect.gen(function* () {
      const { incoming, language, query } = yield* requestedConsent
      const words = consentWords[language]
      const trouble = (text: string) => Either.left(page(400, language, words.trouble, [paragraph(text)], "trouble"))
      if (hasRepeated(query)) return trouble(words.unknownClient)
      const address = clientShare(clientAddress(incoming, trustedProxies))
      const client = yield* Effect.either(clients.find(query.get("client_id") ?? "", address))
      if (Either.isLeft(client)) {
        if (client.left._tag === "Transient") return yield* client.left
        return trouble(client.left.reason === "not_registered" ? words.unknownClient : words.unreachableClient)
      }
      const redirectUri = query.get("redirect_uri") ?? ""
      if (!mayRedirectTo(client.right, redirectUri)) return trouble(words.wrongAddress)
      return Either.mapBoth(authorizationRequest(query, baseUrl, slugs), {
        onLeft: (error) => {
          const address = answerAddress(redirectUri, baseUrl, query.get("state") ?? undefined, { error })
          return isKnownHost(client.right.host) ? seeOther(address) : leavePage(language, redirectUri, address)
        },
        onRight: (request): Asking => ({ client: client.right, request, language })
      })
    })

    const opened = Effect.map(asking, (result) =>
      Either.isLeft(result) ? result.left : consentPage(result.right, groups)
    )

    const answered = Effect.gen(function* () {
      const form = new URLSearchParams((yield* endpointBody({ limit: largestForm })).toString("utf8"))
      const result = yield* asking
      if (Either.isLeft(result)) return result.left
      if (!(yield* requestedConsent).isOwnForm) return consentPage(result.right, groups)
      const { client, language, request } = result.right
      const words = consentWords[language]
      const back = (answer: { readonly [name: string]: string }) =>
        seeOther(answerAddress(request.redirectUri, baseUrl, request.state, answer))
      if (form.get("answer") !== "allow") return back({ error: "access_denied" })
      const scopes = narrowed(request, new Set(form.getAll("scope")))
      if (scopes === undefined) return consentPage(result.right, groups, { status: 422, text: words.nothingTicked })
      const owner = yield* tokens.authenticate((form.get("token") ?? "").trim()).pipe(
        Effect.asSome,
        Effect.catchTag("Unauthorized", () => Effect.succeedNone)
      )
      if (Option.isNone(owner)) return consentPage(result.right, groups, { status: 401, text: words.wrongToken })
      const { accountId, confirmation: owners, tokenId } = owner.value
      const ownTokens = yield* Effect.provideService(tokens.list, Caller, { ...owner.value, requestId: "oauth" })
      const confirmationChoice = form.get("confirmation")
      const code = yield* grants.giveCode({
        accountId,
        consentedWith: tokenId,
        clientId: client.id,
        label: labelOf(client),
        redirectUri: request.redirectUri,
        challenge: request.challenge,
        scopes,
        resource: request.resource,
        // An owner whose token always requires confirmation cannot grant access without confirmation.
        confirmation:
          owners === "always" ? owners : isConfirmation(confirmationChoice) ? confirmationChoice : "when_possible",
        endsAt: ownTokens.find(({ token_id }) => token_id === tokenId)?.expires_at ?? null
      })
      return back({ code })
    })

    return {
      path: authorizePath,
      methods: {
        GET: Effect.catchTag(opened, "Transient", (failure) => Effect.succeed(transientAnswer(failure))),
        POST: Effect.catchTags(answered, {
          Transient: (failure) => Effect.succeed(transientAnswer(failure)),
          RequestRefused: (refusal) => Effect.succeed(refusedAnswer(refusal))
        })
      }
    }
  })
