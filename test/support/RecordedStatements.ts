import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import pg from "pg"
import { type PlanNode, unboundTables } from "../Platform/Postgres/accountFilters.ts"

const seen = new Set<string>()

/** Writes the statements of all sessions of this process down while the layer is there. */
export const StatementsRecorded = Layer.scopedDiscard(
  Effect.acquireRelease(
    Effect.sync(() => {
      const send = pg.Client.prototype.query
      const recording = function (this: pg.Client, ...args: ReadonlyArray<unknown>): unknown {
        const [first] = args
        const text = typeof first === "object" && first !== null && "text" in first ? first.text : first
        if (typeof text === "string") seen.add(text)
        return Reflect.apply(send, this, args)
      }
      Object.assign(pg.Client.prototype, { query: recording })
      return send
    }),
    (query) => Effect.sync(() => Object.assign(pg.Client.prototype, { query }))
  )
)

const isPlanned = (text: string): boolean =>
  /^\s*(?:\/\*.*?\*\/\s*)?(?:with|select|insert|update|delete)\b/i.test(text) && !/explain_laws/.test(text)

/**
 * A statement that works across accounts says so: it keeps to those that live by the session's clock. What is known
 * before the account is: a token, an address, a message's id from outside.
 */
const isAcrossAccounts = (text: string): boolean => /\bis_on_clock\(|\bown_clock\(\)/.test(text)

/** What else reads accounts' tables without an account, and why. */
const excepted: ReadonlyArray<readonly [beginning: string, reason: string]> = [
  ["insert into account (name,", "an account's handle is its own among all accounts"],
  [
    'select n.account_id as "accountId", a.plan from chatapp_provider_line n',
    "a provider's notice names its line alone"
  ]
]

/** The statements recorded so far that read a table of accounts' data without naming an account on it, with the tables. */
export const statementsWithoutAccount = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly name: string }>`
    select c.relname as name /* explain_laws */ from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'account_id'
      and c.relname <> 'account'`
  const tables = new Set(["account", ...rows.map(({ name }) => name)])
  const looked: Array<string> = []
  const found: Array<{ readonly tables: ReadonlyArray<string>; readonly statement: string }> = []
  for (const text of [...seen].filter(isPlanned)) {
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
      const statement = text.replace(/\s+/g, " ").trim()
      if (!excepted.some(([beginning]) => statement.startsWith(beginning))) found.push({ tables: unbound, statement })
    }
  }
  return { looked, found }
})
