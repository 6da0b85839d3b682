import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { mostTokens } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { PaidTools } from "../../Services/Core/Calls/PaidTools.ts"
import { IntegrationModes } from "../../Services/Core/Outside/IntegrationModes.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import { maximumUnfinishedJobs } from "../../Services/Jobs/Jobs.ts"
import { mostMembers } from "../../Services/Members/Members.ts"
import { AccountUsage, type AccountUsageView, limitsOf } from "../../Services/Reports/AccountUsage.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { Settings } from "../Platform/Settings.ts"

interface Figures {
  readonly starts_at: Timestamp
  readonly time_zone: string
  readonly email_sent: number
  readonly email_received: number
  readonly email_failed: number
  readonly chatapp_sent: number
  readonly chatapp_received: number
  readonly chatapp_failed: number
  readonly paid_openings: number
  readonly month_brl: number
  readonly today_brl: number
  readonly daily_cap_brl: number | null
  readonly monthly_cap_brl: number | null
  readonly calls: number
  readonly answered: number
  readonly seconds: number
  readonly files: number
  readonly bytes: number
  readonly members: number
  readonly tokens: number
  readonly jobs: number
}

const left = "('sent', 'delivered', 'read')"

/** All counts in one statement. `m.starts` is the first day of the month in the account's time zone. */
const figures = `
  with m as (
    select a.account_id, a.time_zone, date_trunc('month', instant() at time zone a.time_zone) as month,
      (instant() at time zone a.time_zone)::date as today,
      date_trunc('month', instant() at time zone a.time_zone) at time zone a.time_zone as starts
    from account a where a.account_id = $1
  )
  select m.starts as starts_at, m.time_zone, e.*, c.*, s.*, b.daily_cap_brl::float8, b.monthly_cap_brl::float8, v.*, f.*,
    (select count(*) from member p where p.account_id = $1) as members,
    (select count(*) from access_token t where t.account_id = $1 and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > instant())) as tokens,
    (select count(*) from background_job j where j.account_id = $1 and j.status in ('queued', 'running')) as jobs
  from m
    left join chatapp_budget b on b.account_id = $1
    cross join lateral (
      select count(*) filter (where x.status = 'sent') as email_sent,
        count(*) filter (where x.direction = 'inbound') as email_received,
        count(*) filter (where x.status = 'failed') as email_failed
      from email_message x
      where x.account_id = $1 and coalesce(x.occurred_at, x.created_at) >= m.starts) e
    cross join lateral (
      select count(*) filter (where x.direction = 'outbound' and x.status in ${left}) as chatapp_sent,
        count(*) filter (where x.direction = 'inbound') as chatapp_received,
        count(*) filter (where x.status = 'failed') as chatapp_failed,
        count(*) filter (where x.kind = 'template' and x.status in ${left}) as paid_openings
      from chatapp_message x
      where x.account_id = $1 and coalesce(x.occurred_at, x.created_at) >= m.starts) c
    cross join lateral (
      select coalesce(sum(x.spent_brl), 0)::float8 as month_brl,
        coalesce(sum(x.spent_brl) filter (where x.day = m.today), 0)::float8 as today_brl
      from chatapp_spend x where x.account_id = $1 and x.day >= m.month::date) s
    cross join lateral (
      select count(*) as calls, count(*) filter (where x.was_picked_up) as answered,
        coalesce(sum(x.duration_seconds), 0) as seconds
      from voice_call x where x.account_id = $1 and x.created_at >= m.starts) v
    cross join lateral (
      select count(*) as files, coalesce(sum(x.size_bytes), 0) as bytes
      from customer_file x where x.account_id = $1 and x.completed_at is not null) f`

interface ModelRow {
  readonly purpose: string
  readonly model: string
  readonly calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly micro_usd: number
}

const usd = (micro: number): number => micro / 1_000_000

const sumOf = (rows: ReadonlyArray<ModelRow>, of: (row: ModelRow) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0)

export const AccountUsagePostgres = Layer.effect(
  AccountUsage,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountStorageLimit } = yield* Settings

    const modelsOf = (accountId: AccountId) => sql<ModelRow>`
      select u.purpose, u.model, sum(u.calls)::bigint as calls, sum(u.input_tokens)::bigint as input_tokens,
        sum(u.output_tokens)::bigint as output_tokens, sum(u.cost_micro_usd)::bigint as micro_usd
      from language_usage u
      where u.account_id = ${accountId} and u.day >= date_trunc('month', instant() at time zone 'UTC')::date
      group by u.purpose, u.model order by micro_usd desc, calls desc, u.purpose, u.model`

    return AccountUsage.of({
      get: Effect.gen(function* () {
        const { accountId, plan } = yield* Caller
        const row = single(yield* sql.unsafe<Figures>(figures, [accountId]))
        const models = yield* modelsOf(accountId)
        const paidTools = yield* PaidTools
        const isPaid = plan === "paid"
        return {
          plan: {
            name: plan,
            includes_all_tools: isPaid,
            tools_not_included: isPaid ? [] : paidTools,
            plan_with_these_tools: isPaid ? null : "paid"
          },
          month: { starts_at: row.starts_at, time_zone: row.time_zone },
          email: { sent: row.email_sent, received: row.email_received, failed: row.email_failed },
          chatapp: {
            sent: row.chatapp_sent,
            received: row.chatapp_received,
            failed: row.chatapp_failed,
            paid_openings: row.paid_openings,
            cost_brl: row.month_brl
          },
          voice: { calls: row.calls, answered: row.answered, minutes: Math.round(row.seconds / 6) / 10 },
          models: {
            calls: sumOf(models, ({ calls }) => calls),
            input_tokens: sumOf(models, ({ input_tokens }) => input_tokens),
            output_tokens: sumOf(models, ({ output_tokens }) => output_tokens),
            cost_usd: usd(sumOf(models, ({ micro_usd }) => micro_usd)),
            by_purpose: models.map(({ micro_usd, ...use }) => ({ ...use, cost_usd: usd(micro_usd) }))
          },
          storage: { files: row.files, bytes: row.bytes },
          outside_services: yield* IntegrationModes,
          limits: limitsOf([
            ["storage_bytes", row.bytes, accountStorageLimit],
            ["members", row.members, mostMembers],
            ["access_tokens", row.tokens, mostTokens],
            ["unfinished_jobs", row.jobs, maximumUnfinishedJobs],
            ["chatapp_openings_today_brl", row.today_brl, row.daily_cap_brl],
            ["chatapp_openings_month_brl", row.month_brl, row.monthly_cap_brl]
          ])
        } satisfies AccountUsageView
      }).pipe(fromSql(), Effect.withSpan("AccountUsage.get"))
    })
  })
)
