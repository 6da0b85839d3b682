import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { ChatApp } from "../../Services/ChatApp/ChatApp.ts"
import type { ChatAppSpend } from "../../Services/ChatApp/ChatAppModel.ts"
import { ChatAppOpenings } from "../../Services/ChatApp/ChatAppOpenings.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import { makeGroupedReads } from "../Platform/Postgres/GroupedReads.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

/**
 * Of an account `a` with its settings `c` and budget `b`: today in its calendar, what was spent, and when the next day
 * and month begin to be worked. Openings that a cap kept back go out in the morning, not at midnight.
 */
const figures = (openingPrice: string) => `
  lateral (select (instant() at time zone a.time_zone)::date as today) d,
  lateral (select date_trunc('month', d.today::timestamp) as month_start) m,
  lateral (
    select coalesce(sum(spent_brl) filter (where s.day = d.today), 0) as today_brl, coalesce(sum(spent_brl), 0) as month_brl
    from chatapp_spend s
    where s.account_id = c.account_id and s.day >= m.month_start::date
      and s.day < (m.month_start + interval '1 month')::date
  ) spent,
  lateral (select make_interval(hours => coalesce(c.send_window_start_hour, 8)) as morning) w,
  lateral (
    select case
      when spent.month_brl + ${openingPrice}::numeric > b.monthly_cap_brl
        then (m.month_start + interval '1 month' + w.morning) at time zone a.time_zone
      when spent.today_brl + ${openingPrice}::numeric > b.daily_cap_brl
        then (d.today + interval '1 day' + w.morning) at time zone a.time_zone
    end as paused_until
  ) cap`

const accounts = `
  prospecting_config c join account a on a.account_id = c.account_id
    left join chatapp_budget b on b.account_id = c.account_id`

/** The costs of an account's messages. Everything but `of` belongs in a transaction. */
export const makeChatAppSpend = Effect.map(SqlClient, (sql) => {
  /** Whoever changes or judges what was spent holds the budget's row: nobody judges by a sum that is about to grow. */
  const lock = (accountId: AccountId) =>
    Effect.gen(function* () {
      const held = sql`select from chatapp_budget where account_id = ${accountId} for update`
      if ((yield* held).length > 0) return
      yield* sql`insert into chatapp_budget (account_id) values (${accountId}) on conflict do nothing`
      yield* held
    }).pipe(fromSql())

  return {
    /** `price` in BRL, as a decimal number. */
    reserve: Effect.fnUntraced(function* (accountId: AccountId, price: string) {
      yield* lock(accountId)
      const rows = yield* sql
        .unsafe<{ readonly day: string; readonly until: Timestamp | null }>(
          `with judged as (
            select a.account_id, d.today as day, cap.paused_until as until from ${accounts}, ${figures("$2")}
            where c.account_id = $1
          ), reserved as (
            insert into chatapp_spend (account_id, day, spent_brl)
            select account_id, day, $2::numeric from judged where until is null
            on conflict (account_id, day) do update set spent_brl = chatapp_spend.spent_brl + excluded.spent_brl
          )
          select day, until from judged`,
          [accountId, price]
        )
        .pipe(fromSql())
      const { day, until } = single(rows)
      return until === null ? { _tag: "Reserved" as const, day } : { _tag: "AtCap" as const, until }
    }),

    /**
     * For openings of several accounts, an account a time for each of its own. Answers the day in which each account counts
     * them; one that has no budget's row yet, or room for some of them alone, reserves nothing.
     */
    reserveAll: Effect.fnUntraced(function* (openings: ReadonlyArray<AccountId>, price: string) {
      const counts = new Map<AccountId, number>()
      for (const accountId of openings) counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
      if (counts.size === 0) return new Map<AccountId, string>()
      const held = yield* sql<{ readonly accountId: AccountId }>`
        select account_id as "accountId" from chatapp_budget where account_id = any (${[...counts.keys()]}::bigint[])
        order by account_id for update`.pipe(fromSql())
      const asked = held.map(({ accountId }) => accountId)
      if (asked.length === 0) return new Map<AccountId, string>()
      const rows = yield* sql
        .unsafe<{ readonly accountId: AccountId; readonly day: string }>(
          `with judged as (
            select a.account_id, d.today as day, wanted.price
            from unnest($1::bigint[], $2::integer[]) as counted (account_id, openings),
              lateral (select $3::numeric * counted.openings as price) wanted, ${accounts}, ${figures("wanted.price")}
            where c.account_id = counted.account_id and cap.paused_until is null
          ), reserved as (
            insert into chatapp_spend (account_id, day, spent_brl)
            select account_id, day, price from judged
            on conflict (account_id, day) do update set spent_brl = chatapp_spend.spent_brl + excluded.spent_brl
          )
          select account_id as "accountId", day from judged`,
          [asked, asked.map((accountId) => counts.get(accountId) ?? 0), price]
        )
        .pipe(fromSql())
      return new Map(rows.map(({ accountId, day }) => [accountId, day]))
    }),

    /** Sets what a message costs, and so what was spent on the day that it counts in; the message's row is held. */
    correct: Effect.fnUntraced(function* (accountId: AccountId, chatAppMessageId: number, price: string) {
      const changed = yield* sql`
        select from chatapp_message where account_id = ${accountId} and chatapp_message_id = ${chatAppMessageId}
          and cost_brl <> ${price}::numeric`.pipe(fromSql())
      if (changed.length === 0) return
      yield* lock(accountId)
      yield* sql`
        with message as (
          select m.account_id, m.chatapp_message_id, m.cost_brl,
            coalesce(m.spend_day, (instant() at time zone a.time_zone)::date) as day
          from chatapp_message m join account a using (account_id)
          where m.account_id = ${accountId} and m.chatapp_message_id = ${chatAppMessageId}
        ), spent as (
          insert into chatapp_spend (account_id, day, spent_brl)
          select account_id, day, ${price}::numeric - cost_brl from message
          on conflict (account_id, day) do update set spent_brl = chatapp_spend.spent_brl + excluded.spent_brl
        )
        update chatapp_message m set cost_brl = ${price}::numeric, spend_day = message.day from message
        where m.account_id = message.account_id and m.chatapp_message_id = message.chatapp_message_id`.pipe(fromSql())
    }),

    of: (accountId: AccountId, openingPrice: string) =>
      sql
        .unsafe<ChatAppSpend>(
          `select spent.today_brl, spent.month_brl, b.daily_cap_brl, b.monthly_cap_brl,
            $2::numeric as opening_price_brl, cap.paused_until as openings_paused_until
          from ${accounts}, ${figures("$2")} where c.account_id = $1`,
          [accountId, openingPrice]
        )
        .pipe(fromSql(), Effect.map(single)),

    pausesOf: (asked: ReadonlyArray<AccountId>, openingPrice: string) =>
      sql
        .unsafe<{ readonly accountId: AccountId; readonly pausedUntil: Timestamp | null }>(
          `select c.account_id as "accountId", cap.paused_until as "pausedUntil"
          from ${accounts}, ${figures("$2")} where c.account_id = any ($1::bigint[])`,
          [asked, openingPrice]
        )
        .pipe(fromSql()),

    /** Now, or the next morning where the account's send window is closed. */
    workingTime: (accountId: AccountId) =>
      sql<{ readonly at: Timestamp }>`
        select case when extract(hour from t.local) >= t.starts and extract(hour from t.local) < t.ends then instant()
          else (date_trunc('day', t.local) + make_interval(hours => t.starts,
            days => (extract(hour from t.local) >= t.starts)::int)) at time zone t.time_zone end as at
        from (
          select a.time_zone, instant() at time zone a.time_zone as local,
            coalesce(c.send_window_start_hour, 8)::int as starts, coalesce(c.send_window_end_hour, 18)::int as ends
          from account a left join prospecting_config c using (account_id) where a.account_id = ${accountId}
        ) t`.pipe(
        fromSql(),
        Effect.map((rows) => single(rows).at)
      ),

    setCap: Effect.fnUntraced(function* (accountId: AccountId, period: "daily" | "monthly", cap: number | null) {
      yield* lock(accountId)
      const column = sql.literal(period === "daily" ? "daily_cap_brl" : "monthly_cap_brl")
      yield* sql`update chatapp_budget set ${column} = ${cap} where account_id = ${accountId}`.pipe(fromSql())
    })
  }
})
export const ChatAppOpeningsPostgres = Layer.effect(
  ChatAppOpenings,
  Effect.gen(function* () {
    const { opening, prices } = yield* ChatApp
    const { pausesOf } = yield* makeChatAppSpend
    const price = prices[opening.category]
    const ask = yield* makeGroupedReads({
      mostKeys: 32,
      read: (asked: ReadonlyArray<{ readonly accountId: AccountId }>) =>
        Effect.map(pausesOf([...new Set(asked.map(({ accountId }) => accountId))], price), (rows) => {
          const paused = new Map(rows.map((row) => [row.accountId, row.pausedUntil]))
          return asked.map(({ accountId }) => paused.get(accountId) === null)
        })
    })
    return ChatAppOpenings.of({
      areAffordable: (accountId) => Effect.map(ask({ accountId }), (isAffordable) => isAffordable === true)
    })
  })
)
