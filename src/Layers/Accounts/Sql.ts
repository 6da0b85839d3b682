import { SqlClient } from "@effect/sql/SqlClient"
import { Cache, Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { countryOfAccount } from "../../Services/Blacklist/Blacklist.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

/** Looks up the country that an account's phone numbers belong to where they do not say it. */
export const makeFindCountry = Effect.map(
  SqlClient,
  (sql) => (accountId: AccountId) =>
    sql<{ readonly phone: string | null; readonly languageKey: string }>`
      select phone, language_key as "languageKey" from account where account_id = ${accountId}`.pipe(
      Effect.map((rows) => countryOfAccount(single(rows))),
      fromSql()
    )
)

/** The same for work on many leads; up to a minute old. */
export const makeAccountCountry = Effect.flatMap(makeFindCountry, (lookup) =>
  Cache.make({ capacity: 1000, timeToLive: "1 minute", lookup })
)
