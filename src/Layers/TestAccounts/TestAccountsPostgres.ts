import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option, Schema } from "effect"
import { notFound } from "../../Errors.ts"
import type { AccountId, Plan } from "../../Services/Accounts/Ids.ts"
import {
  makeTestKey,
  makeToken,
  testTokenPrefix,
  tokenDigest
} from "../../Services/Accounts/Tokens/AccessTokenFormat.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { now, plusSeconds, type Timestamp, toMillis } from "../../Services/Core/Timestamp.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import type { TestAccountId } from "../../Services/TestAccounts/Ids.ts"
import {
  countryInvalid,
  idleDays,
  insideTestAccount,
  mostStartDays,
  mostTestAccounts,
  type NewTestAccount,
  type ServedTestAccount,
  startOutOfRange,
  TestAccounts,
  type TestAccountView,
  testAccountsUnavailable,
  tooManyTestAccounts
} from "../../Services/TestAccounts/TestAccounts.ts"
import { cacheSuccess } from "../Platform/CacheSuccess.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { lockAccount } from "../Platform/Postgres/AccountLock.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { Settings } from "../Platform/Settings.ts"
import { isTestDatabaseOf, testDatabaseName } from "./TestDatabases.ts"

const day = 86_400

const sweepTestAccounts = Task.make("sweep_test_accounts", { payload: Schema.Struct({}), maxAttempts: 5 })

interface TestAccountRow {
  readonly accountId: AccountId
  readonly testAccountId: TestAccountId
  readonly key: string
  readonly generation: number
  readonly name: string
  readonly plan: Plan
  readonly country: string | null
  readonly startsAt: Timestamp
  readonly tokenHash: Uint8Array
  readonly createdAt: Timestamp
  readonly lastCalledAt: Timestamp | null
}

const columns = `t.account_id as "accountId", t.test_account_id as "testAccountId", t.key, t.generation, t.name, t.plan, t.country,
  t.starts_at as "startsAt", t.token_hash as "tokenHash", t.created_at as "createdAt",
  t.last_called_at as "lastCalledAt"`

const makeServices = Effect.all({ sql: SqlClient, tasks: TaskQueue, settings: Settings })
type Services = Effect.Effect.Success<typeof makeServices>

/** Returns the address below which the pages and links of the test account are. */
export const testBaseUrl = (baseUrl: string, key: string): string => `${baseUrl}/test/${key}`

const makeRows = ({ settings, sql }: Services) => {
  const viewOf = (row: TestAccountRow): TestAccountView => ({
    test_account_id: row.testAccountId,
    name: row.name,
    plan: row.plan,
    starts_at: row.startsAt,
    created_at: row.createdAt,
    last_called_at: row.lastCalledAt,
    expires_at: plusSeconds(row.lastCalledAt ?? row.createdAt, idleDays * day),
    base_url: testBaseUrl(settings.baseUrl, row.key)
  })

  const ownDatabase = cacheSuccess(
    sql<{ readonly name: string }>`select current_database()::text as name`.pipe(
      Effect.map((rows) => single(rows).name),
      fromSql()
    )
  )

  const servedOf = (row: TestAccountRow) =>
    Effect.map(
      ownDatabase,
      (database): ServedTestAccount => ({ ...row, database: testDatabaseName(database, row.key, row.generation) })
    )

  const find = Effect.fnUntraced(function* (id: TestAccountId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<TestAccountRow>`
      select ${sql.literal(columns)} from test_account t
      where t.account_id = ${accountId} and t.test_account_id = ${id}`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("test account", "test_account_id", id))
  })

  return { find, ownDatabase, servedOf, viewOf }
}
type Rows = ReturnType<typeof makeRows>

const newToken = (key: string) => {
  const token = makeToken(randomBytes, testTokenPrefix(key))
  return { token, hash: tokenDigest(token) }
}

const makeChanges = ({ sql, tasks }: Services, { find, viewOf }: Rows) => {
  const mayCreate = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly isTest: boolean; readonly may: boolean }>`
      select a.clock is not null as "isTest",
        (select rolcreatedb or rolsuper from pg_roles where rolname = current_user) as may
      from account a where a.account_id = ${accountId}`.pipe(fromSql())
    const { isTest, may } = single(rows)
    if (isTest) return yield* insideTestAccount
    if (!may) return yield* testAccountsUnavailable
  })

  /** The clock's start, unless it is too far from now. */
  const startOf = Effect.fnUntraced(function* (startsAt: Timestamp | undefined) {
    const present = yield* now
    if (startsAt === undefined) return present
    const far = Math.abs(toMillis(startsAt) - toMillis(present)) > mostStartDays * day * 1000
    return far ? yield* startOutOfRange : startsAt
  })

  return {
    create: Effect.fn("TestAccounts.create")(function* ({ country, name, plan, startsAt }: NewTestAccount) {
      const { accountId } = yield* Caller
      if (country !== undefined && !/^[A-Z]{2}$/.test(country)) return yield* countryInvalid
      const start = yield* startOf(startsAt)
      yield* mayCreate
      yield* lockAccount(sql, accountId, "test_accounts")
      const counts = yield* sql<{ readonly count: number }>`
        select count(*) as count from test_account where account_id = ${accountId}`.pipe(fromSql())
      if (single(counts).count >= mostTestAccounts) return yield* tooManyTestAccounts
      const key = makeTestKey(randomBytes)
      const { hash, token } = newToken(key)
      const rows = yield* sql<TestAccountRow>`
        insert into test_account as t (account_id, key, name, plan, country, starts_at, token_hash)
        values (${accountId}, ${key}, ${name}, ${plan}, ${country ?? null}, ${start}, ${hash})
        returning ${sql.literal(columns)}`.pipe(fromSql())
      return { view: viewOf(single(rows)), token }
    }),

    reset: Effect.fn("TestAccounts.reset")(function* (id: TestAccountId) {
      const { accountId } = yield* Caller
      const { key } = yield* find(id)
      const { hash, token } = newToken(key)
      const rows = yield* sql<TestAccountRow>`
        update test_account t set generation = generation + 1, token_hash = ${hash}
        where t.account_id = ${accountId} and t.test_account_id = ${id}
        returning ${sql.literal(columns)}`.pipe(fromSql())
      yield* tasks.enqueue(sweepTestAccounts, {})
      return { view: viewOf(rows[0] ?? (yield* notFound("test account", "test_account_id", id))), token }
    }),

    remove: Effect.fn("TestAccounts.remove")(function* (id: TestAccountId) {
      const { accountId } = yield* Caller
      const rows = yield* sql`
        delete from test_account where account_id = ${accountId} and test_account_id = ${id} returning key`.pipe(
        fromSql()
      )
      if (rows.length === 0) return yield* notFound("test account", "test_account_id", id)
      yield* tasks.enqueue(sweepTestAccounts, {})
    })
  }
}

const make = Effect.gen(function* () {
  const services = yield* makeServices
  const { sql } = services
  const rows = makeRows(services)
  const { find, ownDatabase, servedOf, viewOf } = rows

  const byKey = (key: string) =>
    sql<TestAccountRow & { readonly isNoted: boolean }>`
      select ${sql.literal(columns)}, coalesce(t.last_called_at > instant() - interval '1 hour', false) as "isNoted"
      from test_account t where t.key = ${key}`.pipe(
      Effect.map(([row]) => Option.fromNullable(row)),
      fromSql()
    )

  return TestAccounts.of({
    ...makeChanges(services, rows),

    list: Effect.gen(function* () {
      const { accountId } = yield* Caller
      const accounts = yield* sql<TestAccountRow>`
        select ${sql.literal(columns)} from test_account t where t.account_id = ${accountId}
        order by t.test_account_id`.pipe(fromSql())
      return accounts.map(viewOf)
    }).pipe(Effect.withSpan("TestAccounts.list")),

    served: (id) => Effect.flatMap(find(id), servedOf),

    servedByKey: Effect.fn("TestAccounts.servedByKey")(function* (key) {
      const row = yield* byKey(key)
      if (Option.isNone(row)) return Option.none()
      if (!row.value.isNoted) {
        yield* sql`update test_account set last_called_at = date_trunc('second', instant()) where key = ${key}`.pipe(
          fromSql()
        )
      }
      return Option.some(yield* servedOf(row.value))
    }),

    all: sql<TestAccountRow>`select ${sql.literal(columns)} from test_account t order by t.test_account_id`.pipe(
      fromSql(),
      Effect.flatMap(Effect.forEach(servedOf)),
      Effect.withSpan("TestAccounts.all")
    ),

    isServed: Effect.fn("TestAccounts.isServed")(function* ({ generation, key }) {
      const rows = yield* sql`select from test_account where key = ${key} and generation = ${generation}`.pipe(
        fromSql()
      )
      return rows.length > 0
    }),

    sweep: Effect.gen(function* () {
      const removed = yield* sql`
        delete from test_account
        where coalesce(last_called_at, created_at) < instant() - make_interval(days => ${idleDays})
        returning key`.pipe(fromSql())
      const remaining = yield* sql<{ readonly key: string; readonly generation: number }>`
        select key, generation from test_account`.pipe(fromSql())
      const database = yield* ownDatabase
      const names = yield* sql<{ readonly name: string }>`
        select datname::text as name from pg_database where datname like '%\\_test\\_%'`.pipe(fromSql())
      const used = new Set(remaining.map(({ generation, key }) => testDatabaseName(database, key, generation)))
      const isOurs = isTestDatabaseOf(database)
      for (const { name } of names) {
        if (isOurs(name) && !used.has(name)) {
          yield* sql`drop database if exists ${sql(name)} with (force)`.pipe(fromSql())
        }
      }
      return removed.length
    }).pipe(Effect.withSpan("TestAccounts.sweep"))
  })
})

export const TestAccountsPostgres = Layer.effect(TestAccounts, make)

/** Ends test accounts that no one calls, and drops databases that no test account has any more. */
export const testAccountSweep = {
  handler: handle(sweepTestAccounts, () => Effect.asVoid(Effect.flatMap(TestAccounts, ({ sweep }) => sweep))),
  recurring: recurring("sweep_test_accounts", "47 4 * * *", sweepTestAccounts, {})
}
