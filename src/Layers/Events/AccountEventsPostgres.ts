import { SqlClient } from "@effect/sql/SqlClient"
import { Array, Effect, Layer } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import {
  AccountEvents,
  type AccountEventView,
  type FollowedAccount,
  followedAtOnce,
  maximumText,
  type NewAccountEvent
} from "../../Services/Events/AccountEvents.ts"
import { clip } from "../../Services/Text/PlainText.ts"
import { withoutControlCharacters } from "../../Services/Text/SingleLine.ts"
import { selectedAs } from "../Platform/Postgres/ColumnChanges.ts"
import { rowsOfAccounts } from "../Platform/Postgres/RowsOfAccounts.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

const boundedText = (_: string, value: unknown): unknown =>
  typeof value === "string" ? clip(withoutControlCharacters(value), maximumText) : value

const stored = (events: ReadonlyArray<NewAccountEvent>): string =>
  JSON.stringify(
    events.map(({ data, occurredAt, type }) => ({ type, data, occurred_at: occurredAt ?? null })),
    boundedText
  )

interface Newest {
  /** The highest cursor of the account. Null if it has no events. */
  readonly latest: number | null
}

/** A page without events is one row of the second type. */
type PageRow = (AccountEventView & Newest) | ({ readonly cursor: null } & Newest)

const isEvent = (row: PageRow): row is AccountEventView & Newest => row.cursor !== null

const withoutNewest = ({ latest: _, ...event }: AccountEventView & Newest): AccountEventView => event

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const append = Effect.fnUntraced(function* (events: ReadonlyArray<NewAccountEvent>) {
    if (events.length === 0) return
    const { accountId } = yield* Caller
    yield* sql`select append_account_events(${accountId}, ${stored(events)}::jsonb)`.pipe(fromSql())
  })

  const columns = sql.literal(
    selectedAs<AccountEventView>({
      cursor: "account_event_id",
      id: "event_id(event_key)",
      type: "event_type",
      occurred_at: "occurred_at",
      data: "data"
    })
  )

  const newerOf = (accounts: ReadonlyArray<FollowedAccount>) =>
    sql<AccountEventView & { readonly account_id: AccountId }>`
      select w.account_id, newer.*
      from unnest(${accounts.map(({ accountId }) => accountId)}::bigint[],
        ${accounts.map(({ since }) => since)}::bigint[]) w (account_id, since)
      cross join lateral (
        select ${columns} from account_event e
        where e.account_id = w.account_id and e.account_event_id > w.since
        order by e.account_event_id limit ${followedAtOnce}
      ) newer order by newer.cursor`.pipe(
      Effect.map(Array.map(({ account_id: accountId, ...event }) => ({ accountId, event }))),
      fromSql()
    )

  return AccountEvents.of({
    latest: Effect.gen(function* () {
      const { accountId } = yield* Caller
      const rows = yield* sql<{ readonly latest: number }>`
        select coalesce(max(account_event_id), 0) as latest from account_event where account_id = ${accountId}`.pipe(
        fromSql()
      )
      return single(rows).latest
    }),

    newer: (accounts) => rowsOfAccounts(unit, accounts, newerOf),

    append: Effect.fn("AccountEvents.append")((event) => append([event])),
    appendMany: Effect.fn("AccountEvents.appendMany")(append),

    appendAll: Effect.fn("AccountEvents.appendAll")(function* (events) {
      const ofAccounts = new Map<AccountId, Array<NewAccountEvent>>()
      for (const { accountId, event } of events) {
        const others = ofAccounts.get(accountId)
        if (others === undefined) ofAccounts.set(accountId, [event])
        else others.push(event)
      }
      // Locked in a fixed order, so that two transactions cannot deadlock.
      const inOrder = [...ofAccounts].sort(([one], [other]) => one - other)
      const [first] = inOrder
      if (first === undefined) return
      if (inOrder.length === 1) {
        yield* sql`select append_account_events(${first[0]}, ${stored(first[1])}::jsonb)`.pipe(fromSql())
        return
      }
      yield* sql`
        select append_account_events(asked.account, asked.events::jsonb) from (
          select account, events from unnest(${inOrder.map(([accountId]) => accountId)}::bigint[],
            ${inOrder.map(([, accountEvents]) => stored(accountEvents))}::text[]) as given (account, events) order by account offset 0
        ) asked`.pipe(fromSql())
    }),

    read: Effect.fn("AccountEvents.read")(function* ({ limit, since, types }) {
      const { accountId } = yield* Caller
      const rowLimit = limit + 1
      // Reads each type along the index, which is fast for rare and for frequent types.
      const page =
        types.length === 0
          ? sql`select ${columns} from account_event
              where account_id = ${accountId} and account_event_id > ${since}
              order by account_event_id limit ${rowLimit}`
          : sql`select found.* from unnest(${types}::text[]) wanted (type) cross join lateral (
                select ${columns} from account_event
                where account_id = ${accountId} and event_type = wanted.type and account_event_id > ${since}
                order by account_event_id limit ${rowLimit}
              ) found order by cursor limit ${rowLimit}`
      const rows = yield* sql<PageRow>`
        select newest.latest, page.* from (
          select (select account_event_id from account_event where account_id = ${accountId}
            order by account_event_id desc limit 1) as latest
        ) newest left join (${page}) page on true
        order by page.cursor`.pipe(fromSql())

      const eventRows = rows.filter(isEvent)
      const events = eventRows.slice(0, limit).map(withoutNewest)
      const last = events.at(-1)
      const hasMore = eventRows.length > limit
      return {
        events,
        hasMore,
        // All events up to `latest` are committed and visible to this statement, so the reader misses none.
        nextCursor: hasMore && last !== undefined ? last.cursor : Math.max(since, rows[0]?.latest ?? 0)
      }
    })
  })
})

export const AccountEventsPostgres = Layer.effect(AccountEvents, make)
