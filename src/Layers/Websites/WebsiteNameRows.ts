import { randomInt } from "node:crypto"
import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Refused, Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { WebsiteId } from "../../Services/Websites/Ids.ts"
import { daysKeptBack } from "../../Services/Websites/WebsiteNames.ts"
import { mostNames, nameTaken, tooManyNames } from "../../Services/Websites/WebsiteRules.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

/** Names are unique over all accounts. The transaction that inserts the row gets the name, and others wait for it. */
export const makeWebsiteNames = (sql: SqlClient) => {
  /**
   * Claims the name for the site. Returns whether the site has it now. A name that another site released is free after
   * its time, and one's own is free at once.
   */
  const claim = (accountId: AccountId, websiteId: WebsiteId, name: string): Effect.Effect<boolean, Transient> =>
    sql`
      insert into website_name as n (name, account_id, website_id) values (${name}, ${accountId}, ${websiteId})
      on conflict (name) do update set account_id = excluded.account_id, website_id = excluded.website_id,
        given_up_at = null
      where n.given_up_at is not null
        and (n.account_id = ${accountId} or n.given_up_at < instant() - make_interval(days => ${daysKeptBack}))
      returning n.name`.pipe(
      fromSql(),
      Effect.map((rows) => rows.length > 0)
    )

  const giveUp = (accountId: AccountId, websiteId: WebsiteId) =>
    sql`
      update website_name set given_up_at = instant()
      where account_id = ${accountId} and website_id = ${websiteId} and given_up_at is null`.pipe(
      Effect.asVoid,
      fromSql()
    )

  /** Claims the name, or else a similar one that is free. */
  const claimLike = (accountId: AccountId, websiteId: WebsiteId, name: string): Effect.Effect<string, Transient> =>
    Effect.flatMap(claim(accountId, websiteId, name), (isMine) =>
      isMine
        ? Effect.succeed(name)
        : Effect.suspend(() =>
            claimLike(accountId, websiteId, `${name.replace(/-\d{4,6}$/, "")}-${randomInt(1000, 1_000_000)}`)
          )
    )

  /** Changes the name. The account's lock must be held. */
  const change = (accountId: AccountId, websiteId: WebsiteId, name: string): Effect.Effect<void, Refused | Transient> =>
    Effect.gen(function* () {
      const current = yield* sql<{ readonly name: string }>`
        select name from website_name
        where account_id = ${accountId} and website_id = ${websiteId} and given_up_at is null`.pipe(fromSql())
      if (current[0]?.name === name) return
      const { names } = single(
        yield* sql<{ readonly names: number }>`
          select count(*) as names from website_name
          where account_id = ${accountId}
            and (given_up_at is null or given_up_at > instant() - make_interval(days => ${daysKeptBack}))`.pipe(
          fromSql()
        )
      )
      if (names >= mostNames) return yield* tooManyNames
      yield* giveUp(accountId, websiteId)
      if (!(yield* claim(accountId, websiteId, name))) return yield* nameTaken(name)
    })

  return { claimLike, change, giveUp }
}
