import type { HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import { MailSubscriptions } from "../../../Services/Mail/MailInbox.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import type { Endpoint, RequestScope } from "../../Platform/Http/Endpoint.ts"
import { refusedAnswer, transientAnswer } from "../../Platform/Http/EndpointAnswers.ts"
import { openedLink } from "../../Platform/Http/PersonPage.ts"
import { askingPage, donePage, unreadPage } from "./UnsubscribePage.ts"

/** `List-Unsubscribe=One-Click`, or the page's form: a few bytes. */
const bodyLimit = 16 * 1024

const maximumToken = 200

/**
 * `/u/{token}`: GET asks and changes nothing, since programs follow links in mail; POST unsubscribes, whether a mail
 * program sends it (RFC 8058) or the page's own button. A token that cannot be read is answered with what works instead.
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
            // Read to its end, so that the connection can be used again; what it says changes nothing.
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
