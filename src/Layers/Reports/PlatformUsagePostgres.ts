import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import {
  type CountsOf,
  minutesOf,
  PlatformUsage,
  type PlatformUsageView,
  type UsageRange,
  usageByInterval
} from "../../Services/Reports/PlatformUsage.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

/** Rows by tool and by token, the most calls first. */
const mostGroups = 50

type Filter = Parameters<PlatformUsage["Type"]["get"]>[1]

const left = "('sent', 'delivered', 'read')"

/** Counts by interval. Messages count when they were sent or received, as `get_account_usage` counts them. */
const makeCounts = (sql: SqlClient) => {
  const start = ({ interval }: UsageRange, instant: string) =>
    sql`date_trunc(${interval}::text, ${sql.literal(instant)} at time zone 'UTC') at time zone 'UTC'`

  const isWithin = ({ from, to }: UsageRange, instant: string) =>
    sql`${sql.literal(instant)} >= ${from}::timestamptz and ${sql.literal(instant)} < ${to}::timestamptz`

  const ofCalls = (accountId: AccountId, range: UsageRange, { tokenId, tool }: Filter) => sql`
    u.account_id = ${accountId} and ${isWithin(range, "u.starts_at")}
      and (${tool ?? null}::text is null or u.tool = ${tool ?? null})
      and (${tokenId ?? null}::bigint is null or u.access_token_id = ${tokenId ?? null})`

  const callSums = sql.literal(
    "sum(u.calls)::bigint as calls, sum(u.failed_calls)::bigint as failed_calls, sum(u.milliseconds)::bigint as call_milliseconds"
  )
  const messageTime = "coalesce(x.occurred_at, x.created_at)"

  return {
    calls: (accountId: AccountId, range: UsageRange, filter: Filter) =>
      sql<CountsOf["calls"][number]>`
        select ${start(range, "u.starts_at")} as starts_at, ${callSums}
        from call_usage u where ${ofCalls(accountId, range, filter)} group by 1`,

    byTool: (accountId: AccountId, range: UsageRange, filter: Filter) =>
      sql<PlatformUsageView["by_tool"][number]>`
        select u.tool, ${callSums} from call_usage u where ${ofCalls(accountId, range, filter)}
        group by u.tool order by calls desc, u.tool limit ${mostGroups}`,

    byToken: (accountId: AccountId, range: UsageRange, filter: Filter) =>
      sql<PlatformUsageView["by_token"][number]>`
        select nullif(c.access_token_id, 0) as token_id, t.label, c.calls, c.failed_calls, c.call_milliseconds
        from (
          select u.account_id, u.access_token_id, ${callSums}
          from call_usage u where ${ofCalls(accountId, range, filter)}
          group by u.account_id, u.access_token_id order by calls desc, u.access_token_id limit ${mostGroups}
        ) c left join access_token t on t.account_id = ${accountId} and t.access_token_id = c.access_token_id
        order by c.calls desc, c.access_token_id`,

    emails: (accountId: AccountId, range: UsageRange) =>
      sql<CountsOf["emails"][number] & { readonly failed: number }>`
        select ${start(range, messageTime)} as starts_at, count(*) filter (where x.status = 'sent') as emails_sent,
          count(*) filter (where x.direction = 'inbound') as emails_received,
          count(*) filter (where x.status = 'failed') as failed
        from email_message x where x.account_id = ${accountId} and ${isWithin(range, messageTime)} group by 1`,

    chatapp: (accountId: AccountId, range: UsageRange) =>
      sql<CountsOf["chatapp"][number] & { readonly failed: number }>`
        select ${start(range, messageTime)} as starts_at,
          count(*) filter (where x.direction = 'outbound' and x.status in ${sql.literal(left)}) as chatapp_sent,
          count(*) filter (where x.direction = 'inbound') as chatapp_received,
          count(*) filter (where x.status = 'failed') as failed
        from chatapp_message x where x.account_id = ${accountId} and ${isWithin(range, messageTime)} group by 1`,

    voice: (accountId: AccountId, range: UsageRange) =>
      sql<CountsOf["voice"][number]>`
        select ${start(range, "x.created_at")} as starts_at, count(*) as voice_calls,
          coalesce(sum(x.duration_seconds), 0) as seconds
        from voice_call x where x.account_id = ${accountId} and ${isWithin(range, "x.created_at")} group by 1`,

    models: (accountId: AccountId, { from, to }: UsageRange) =>
      sql<CountsOf["models"][number] & { readonly model: string; readonly calls: number; readonly micro_usd: number }>`
        select u.day::timestamp at time zone 'UTC' as starts_at, u.model, sum(u.calls)::bigint as calls,
          sum(u.input_tokens)::bigint as model_input_tokens, sum(u.output_tokens)::bigint as model_output_tokens,
          sum(u.cost_micro_usd)::bigint as micro_usd
        from language_usage u
        where u.account_id = ${accountId} and u.day >= (${from}::timestamptz at time zone 'UTC')::date
          and u.day < (${to}::timestamptz at time zone 'UTC')::date
        group by u.day, u.model`,

    files: (accountId: AccountId, range: UsageRange) =>
      sql<CountsOf["files"][number]>`
        select ${start(range, "x.completed_at")} as starts_at, sum(x.size_bytes)::bigint as bytes
        from customer_file x where x.account_id = ${accountId} and ${isWithin(range, "x.completed_at")} group by 1`,

    bytesBefore: (accountId: AccountId, { from }: UsageRange) =>
      Effect.map(
        sql<{ readonly bytes: number }>`
          select coalesce(sum(x.size_bytes), 0)::bigint as bytes from customer_file x
          where x.account_id = ${accountId} and x.completed_at < ${from}::timestamptz`,
        (rows) => single(rows).bytes
      )
  }
}

const sumOf = <Row>(rows: ReadonlyArray<Row>, of: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0)

const usd = (micro: number): number => micro / 1_000_000

type ModelRows = Effect.Effect.Success<ReturnType<ReturnType<typeof makeCounts>["models"]>>

/** Rows of one name, in the order in which the names first appear. */
const grouped = <Row>(rows: ReadonlyArray<Row>, nameOf: (row: Row) => string) => {
  const groups = new Map<string, Array<Row>>()
  for (const row of rows) groups.set(nameOf(row), [...(groups.get(nameOf(row)) ?? []), row])
  return [...groups]
}

const byDay = (rows: ModelRows): CountsOf["models"] =>
  grouped(rows, ({ starts_at }) => starts_at).flatMap(([, ofDay]) =>
    ofDay.slice(0, 1).map(({ starts_at }) => ({
      starts_at,
      model_input_tokens: sumOf(ofDay, (row) => row.model_input_tokens),
      model_output_tokens: sumOf(ofDay, (row) => row.model_output_tokens)
    }))
  )

const byModel = (rows: ModelRows): PlatformUsageView["by_model"] =>
  grouped(rows, ({ model }) => model)
    .map(([model, uses]) => ({
      model,
      calls: sumOf(uses, ({ calls }) => calls),
      input_tokens: sumOf(uses, (row) => row.model_input_tokens),
      output_tokens: sumOf(uses, (row) => row.model_output_tokens),
      cost_usd: usd(sumOf(uses, (row) => row.micro_usd))
    }))
    .sort((a, b) => b.calls - a.calls || (a.model < b.model ? -1 : 1))

export const PlatformUsagePostgres = Layer.effect(
  PlatformUsage,
  Effect.map(SqlClient, (sql) => {
    const counts = makeCounts(sql)
    return PlatformUsage.of({
      get: Effect.fn("PlatformUsage.get")(function* (range, filter) {
        const { accountId } = yield* Caller
        const rows = yield* Effect.all({
          calls: counts.calls(accountId, range, filter),
          byTool: counts.byTool(accountId, range, filter),
          byToken: counts.byToken(accountId, range, filter),
          emails: counts.emails(accountId, range),
          chatapp: counts.chatapp(accountId, range),
          voice: counts.voice(accountId, range),
          models: counts.models(accountId, range),
          files: counts.files(accountId, range),
          bytesBefore: counts.bytesBefore(accountId, range)
        }).pipe(fromSql())
        const { chatapp, emails, models, voice } = rows
        const intervals = usageByInterval(range, {
          ...rows,
          emails: emails.map(({ failed: _failed, ...row }) => row),
          chatapp: chatapp.map(({ failed: _failed, ...row }) => row),
          models: byDay(models)
        })
        return {
          interval: range.interval,
          starts_at: range.from,
          ends_at: range.to,
          intervals,
          by_tool: rows.byTool,
          by_token: rows.byToken,
          by_channel: [
            {
              channel: "email" as const,
              sent: sumOf(emails, (row) => row.emails_sent),
              received: sumOf(emails, (row) => row.emails_received),
              failed: sumOf(emails, ({ failed }) => failed),
              minutes: 0
            },
            {
              channel: "chatapp" as const,
              sent: sumOf(chatapp, (row) => row.chatapp_sent),
              received: sumOf(chatapp, (row) => row.chatapp_received),
              failed: sumOf(chatapp, ({ failed }) => failed),
              minutes: 0
            },
            {
              channel: "voice" as const,
              sent: sumOf(voice, (row) => row.voice_calls),
              received: 0,
              failed: 0,
              minutes: minutesOf(sumOf(voice, ({ seconds }) => seconds))
            }
          ],
          by_model: byModel(models)
        }
      })
    })
  })
)
