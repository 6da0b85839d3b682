import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId, Plan } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { Notifications } from "../../Services/Events/Notifications.ts"
import { MailSuppression, type SuppressionReason } from "../../Services/Mail/MailSuppression.ts"
import { emailFailed } from "../Leads/Sql/State.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** Stops all mail of the account to the address, in the caller's transaction. The first reason is kept. */
export const suppressAddress = (
  sql: SqlClient,
  accountId: AccountId,
  address: string,
  reason: SuppressionReason
): Effect.Effect<void, Transient> =>
  sql`
    insert into email_suppression (account_id, email, reason) values (${accountId}, lower(${address}), ${reason})
    on conflict do nothing`.pipe(fromSql(), Effect.asVoid)

/**
 * Like `suppressAddress`, for an address that bounces permanently. The owner is notified once of each lead that should
 * still be contacted but has no other channel.
 */
export const suppressDeadAddress = (
  sql: SqlClient,
  notifications: Notifications["Type"],
  { accountId, plan }: { readonly accountId: AccountId; readonly plan: Plan },
  address: string
): Effect.Effect<void, Transient> =>
  Effect.gen(function* () {
    yield* suppressAddress(sql, accountId, address, "hard_bounce")
    for (const leadId of yield* emailFailed(sql, accountId, address)) {
      yield* notifications.tellOfLead({ kind: "lead_unreachable", leadId }, { email: "undeliverable" })
    }
  }).pipe(fromSql(), Effect.provideService(Caller, Caller.forTask(accountId, plan, "mail-bounce")))

export const MailSuppressionPostgres = Layer.effect(
  MailSuppression,
  Effect.map(SqlClient, (sql) =>
    MailSuppression.of({
      suppress: (accountId, address, reason) => suppressAddress(sql, accountId, address, reason)
    })
  )
)
