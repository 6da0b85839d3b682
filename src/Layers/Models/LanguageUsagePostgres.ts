import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { LanguageUsage } from "../../Services/Models/LanguageUsage.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

export const LanguageUsagePostgres = Layer.effect(
  LanguageUsage,
  Effect.map(SqlClient, (sql) => {
    const addAll: LanguageUsage["Type"]["addAll"] = Effect.fn("LanguageUsage.add")(function* (purpose, uses) {
      if (uses.length === 0) return
      // The rows are in the order of the accounts, so that two processes that update the same ones cannot deadlock.
      yield* sql`
        insert into language_usage as u (account_id, day, purpose, model, calls, input_tokens, output_tokens,
          cost_micro_usd)
        select account_id, (instant() at time zone 'UTC')::date, ${purpose}, model, count(*), sum(input), sum(output),
          sum(cost)
        from unnest(${uses.map(({ accountId }) => accountId)}::bigint[], ${uses.map(({ usage }) => usage.model)}::text[],
          ${uses.map(({ usage }) => usage.inputTokens)}::bigint[], ${uses.map(({ usage }) => usage.outputTokens)}::bigint[],
          ${uses.map(({ usage }) => Math.round(usage.costMicroUsd ?? 0))}::bigint[])
          as used (account_id, model, input, output, cost)
        group by account_id, model order by account_id, model
        on conflict (account_id, day, purpose, model) do update set calls = u.calls + excluded.calls,
          input_tokens = u.input_tokens + excluded.input_tokens,
          output_tokens = u.output_tokens + excluded.output_tokens,
          cost_micro_usd = u.cost_micro_usd + excluded.cost_micro_usd`.pipe(fromSql())
    })
    return LanguageUsage.of({ add: (accountId, purpose, usage) => addAll(purpose, [{ accountId, usage }]), addAll })
  })
)
