import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import type { AccountId, Plan } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { Leads } from "../../../Services/Leads/Leads.ts"
import { MailSubscriptions } from "../../../Services/Mail/MailInbox.ts"
import { claimedSubscription } from "../../../Services/Mail/MailTags.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { endSubscription } from "../Inbox/MailReportEffects.ts"
import { suppressAddress } from "../MailSuppression.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const leads = yield* Leads

  const accountOf = (accountId: AccountId) =>
    sql<{ readonly mail_key: Uint8Array; readonly plan: Plan }>`
      select mail_key, plan from account where account_id = ${accountId}`.pipe(
      Effect.map((rows) => Option.fromNullable(rows[0])),
      fromSql()
    )

  const genuine = (token: string) =>
    Option.match(claimedSubscription(token), {
      onNone: () => Effect.succeedNone,
      onSome: ({ isGenuine, subscription }) =>
        Effect.map(accountOf(subscription.accountId), (account) =>
          Option.flatMap(account, ({ mail_key, plan }) =>
            isGenuine(mail_key) ? Option.some({ ...subscription, plan }) : Option.none()
          )
        )
    })

  /** The sender name of the mail's From header, and the business if its name is different. */
  const senderOf = ({ accountId, leadId }: { readonly accountId: AccountId; readonly leadId: LeadId }) =>
    sql<{ readonly name: string; readonly business: string | null }>`
      select coalesce(c.email_display_name, a.mail_display_name, a.name) as name,
        coalesce(c.business_name, a.name) as business
      from account a left join lead l on l.account_id = a.account_id and l.lead_id = ${leadId}
        left join campaign c on c.account_id = l.account_id and c.campaign_id = l.campaign_id and c.archived_at is null
      where a.account_id = ${accountId}`.pipe(
      Effect.map(([row]) => {
        if (row === undefined) return ""
        return row.business === null || row.business === row.name ? row.name : `${row.name} (${row.business})`
      }),
      fromSql()
    )

  return MailSubscriptions.of({
    senderOf: Effect.fn("MailSubscriptions.senderOf")(function* (token) {
      const subscription = yield* genuine(token)
      return Option.isNone(subscription) ? Option.none() : Option.some(yield* senderOf(subscription.value))
    }),

    unsubscribe: Effect.fn("MailSubscriptions.unsubscribe")(function* (token) {
      const subscription = yield* genuine(token)
      if (Option.isNone(subscription)) return Option.none()
      const { accountId, leadId, plan } = subscription.value
      yield* unit.write(
        Effect.gen(function* () {
          yield* endSubscription(leads, leadId, "unsubscribe_link")
          const rows = yield* sql<{ readonly email: string }>`
            select email from lead where account_id = ${accountId} and lead_id = ${leadId} and email is not null`.pipe(
            fromSql()
          )
          for (const { email } of rows) yield* suppressAddress(sql, accountId, email, "unsubscribed")
        }).pipe(Effect.provideService(Caller, Caller.forTask(accountId, plan, "unsubscribe")))
      )
      return Option.some(yield* senderOf(subscription.value))
    })
  })
})

export const MailSubscriptionsPostgres = Layer.effect(MailSubscriptions, make)
