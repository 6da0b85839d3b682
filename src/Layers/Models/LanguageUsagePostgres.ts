import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { LanguageUsage } from "../../Services/Models/LanguageUsage.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

export const LanguageUsagePostgres = Layer.effect(
  LanguageUsage,
  Effect.map(SqlClient, (sql) =>
    LanguageUsage.of({
      add: Effect.fn("LanguageUsage.add")(function* (accountId, purpose, usage) {
        yield* sql`
          insert into language_usage as u (account_id, day, purpose, model, calls, input_tokens, output_tokens,
            cost_micro_usd)
          values (${accountId}, (instant() at time zone 'UTC')::date, ${purpose}, ${usage.model}, 1,
            ${usage.inputTokens}, ${usage.outputTokens}, ${Math.round(usage.costMicroUsd ?? 0)})
          on conflict (account_id, day, purpose, model) do update set calls = u.calls + 1,
            input_tokens = u.input_tokens + excluded.input_tokens,
            output_tokens = u.output_tokens + excluded.output_tokens,
            cost_micro_usd = u.cost_micro_usd + excluded.cost_micro_usd`.pipe(fromSql())
      })
    })
  )
)
