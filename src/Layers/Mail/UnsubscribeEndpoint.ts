import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import { MailSubscriptions } from "../../Services/Mail/MailInbox.ts"
import type { Endpoint } from "../Platform/Http/Endpoint.ts"
import { endpointBody } from "../Platform/Http/RequestBody.ts"
import { refusedAnswer, transientAnswer } from "./EndpointParts.ts"
import { askingPage, donePage, pageHeaders, pageLanguage } from "./UnsubscribePage.ts"

/** `List-Unsubscribe=One-Click`, or the page's form: a few bytes. */
const bodyLimit = 16 * 1024

const maximumToken = 200

const html = (status: number, body: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(body, { status, contentType: "text/html; charset=utf-8", headers: pageHeaders })

/**
 * `/u/{token}`: GET asks and changes nothing, since programs follow links in mail; POST unsubscribes, whether a mail
 * program sends it (RFC 8058) or the page's own button. Of an unknown token the pages are the same, under 404.
 */
export const unsubscribeEndpoint: Effect.Effect<
  Endpoint<HttpRouter.RouteContext | HttpServerRequest.HttpServerRequest>,
  never,
  MailSubscriptions
> = Effect.map(MailSubscriptions, (subscriptions) => {
  const tokenAndLanguage = Effect.all({ params: HttpRouter.params, request: HttpServerRequest.HttpServerRequest }).pipe(
    Effect.map(({ params, request }) => ({
      token: (params.token ?? "").slice(0, maximumToken),
      language: pageLanguage(request.headers["accept-language"])
    }))
  )
  const answered = <R>(
    answer: Effect.Effect<HttpServerResponse.HttpServerResponse, Transient, R>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
    Effect.catchTag(answer, "Transient", (failure) => Effect.succeed(transientAnswer(failure)))

  return {
    path: "/u/:token",
    methods: {
      GET: answered(
        Effect.gen(function* () {
          const { language, token } = yield* tokenAndLanguage
          const isKnown = yield* subscriptions.isKnown(token)
          return html(isKnown ? 200 : 404, askingPage(language))
        })
      ),
      POST: answered(
        Effect.gen(function* () {
          const { language, token } = yield* tokenAndLanguage
          // Read to its end, so that the connection can be used again; what it says changes nothing.
          yield* endpointBody({ limit: bodyLimit, party: "/u" })
          const isKnown = yield* subscriptions.unsubscribe(token)
          return html(isKnown ? 200 : 404, donePage(language))
        }).pipe(Effect.catchTag("RequestRefused", (failure) => Effect.succeed(refusedAnswer(failure))))
      )
    }
  }
})
