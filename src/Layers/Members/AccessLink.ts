import { Effect, Option } from "effect"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { Members } from "../../Services/Members/Members.ts"
import { accessPageWords } from "../../Services/Members/MemberWelcome.ts"
import type { Language } from "../../Services/Text/Language.ts"
import { html, type Markup } from "../../Services/Text/Web/Html.ts"
import { type Endpoint, type RequestScope, refusal } from "../Platform/Http/Endpoint.ts"
import { transientAnswer } from "../Platform/Http/EndpointAnswers.ts"
import { buttonForm, openedLink, type PageTone, personPage } from "../Platform/Http/PersonPage.ts"

const page = (status: number, language: Language, content: Markup, tone: PageTone = "ask") =>
  personPage({ status, language, tone, title: accessPageWords[language].title, content })

/** Answers `/access/{token}`. GET only shows a button. POST shows the member's new access token, once. */
export const accessEndpoint: Effect.Effect<Endpoint<RequestScope>, never, Members | UnitOfWork> = Effect.gen(
  function* () {
    const members = yield* Members
    const unit = yield* UnitOfWork
    const asked = openedLink(100)
    return {
      path: "/access/:token",
      methods: {
        GET: Effect.map(asked, ({ language }) =>
          page(200, language, buttonForm(accessPageWords[language].ask, accessPageWords[language].button))
        ),
        POST: Effect.gen(function* () {
          const { language, token } = yield* asked
          const { done, unknown } = accessPageWords[language]
          const opened = yield* unit.write(members.openAccess(token))
          return Option.match(opened, {
            onNone: () => page(404, language, html`<p>${unknown}</p>`, "trouble"),
            onSome: (access) => page(200, language, html`<p>${done}</p>\n<code>${access.token}</code>`, "done")
          })
        }).pipe(
          Effect.catchTags({
            Refused: ({ detail, error }) => Effect.succeed(refusal(422, "Refused", error, detail)),
            Transient: (failure) => Effect.succeed(transientAnswer(failure))
          })
        )
      }
    }
  }
)
