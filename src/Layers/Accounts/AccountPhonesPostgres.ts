import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { AccountPhones } from "../../Services/Accounts/AccountPhones.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

export const AccountPhonesPostgres = Layer.effect(
  AccountPhones,
  Effect.map(SqlClient, (sql) =>
    AccountPhones.of({
      claim: Effect.fn("AccountPhones.claim")(function* (accountId, phone) {
        const proved = yield* sql`
          select from account_phone
          where phone = ${phone} and proved_at is not null and account_id <> ${accountId}`
        if (proved.length > 0) return false
        const rows = yield* sql`
          insert into account_phone (phone, account_id) values (${phone}, ${accountId})
          on conflict do nothing returning account_id`
        return rows.length > 0
      }, fromSql()),

      prove: Effect.fn("AccountPhones.prove")(function* (accountId, phone) {
        yield* sql`
          update account_phone set proved_at = coalesce(proved_at, instant())
          where phone = ${phone} and account_id = ${accountId} and not exists (select from account_phone other
            where other.phone = ${phone} and other.proved_at is not null and other.account_id <> ${accountId})`
      }, fromSql()),

      release: Effect.fn("AccountPhones.release")(function* (accountId, phone) {
        yield* sql`delete from account_phone where phone = ${phone} and account_id = ${accountId}`
      }, fromSql())
    })
  )
)
