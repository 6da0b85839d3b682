import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schema } from "effect"
import { AccountId } from "../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { OwnerMails } from "../../Services/Events/OwnerNotices.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import { domainNotice, MailedDomainNews } from "../../Services/SenderDomains/DomainNews.ts"
import { SenderDomainId } from "../../Services/SenderDomains/Ids.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** A task sends the news, because the mail room comes after this one. */
export const mailDomainNews = Task.make("mail_domain_news", {
  sends: "email",
  payload: Schema.Struct({ accountId: AccountId, senderDomainId: SenderDomainId }),
  maxAttempts: 10
})

const decode = Schema.decodeUnknownOption(MailedDomainNews)

/** Mails the owner the result of a domain's verification. It is mailed once, however often this runs. */
export const mailNewsOf = Effect.fnUntraced(function* (accountId: AccountId, senderDomainId: SenderDomainId) {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const mails = yield* OwnerMails
  yield* unit.write(
    Effect.gen(function* () {
      const isDomain = sql`d.account_id = ${accountId} and d.sender_domain_id = ${senderDomainId}`
      const rows = yield* sql<{ readonly news: unknown; readonly language: string }>`
        select d.unmailed_news as news, a.language_key as language
        from sender_domain d join account a on a.account_id = d.account_id
        where ${isDomain} and d.unmailed_news is not null for no key update of d`.pipe(fromSql())
      const [row] = rows
      const news = Option.flatMap(Option.fromNullable(row?.news), decode)
      if (row === undefined || Option.isNone(news)) return
      yield* sql`update sender_domain d set unmailed_news = null where ${isDomain}`.pipe(fromSql())
      yield* mails.tell(accountId, domainNotice(news.value, languageOf(row.language)))
    })
  )
})

export const mailDomainNewsTask = handle(mailDomainNews, ({ accountId, senderDomainId }) =>
  mailNewsOf(accountId, senderDomainId)
)
