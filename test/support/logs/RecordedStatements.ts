import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Predicate } from "effect"
import pg from "pg"
import { vi } from "vitest"
import { reachableNodesOnly } from "../../../src/Layers/Platform/Postgres/cluster/ReachableNodes.ts"
import { type PlanNode, unboundTables } from "../../Platform/Postgres/accountFilters.ts"

const isSessionWith = (database: string, session: unknown): boolean =>
  Predicate.hasProperty(session, "database") && session.database === database

/**
 * Records the statements of this process's sessions with a database while the layer exists, each text once. Work of
 * other test files may continue in the process, on other databases.
 */
export class RecordedStatements extends Context.Tag("RecordedStatements")<
  RecordedStatements,
  (database: string) => Effect.Effect<ReadonlyArray<string>>
>() {
  static readonly layer = Layer.scoped(
    RecordedStatements,
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => vi.spyOn(pg.Client.prototype, "query")),
        (spy) => Effect.sync(() => spy.mockRestore())
      ),
      (spy) => (database: string) =>
        Effect.sync(() => {
          const texts = spy.mock.calls.flatMap(([first]: ReadonlyArray<unknown>, index) =>
            isSessionWith(database, spy.mock.contexts[index])
              ? [typeof first === "object" && first !== null && "text" in first ? first.text : first]
              : []
          )
          return [...new Set(texts)].filter((text) => typeof text === "string")
        })
    )
  )
}

const isPlanned = (text: string): boolean =>
  /^\s*(?:\/\*.*?\*\/\s*)?(?:with|select|insert|update|delete)\b/i.test(text) && !/explain_laws/.test(text)

/**
 * Statements across accounts either name no account or are marked so. They are limited to accounts that use the
 * session's clock.
 */
const isAcrossAccounts = (text: string): boolean =>
  !/(?:=|\bany\s*\(|\bin\s*\()\s*\(*\$\d/i.test(text) || /\buses_test_clock\(|\btest_clock\(\)/.test(text)

/** Other statements that read accounts' tables without an account, with the reason. */
const excepted: ReadonlyArray<readonly [beginning: string, reason: string]> = [
  ["insert into account (name,", "an account's handle is its own among all accounts"],
  ["select handle from account where handle = any", "an account's handle is its own among all accounts"],
  [
    'select n.account_id as "accountId", a.plan from chatapp_provider_line n',
    "a provider's notice names its line alone"
  ],
  [
    'select name, account_id as "accountId" from website_name where name = any',
    "a visitor's request names a host alone"
  ],
  ["select from account_phone where phone =", "a number is proved by one account among all accounts"],
  ["select from sender_domain_name where domain =", "a domain is one account's among all accounts"],
  [
    'select account_id as "accountId", voice_call_request_id as "voiceCallRequestId" from voice_call where phone_key(phone)',
    "a telephone rings for one account at a time: the next call to it is whoever's has waited longest"
  ]
]

/** The recorded statements that read a table of accounts' data without an account, and these tables. */
export const statementsWithoutAccount = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly name: string }>`
    select c.relname as name /* explain_laws */ from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'account_id'
      and c.relname <> 'account'`
  const tables = new Set(["account", ...rows.map(({ name }) => name)])
  const looked: Array<string> = []
  const found: Array<{ readonly tables: ReadonlyArray<string>; readonly statement: string }> = []
  const [{ name: database } = { name: "" }] = yield* sql<{ readonly name: string }>`select current_database() as name`
  const recorded = yield* RecordedStatements
  for (const text of (yield* recorded(database)).filter(isPlanned)) {
    const plans = yield* Effect.option(
      sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: PlanNode }> }>(
        `explain (verbose, generic_plan, format json) ${text}`
      )
    )
    if (plans._tag === "None") continue
    const plan = plans.value[0]?.["QUERY PLAN"][0]?.Plan
    if (plan === undefined) continue
    looked.push(text)
    const unbound = unboundTables(plan, tables)
    if (unbound.length > 0 && !isAcrossAccounts(text)) {
      const statement = text.replace(reachableNodesOnly, "").replace(/\s+/g, " ").trim()
      if (!excepted.some(([beginning]) => statement.startsWith(beginning))) found.push({ tables: unbound, statement })
    }
  }
  return { looked, found }
})
