import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { AccountSettings } from "../../Services/Accounts/AccountSettings.ts"
import {
  confirmationMail,
  confirmationToken,
  confirmNotificationAddress,
  confirmOwnAddress,
  type NotificationAddressId,
  ownConfirmationToken
} from "../../Services/Accounts/AddressConfirmation.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { AccountNotices } from "../../Services/Mail/AccountNotices.ts"
import { type Language, languageOf } from "../../Services/Text/Language.ts"
import { html, type Markup } from "../../Services/Text/Web/Html.ts"
import { type Endpoint, type RequestScope } from "../Platform/Http/Endpoint.ts"
import { transientAnswer } from "../Platform/Http/EndpointAnswers.ts"
import { buttonForm, openedLink, type PageTone, personPage } from "../Platform/Http/PersonPage.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { Settings } from "../Platform/Settings.ts"

const sendConfirmation = (accountId: AccountId, addressId: NotificationAddressId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const notices = yield* AccountNotices
    const { baseUrl } = yield* Settings
    const rows = yield* sql<{
      readonly email: string
      readonly name: string
      readonly language: string
      readonly key: Uint8Array
    }>`
      select n.email, a.name, a.language_key as language, a.mail_key as key
      from notification_address n join account a on a.account_id = n.account_id
      where n.account_id = ${accountId} and n.notification_address_id = ${addressId} and n.confirmed_at is null
      for update of n`.pipe(fromSql())
    for (const { email, key, language, name } of rows) {
      const link = `${baseUrl}/confirm/${confirmationToken(key, accountId, addressId)}`
      yield* notices.queue(accountId, {
        to: email,
        ...confirmationMail(languageOf(language), name, link),
        isReserved: true
      })
    }
  })

/** Nothing is sent for an address that is no longer used, or that has been confirmed in the meantime. */
const sendOwnConfirmation = (accountId: AccountId, address: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const notices = yield* AccountNotices
    const { baseUrl } = yield* Settings
    const rows = yield* sql<{ readonly name: string; readonly language: string; readonly key: Uint8Array }>`
      select a.name, a.language_key as language, a.mail_key as key
      from account a join prospecting_config p on p.account_id = a.account_id
      where a.account_id = ${accountId} and (lower(a.email) = ${address} or lower(p.notification_email) = ${address})
        and not exists (select from confirmed_address c where c.account_id = a.account_id and c.email = ${address})
      for update of a`.pipe(fromSql())
    for (const { key, language, name } of rows) {
      const link = `${baseUrl}/confirm/${ownConfirmationToken(key, accountId, address)}`
      yield* notices.queue(accountId, {
        to: address,
        ...confirmationMail(languageOf(language), name, link),
        isReserved: true
      })
    }
  })

export const ownConfirmationTask = handle(confirmOwnAddress, ({ accountId, address }) =>
  Effect.flatMap(UnitOfWork, (unit) => unit.write(sendOwnConfirmation(accountId, address)))
)

export const confirmationTask = handle(confirmNotificationAddress, ({ accountId, addressId }) =>
  Effect.flatMap(UnitOfWork, (unit) => unit.write(sendConfirmation(accountId, addressId)))
)

interface Words {
  readonly title: string
  readonly ask: string
  readonly button: string
  readonly done: string
  readonly unknown: string
}

const words: { readonly [L in Language]: Words } = {
  "pt-BR": {
    title: "Confirmar endereço",
    ask: "Os avisos da conta passam a chegar a este endereço quando você confirmar.",
    button: "Confirmar",
    done: "Pronto: o endereço está confirmado.",
    unknown: "Este link não vale mais: o endereço saiu da lista, ou o link foi copiado incompleto."
  },
  en: {
    title: "Confirm address",
    ask: "The account's notices will come to this address once you confirm.",
    button: "Confirm",
    done: "Done: the address is confirmed.",
    unknown: "This link no longer holds: the address left the list, or the link was copied incompletely."
  },
  es: {
    title: "Confirmar dirección",
    ask: "Los avisos de la cuenta llegarán a esta dirección cuando confirmes.",
    button: "Confirmar",
    done: "Listo: la dirección está confirmada.",
    unknown: "Este enlace ya no vale: la dirección salió de la lista o el enlace se copió incompleto."
  }
}

const page = (status: number, language: Language, content: Markup, tone: PageTone = "ask") =>
  personPage({ status, language, tone, title: words[language].title, content })

/** Answers `/confirm/{token}`. GET only shows a button, since programs follow links in mail. POST confirms. */
export const confirmationEndpoint: Effect.Effect<
  Endpoint<RequestScope>,
  never,
  AccountSettings | UnitOfWork
> = Effect.gen(function* () {
  const settings = yield* AccountSettings
  const unit = yield* UnitOfWork
  const asked = openedLink(100)
  return {
    path: "/confirm/:token",
    methods: {
      GET: Effect.map(asked, ({ language }) =>
        page(200, language, buttonForm(words[language].ask, words[language].button))
      ),
      POST: Effect.gen(function* () {
        const { language, token } = yield* asked
        const isConfirmed = yield* unit.write(settings.confirmAddress(token))
        return isConfirmed
          ? page(200, language, html`<p>${words[language].done}</p>`, "done")
          : page(404, language, html`<p>${words[language].unknown}</p>`, "trouble")
      }).pipe(Effect.catchTag("Transient", (failure) => Effect.succeed(transientAnswer(failure))))
    }
  }
})
