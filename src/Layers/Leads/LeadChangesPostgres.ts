import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { type ChangedLead, LeadChanges } from "../../Services/Leads/LeadChanges.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

const make = Effect.map(Effect.all([SqlClient, UnitOfWork]), ([sql, unit]) =>
  LeadChanges.of({
    follow: Effect.fn("LeadChanges.follow")(function* (isFollowed) {
      const { accountId } = yield* Caller
      yield* isFollowed
        ? sql`insert into lead_follower (account_id) values (${accountId}) on conflict do nothing`.pipe(fromSql())
        : sql`delete from lead_follower where account_id = ${accountId}`.pipe(fromSql())
    }),

    areAny: Effect.map(
      unit.acrossAccounts(sql`select from lead_change where uses_test_clock(account_id) limit 1`),
      (rows) => rows.length > 0
    ).pipe(fromSql()),

    take: Effect.fnUntraced(function* (limit) {
      const rows = yield* unit
        .acrossAccounts(sql<ChangedLead>`
        with taken as (
          select account_id, lead_id, lead_change_id from lead_change
          where uses_test_clock(account_id) limit ${limit} for update skip locked
        )
        delete from lead_change c using taken t
        where c.account_id = t.account_id and c.lead_id = t.lead_id and c.lead_change_id = t.lead_change_id
        returning c.account_id as "accountId", c.lead_id as "leadId"`)
        .pipe(fromSql())
      const distinct = new Map(rows.map((row) => [`${row.accountId} ${row.leadId}`, row]))
      return { leads: [...distinct.values()], hasMore: rows.length === limit }
    })
  })
)

export const LeadChangesPostgres = Layer.effect(LeadChanges, make)
