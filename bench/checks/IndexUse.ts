import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import pg from "pg"
import { keptReleases } from "../../test/support/releases/Releases.ts"
import { makeDatabase, startReadServer } from "../support/BenchDatabase.ts"
import { conditions, figure, table } from "../support/Report.ts"
import { seedHistory } from "../support/SampleHistory.ts"
import { seedAccounts } from "../support/SampleLeads.ts"

/**
 * Which indexes the statements of the last release would use: each is planned without values on accounts with history, with
 * and without scans of whole tables. Statements inside functions are called instead, and counted by the server.
 */

/** Many small accounts, and one large one. The planner decides differently. */
const shapes = [
  { accounts: 10, leads: 5_000 },
  { accounts: 1, leads: 50_000 }
]

/** Calls of the functions that read leads or messages. `$1` is an account. */
const functionCalls: ReadonlyArray<string> = [
  "select count(*) from leads_matching($1, 'metalúrgica silva')",
  "select count(*) from leads_matching($1, '+55 11 9 0000 0001')",
  "select recount_leads($1)",
  "select fold_lead_counter($1)",
  "select fold_sector_counter($1)"
]

const indexName = /(?:Index(?: Only)? Scan(?: Backward)? using|Bitmap Index Scan on) "?([^\s"]+)/
const arbiters = /Conflict Arbiter Indexes: (.+)/

const indexesIn = (line: string): ReadonlyArray<string> => {
  const name = indexName.exec(line)?.[1]
  return name === undefined ? (arbiters.exec(line)?.[1]?.split(", ") ?? []) : [name]
}

/** The plan of one statement, or nothing if several are joined or the server plans none. */
const planOf = async (client: pg.Client, statement: string): Promise<ReadonlyArray<string>> => {
  try {
    const { rows } = await client.query<{ readonly "QUERY PLAN": string }>(
      `explain (generic_plan, costs off) ${statement}`
    )
    return Array.isArray(rows) ? rows.map((row) => row["QUERY PLAN"]) : []
  } catch (failure) {
    if (!(failure instanceof pg.DatabaseError)) throw failure
    return []
  }
}

interface IndexRow {
  readonly table: string
  readonly index: string
  /** It holds a key, or finds the rows that refer to a row of another table. A primary key finds those of an account. */
  readonly is_needed: boolean
  readonly definition: string
  readonly scans: number
}

const indexes = `
  select c.relname as table, i.relname as index, pg_get_indexdef(i.oid) as definition,
    x.indisunique or exists (
      select from pg_constraint k where k.conrelid = x.indrelid and k.contype = 'f' and cardinality(k.conkey) > 1
        and (string_to_array(x.indkey::text, ' ')::int2[])[1:cardinality(k.conkey)] @> k.conkey) as is_needed,
    coalesce(u.idx_scan, 0)::int as scans
  from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
    join pg_namespace n on n.oid = c.relnamespace left join pg_stat_user_indexes u on u.indexrelid = i.oid
  where n.nspname = 'public' and i.relkind = 'i' order by 1, 2`

const measureShape = (statements: ReadonlyArray<string>, uses: Map<string, Set<string>>, shape: number) =>
  Effect.gen(function* () {
    const { accounts, leads } = shapes[shape] ?? { accounts: 1, leads: 1 }
    const { client } = yield* makeDatabase(yield* startReadServer, `index_use_${shape}`)
    const seeded = yield* seedAccounts(
      client,
      Array.from({ length: accounts }, (_, number) => ({ name: `Bench${number}`, leads }))
    )
    for (const account of seeded) yield* seedHistory(client, account)
    yield* Console.error(`${accounts} accounts of ${figure(leads)} leads are made`)
    return yield* Effect.promise(async () => {
      const count = (index: string, user: string) => uses.set(index, (uses.get(index) ?? new Set()).add(user))
      for (const isAllowed of ["on", "off"]) {
        await client.query(`set enable_seqscan = ${isAllowed}`)
        for (const statement of statements)
          for (const line of await planOf(client, statement))
            for (const index of indexesIn(line)) count(index, statement)
      }
      const scansOf = async () => (await client.query<IndexRow>(indexes)).rows
      await client.query("select pg_stat_force_next_flush()")
      const before = new Map((await scansOf()).map(({ index, scans }) => [index, scans]))
      for (const call of functionCalls) {
        await client.query(call, [seeded[0]?.accountId])
        await client.query("select pg_stat_force_next_flush()")
        for (const { index, scans } of await scansOf()) if (scans > (before.get(index) ?? 0)) count(index, call)
      }
      return scansOf()
    })
  }).pipe(Effect.scoped)

const program = Effect.gen(function* () {
  const started = conditions()
  const statements = keptReleases().at(-1)?.statements() ?? []
  const uses = new Map<string, Set<string>>()
  let rows: ReadonlyArray<IndexRow> = []
  for (const shape of shapes.keys()) rows = yield* measureShape(statements, uses, shape)
  const judgedIndexes = rows.filter(({ is_needed }) => !is_needed)
  yield* Console.log(
    `${started}\n${figure(statements.length)} statements; indexes that hold no key and serve no foreign key\n\n${table(
      ["table and index", "statements", "definition"],
      judgedIndexes.map(({ definition, index, table: of }) => [
        `${of}, ${index}`,
        figure(uses.get(index)?.size ?? 0),
        definition.slice(definition.indexOf("USING") + "USING ".length)
      ])
    )}`
  )
})

NodeRuntime.runMain(program)
