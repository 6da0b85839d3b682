import type { HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import { MailSubscriptions } from "../../../Services/Mail/MailInbox.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import type { Endpoint, RequestScope } from "../../Platform/Http/Endpoint.ts"
import { refusedAnswer, transientAnswer } from "../../Platform/Http/EndpointAnswers.ts"
import { openedLink } from "../../Platform/Http/PersonPage.ts"
import { askingPage, donePage, unreadPage } from "./UnsubscribePage.ts"

/** `List-Unsubscribe=One-Click`, or the page's form. Both are only a few bytes. */
const bodyLimit = 16 * 1024

const maximumToken = 200

/**
 * `/u/{token}`: GET only shows a form, because programs follow links in mail. POST unsubscribes, sent by a mail program
 * (RFC 8058) or by the page's button. For an unreadable token, the page explains another way to unsubscribe.
 */
export const unsubscribeEndpoint: Effect.Effect<Endpoint<RequestScope>, never, MailSubscriptions> = Effect.map(
  MailSubscriptions,
  (subscriptions) => {
    const tokenAndLanguage = openedLink(maximumToken)
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
            const sender = yield* subscriptions.senderOf(token)
            return Option.match(sender, {
              onNone: () => unreadPage(language),
              onSome: (name) => askingPage(language, name)
            })
          })
        ),
        POST: answered(
          Effect.gen(function* () {
            const { language, token } = yield* tokenAndLanguage
            // The body is read to its end, so that the connection can be reused. Its content is not used.
            yield* endpointBody({ limit: bodyLimit })
            const sender = yield* subscriptions.unsubscribe(token)
            return Option.match(sender, {
              onNone: () => unreadPage(language),
              onSome: (name) => donePage(language, name)
            })
          }).pipe(Effect.catchTag("RequestRefused", (failure) => Effect.succeed(refusedAnswer(failure))))
        )
      }
    }
  }
)
