import { Effect } from "effect"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { StrangerMails } from "../../../Services/Mail/StrangerMails.ts"
import type { Language } from "../../../Services/Text/Language.ts"
import { html, type Markup } from "../../../Services/Text/Web/Html.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import type { Endpoint, RequestScope } from "../../Platform/Http/Endpoint.ts"
import { refusedAnswer, transientAnswer } from "../../Platform/Http/EndpointAnswers.ts"
import { buttonForm, openedLink, type PageTone, personPage } from "../../Platform/Http/PersonPage.ts"

/** `List-Unsubscribe=One-Click`, or the page's form. Both are only a few bytes. */
const bodyLimit = 16 * 1024

const longestToken = 120

interface Words {
  readonly title: string
  readonly ask: string
  readonly button: string
  readonly done: string
  readonly unknown: string
}

const words: { readonly [L in Language]: Words } = {
  "pt-BR": {
    title: "Não fui eu",
    ask: "Alguém usou este endereço sem você pedir? Confirme abaixo, e nenhuma conta desta plataforma volta a enviar convites, confirmações, cópias ou avisos para ele.",
    button: "Não fui eu: parar tudo",
    done: "Pronto. Nenhuma conta desta plataforma envia mais convites, confirmações, cópias ou avisos para este endereço.",
    unknown:
      "Nada mudou: o link chegou incompleto, ou a conta que escreveu não existe mais. Abra-o de novo, direto na mensagem que você recebeu."
  },
  en: {
    title: "This was not me",
    ask: "Did someone use this address without asking you? Confirm below, and no account of this platform sends invitations, confirmations, copies or notices to it again.",
    button: "This was not me: stop everything",
    done: "Done. No account of this platform sends invitations, confirmations, copies or notices to this address any more.",
    unknown:
      "Nothing has changed: the link arrived incomplete, or the account that wrote no longer exists. Open it again, straight from the message you got."
  },
  es: {
    title: "No fui yo",
    ask: "¿Alguien usó esta dirección sin que lo pidieras? Confírmalo aquí, y ninguna cuenta de esta plataforma volverá a enviarle invitaciones, confirmaciones, copias ni avisos.",
    button: "No fui yo: detener todo",
    done: "Listo. Ninguna cuenta de esta plataforma enviará más invitaciones, confirmaciones, copias ni avisos a esta dirección.",
    unknown:
      "No cambió nada: el enlace llegó incompleto o la cuenta que escribió ya no existe. Ábrelo de nuevo, directamente desde el mensaje que recibiste."
  }
}

const page = (status: number, language: Language, content: Markup, tone: PageTone = "ask") =>
  personPage({ status, language, tone, title: words[language].title, content })

/** `/not-me/{token}`: GET only shows a form, because programs follow links in mail. POST stops the mail (RFC 8058). */
export const stopMailsEndpoint: Effect.Effect<Endpoint<RequestScope>, never, StrangerMails | UnitOfWork> = Effect.gen(
  function* () {
    const strangers = yield* StrangerMails
    const unit = yield* UnitOfWork
    const opened = openedLink(longestToken)
    return {
      path: "/not-me/:token",
      methods: {
        GET: Effect.map(opened, ({ language }) =>
          page(200, language, buttonForm(words[language].ask, words[language].button))
        ),
        POST: Effect.gen(function* () {
          const { language, token } = yield* opened
          // The body is read to its end, so that the connection can be reused.
          yield* endpointBody({ limit: bodyLimit })
          const isStopped = yield* unit.write(strangers.stop(token))
          return isStopped
            ? page(200, language, html`<p>${words[language].done}</p>`, "done")
            : page(404, language, html`<p>${words[language].unknown}</p>`, "trouble")
        }).pipe(
          Effect.catchTags({
            RequestRefused: (failure) => Effect.succeed(refusedAnswer(failure)),
            Transient: (failure) => Effect.succeed(transientAnswer(failure))
          })
        )
      }
    }
  }
)
