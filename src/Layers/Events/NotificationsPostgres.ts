import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { notFound } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { accountNews } from "../../Services/Events/AccountNews.ts"
import {
  maximumPending,
  type NotificationData,
  type NotificationId,
  Notifications,
  NotificationView
} from "../../Services/Events/Notifications.ts"
import { ownerNews } from "../../Services/Events/OwnerNotices.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { spokenTime } from "../../Services/Text/SpokenTime.ts"
import { selectedColumns } from "../Platform/Postgres/ColumnChanges.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

interface Total {
  readonly total: number
}

interface NewNotification {
  readonly kind: string
  readonly message: string
  readonly data: NotificationData
}

/** The language and the time zone of the account. */
interface Reader {
  readonly language: string
  readonly timeZone: string
}

const make = Effect.map(SqlClient, (sql) => {
  const view = sql.literal(selectedColumns(NotificationView, undefined))

  const notify = Effect.fn("Notifications.notify")(function* ({ data, kind, message }: NewNotification) {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly notification_id: NotificationId }>`
      insert into notification (account_id, kind, message, data)
      values (${accountId}, ${kind}, ${message}, ${JSON.stringify(data)}::jsonb)
      returning notification_id`.pipe(fromSql())
    return single(rows).notification_id
  })

  return Notifications.of({
    pending: Effect.gen(function* () {
      const { accountId } = yield* Caller
      const isPending = sql`account_id = ${accountId} and processed_at is null and acknowledged_at is null`
      const notifications = yield* sql<NotificationView>`
        select ${view} from notification where ${isPending} order by notification_id limit ${maximumPending}`
      if (notifications.length < maximumPending) return { notifications, total: notifications.length }
      const totals = yield* sql<Total>`select count(*) as total from notification where ${isPending}`
      return { notifications, total: single(totals).total }
    }).pipe(fromSql(), Effect.withSpan("Notifications.pending")),

    history: Effect.fn("Notifications.history")(function* ({ page, pageSize }) {
      const { accountId } = yield* Caller
      const notifications = yield* sql<NotificationView>`
        select ${view} from notification where account_id = ${accountId}
        order by notification_id desc limit ${pageSize} offset ${page * pageSize}`
      const totals = yield* sql<Total>`select count(*) as total from notification where account_id = ${accountId}`
      return { notifications, total: single(totals).total }
    }, fromSql()),

    acknowledge: Effect.fn("Notifications.acknowledge")(function* (id) {
      const { accountId } = yield* Caller
      const rows = yield* sql<NotificationView>`
        update notification set acknowledged_at = coalesce(acknowledged_at, instant())
        where account_id = ${accountId} and notification_id = ${id}
        returning ${view}`.pipe(fromSql())
      return rows[0] ?? (yield* notFound("notification", "notification_id", id))
    }),

    notify,

    tellOfLead: Effect.fnUntraced(function* ({ at, kind, leadId, quote, why }, data = {}) {
      const { accountId } = yield* Caller
      const { language, timeZone, ...lead } = single(
        yield* sql<Reader & { readonly leadName: string | null; readonly company: string | null }>`
          select a.language_key as language, a.time_zone as "timeZone", l.name as "leadName", l.company
          from account a left join lead l on l.account_id = a.account_id and l.lead_id = ${leadId}
          where a.account_id = ${accountId}`.pipe(fromSql())
      )
      const facts = {
        leadName: lead.leadName ?? "",
        company: lead.company,
        said: quote,
        why,
        ...(at === undefined ? {} : { when: spokenTime(at, timeZone, languageOf(language)) })
      }
      return yield* notify({
        kind,
        message: ownerNews(kind, facts, languageOf(language)),
        data: { lead_id: leadId, ...data }
      })
    }),

    tell: Effect.fnUntraced(function* (news, data = {}) {
      const { accountId } = yield* Caller
      const { language } = single(
        yield* sql<Reader>`
          select language_key as language, time_zone as "timeZone" from account where account_id = ${accountId}`.pipe(
          fromSql()
        )
      )
      return yield* notify({ kind: news.kind, message: accountNews(news, languageOf(language)), data })
    })
  })
})

export const NotificationsPostgres = Layer.effect(Notifications, make)
