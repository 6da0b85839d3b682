import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { ChatApp } from "../../../Services/ChatApp/ChatApp.ts"
import type { ChatAppSpend } from "../../../Services/ChatApp/ChatAppModel.ts"
import { ChatAppOpenings } from "../../../Services/ChatApp/ChatAppOpenings.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import { makeGroupedReads } from "../../Platform/Postgres/grouped/GroupedReads.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"

/**
 * For an account `a` with its settings `c` and budget `b`: its current date, what was spent, and when the next working
 * day and month begin. Openings that a cap delayed are sent in the morning, not at midnight.
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

type Reservation =
  | { readonly _tag: "Reserved"; readonly day: string }
  | { readonly _tag: "AtCap"; readonly until: Timestamp }

const reservationOf = (day: string, until: Timestamp | null): Reservation =>
  until === null ? { _tag: "Reserved", day } : { _tag: "AtCap", until }

/** The costs of an account's messages. Everything except `of` belongs in a transaction. */
export const makeChatAppSpend = Effect.map(SqlClient, (sql) => {
  /** Locks the budgets, so that no decision uses a sum that is about to change. */
  const lock = (accountIds: ReadonlyArray<AccountId>) =>
    Effect.gen(function* () {
      const lockRows = sql`
        select from chatapp_budget where account_id = any (${accountIds}::bigint[]) order by account_id for update`
      if ((yield* lockRows).length === accountIds.length) return
      yield* sql`
        insert into chatapp_budget (account_id) select account_id from unnest(${accountIds}::bigint[]) as b (account_id)
        order by account_id on conflict do nothing`
      yield* lockRows
    }).pipe(fromSql())

  /** Reserves `openings` times the price for each account. If the account's cap is too low, returns until when. */
  const reserveForAccounts = (openings: ReadonlyMap<AccountId, number>, price: string) =>
    sql
      .unsafe<{ readonly accountId: AccountId; readonly day: string; readonly until: Timestamp | null }>(
        `with judged as (
          select a.account_id, d.today as day, cap.paused_until as until, total.price
          from unnest($1::bigint[], $2::integer[]) as counted (account_id, openings),
            lateral (select $3::numeric * counted.openings as price) total, ${accounts}, ${figures("total.price")}
          where c.account_id = counted.account_id
        ), reserved as (
          insert into chatapp_spend (account_id, day, spent_brl)
          select account_id, day, price from judged where until is null
          on conflict (account_id, day) do update set spent_brl = chatapp_spend.spent_brl + excluded.spent_brl
        )
        select account_id as "accountId", day, until from judged`,
        [[...openings.keys()], [...openings.values()], price]
      )
      .pipe(
        fromSql(),
        Effect.map((rows) => new Map(rows.map(({ accountId, day, until }) => [accountId, reservationOf(day, until)])))
      )

  return {
    /** Reserves one opening per entry, in their order. `price` is in BRL, as a decimal number. */
    reserve: Effect.fnUntraced(function* (accountIds: ReadonlyArray<AccountId>, price: string) {
      if (accountIds.length === 0) return []
      const openings = new Map<AccountId, number>()
      for (const accountId of accountIds) openings.set(accountId, (openings.get(accountId) ?? 0) + 1)
      yield* lock([...openings.keys()])
      const reservations = yield* reserveForAccounts(openings, price)
      return yield* Effect.forEach(accountIds, (accountId) => {
        const reservation = reservations.get(accountId)
        if (reservation === undefined) return Effect.dieMessage("An account has no prospecting settings.")
        // If only one of several openings exceeds the cap, others may still fit, so each is tried separately.
        return reservation._tag === "Reserved" || openings.get(accountId) === 1
          ? Effect.succeed(reservation)
          : Effect.map(reserveForAccounts(new Map([[accountId, 1]]), price), (single) => single.get(accountId))
      })
    }),

    /** Corrects a message's cost, and the sum of the day on which it counts. The caller has locked the message. */
    correct: Effect.fnUntraced(function* (accountId: AccountId, chatAppMessageId: number, price: string) {
      const changed = yield* sql`
        select from chatapp_message where account_id = ${accountId} and chatapp_message_id = ${chatAppMessageId}
          and cost_brl <> ${price}::numeric`.pipe(fromSql())
      if (changed.length === 0) return
      yield* lock([accountId])
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

    pausesOf: (accountIds: ReadonlyArray<AccountId>, openingPrice: string) =>
      sql
        .unsafe<{ readonly accountId: AccountId; readonly pausedUntil: Timestamp | null }>(
          `select c.account_id as "accountId", cap.paused_until as "pausedUntil"
          from ${accounts}, ${figures("$2")} where c.account_id = any ($1::bigint[])`,
          [accountIds, openingPrice]
        )
        .pipe(fromSql()),

    setCap: Effect.fnUntraced(function* (accountId: AccountId, period: "daily" | "monthly", cap: number | null) {
      yield* lock([accountId])
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
      name: "chatapp_openings",
      mostKeys: 32,
      read: (keys: ReadonlyArray<{ readonly accountId: AccountId }>) =>
        Effect.map(pausesOf([...new Set(keys.map(({ accountId }) => accountId))], price), (rows) => {
          const paused = new Map(rows.map((row) => [row.accountId, row.pausedUntil]))
          return keys.map(({ accountId }) => paused.get(accountId) === null)
        })
    })
    return ChatAppOpenings.of({
      areAffordable: (accountId) => Effect.map(ask({ accountId }), (isAffordable) => isAffordable === true)
    })
  })
)
