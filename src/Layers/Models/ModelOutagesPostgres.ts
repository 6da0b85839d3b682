import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { ModelOutages } from "../../Services/Models/ModelOutages.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

const make = Effect.map(SqlClient, (sql) => {
  /** Accounts on a test clock have separate outages. */
  const isOwn = sql`clock = coalesce(test_clock(), '')`

  return ModelOutages.of({
    failed: Effect.fn("ModelOutages.failed")(function* (accountId) {
      yield* sql`
        insert into model_outage (clock, began_at, tried_at) values (coalesce(test_clock(), ''), instant(), instant())
        on conflict do nothing`.pipe(fromSql())
      const told = yield* sql`
        insert into model_outage_notice as n (account_id, began_at)
        select ${accountId}, began_at from model_outage where ${isOwn}
        on conflict (account_id) do update set began_at = excluded.began_at where n.began_at <> excluded.began_at
        returning account_id`.pipe(fromSql())
      return { isNews: told.length > 0 }
    }),

    answered: sql`delete from model_outage where ${isOwn}`.pipe(
      fromSql(),
      Effect.asVoid,
      Effect.withSpan("ModelOutages.answered")
    ),

    state: Effect.gen(function* () {
      const outages = yield* sql`select from model_outage where ${isOwn}`
      if (outages.length === 0) return "none"
      const turn = yield* sql`
        update model_outage set tried_at = instant()
        where ${isOwn} and tried_at < instant() - interval '30 seconds' returning clock`
      return turn.length === 0 ? "open" : "try"
    }).pipe(fromSql())
  })
})

export const ModelOutagesPostgres = Layer.effect(ModelOutages, make)
