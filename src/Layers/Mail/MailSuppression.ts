import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { MailSuppression, type SuppressionReason } from "../../Services/Mail/MailSuppression.ts"
import { emailFailed } from "../Leads/Sql/State.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** Keeps all mail of the account from the address, in the transaction of the caller. The first reason stays. */
export const suppressAddress = (
  sql: SqlClient,
  accountId: AccountId,
  address: string,
  reason: SuppressionReason
): Effect.Effect<void, Transient> =>
  Effect.gen(function* () {
    yield* sql`
      insert into email_suppression (account_id, email, reason) values (${accountId}, lower(${address}), ${reason})
      on conflict do nothing`
    if (reason === "hard_bounce") {
      yield* emailFailed(sql, accountId, address)
    }
  }).pipe(fromSql())

export const MailSuppressionPostgres = Layer.effect(
  MailSuppression,
  Effect.map(SqlClient, (sql) =>
    MailSuppression.of({
      suppress: (accountId, address, reason) => suppressAddress(sql, accountId, address, reason)
    })
  )
)
