import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type pg from "pg"
import { unknownCluster } from "../../../../src/Layers/Platform/Postgres/cluster/Cluster.ts"
import { stepsOf } from "../../../../src/Layers/Platform/Postgres/cluster/CteSplitter.ts"
import { DatabaseLocation } from "../../../../src/Layers/Platform/Postgres/Database.ts"
import { makePool } from "../../../../src/Layers/Platform/Postgres/pool/Pool.ts"
import { TestDatabaseLocation } from "../../../support/TestDatabase.ts"

const shape = (text: string) => stepsOf(text)?.map(({ name, reads }) => [name ?? "the answer", ...reads])

describe("a statement of parts", () => {
  it("is run as it stands where no part inserts what another one answers", () => {
    assert.isUndefined(stepsOf("select 1"))
    assert.isUndefined(stepsOf("insert into note (account_id) select account_id from lead where account_id = $1"))
    assert.isUndefined(stepsOf("with a as (select 1), b as (update t set x = 1 from a) select 1 from a"))
    assert.isUndefined(stepsOf("with a as (insert into t values ($1) returning x) select x from a"))
    assert.isUndefined(stepsOf("with recursive a as (select 1) insert into t (x) select x from a"))
  })

  it("hands on what was changed, and what is locked before the change", () => {
    assert.deepStrictEqual(
      shape(
        "with a as (select x from t for update), b as (update t set x = 2 from a returning t.x), c as (insert into u (x) select x from b) select x from b, a"
      ),
      [["a"], ["b", "a"], ["c", "b"], ["the answer", "a", "b"]]
    )
  })

  it("keeps a part with what reads it where nothing changes between them", () => {
    const steps = stepsOf(
      "with a as (select x from t), b as (select x from a where x > 1), c as (select x from b) insert into u (x) select x from c"
    )
    assert.deepStrictEqual(
      steps?.map(({ name, text }) => [name, text.replaceAll(/\s+/g, " ").trim()]),
      [
        ["c", "with a as (select x from t), b as (select x from a where x > 1) select x from b"],
        [undefined, "insert into u (x) select x from c"]
      ]
    )
  })

  it("asks a part again only where it reads nothing but parts, each of which it names once", () => {
    assert.deepStrictEqual(
      stepsOf(
        "with a as (insert into t values (1) returning x), b as (select x from a), c as (select x from b), d as (insert into u (x) select b.x from b join c on true) insert into u (x) select x from b"
      )?.map(({ name, reads, text }) => [name, reads, text.match(/\b[bc] as \(/g)?.length ?? 0]),
      [
        ["a", [], 0],
        ["d", ["a"], 2],
        [undefined, ["a"], 1]
      ]
    )
    for (const source of ["a, t", "a as b, t", "a join t on true", "a join (select x from t) c on true"]) {
      assert.deepStrictEqual(
        shape(
          `with a as (insert into t values (1) returning x), b as (select x from ${source}), c as (insert into u (x) select x from b) select x from b`
        )?.[1],
        ["b", "a"],
        source
      )
    }
  })

  it("is not misled by remarks, quotes and brackets within quotes", () => {
    assert.deepStrictEqual(
      shape(`with a as (select ')' as x, '--' as y -- it's (
        ), b as (
          -- lost, should it be taken for a look
          update t set x = 'it''s (' returning x), c as (insert into u (x) select x from b) select 1`),
      [["b"], ["c", "b"], ["the answer"]]
    )
  })
})

const values = [
  1,
  "it's (changed) $2",
  ["a", 'b "c"', null],
  JSON.stringify({ a: [1, "two", null], "it's": true }),
  Buffer.from([0, 1, 255]),
  "2026-03-01T10:20:30.123456Z",
  "12345678901234567890.0123456789",
  null
]

const statement = `
  with before as (
    select t.*, t.amount * 2 as doubled from thing t where t.account_id = $1 for update
  ), changed as (
    update thing t set note = $2, tags = $3, data = $4, bytes = $5, at = $6, amount = $7, nothing = $8
    from before where t.account_id = $1 and t.thing_id = before.thing_id
    returning t.account_id, t.thing_id, t.note, t.tags, t.data, t.bytes, t.at, t.amount, t.nothing, t as whole
  ), both_of as (
    select account_id, thing_id, note, tags, data, bytes, at, amount, nothing, 'before' as which from before
    union all select account_id, thing_id, note, tags, data, bytes, at, amount, nothing, 'after $2' from changed
  ), logged (one, two) as (
    insert into thing_log select * from both_of returning thing_id, which
  )
  select c.*, (c.whole).note as told, b.doubled, b.thing_id, l.one, l.two, $2 || '!' as said, $1 + 1 as next
  from changed c join before b on b.thing_id = c.thing_id join logged l on l.one = c.thing_id order by c.thing_id, l.two`

const twoThings = `
  create table if not exists thing (account_id bigint not null, thing_id bigint not null, note text, tags text[], data jsonb, bytes bytea,
    at timestamptz, amount numeric, nothing int, primary key (account_id, thing_id));
  create table if not exists thing_log (account_id bigint, thing_id bigint, note text, tags text[], data jsonb, bytes bytea,
    at timestamptz, amount numeric, nothing int, which text check (which <> 'refused'));
  truncate thing, thing_log;
  insert into thing (account_id, thing_id, note, amount) values (1, 1, 'one', 0.10), (1, 2, null, 2.5), (2, 1, 'another''s', 1)`

layer(TestDatabaseLocation, { excludeTestServices: true })("steps", (it) => {
  const withSessions = <A>(isSpread: boolean, use: (pool: pg.Pool) => Promise<A>) =>
    Effect.flatMap(DatabaseLocation, ({ connection }) =>
      Effect.acquireUseRelease(
        Effect.sync(() =>
          makePool({
            connection,
            size: 1,
            applicationName: "steps",
            spread: { ...unknownCluster(), isCluster: isSpread }
          })
        ),
        (pool) => Effect.promise(() => use(pool)),
        (pool) => Effect.promise(() => pool.end())
      )
    )
  const logOf = async (pool: pg.Pool) =>
    (await pool.query<object>("select * from thing_log order by thing_id, which")).rows

  it.effect("answer and leave behind what the statement does, whatever the types", () =>
    Effect.gen(function* () {
      const done = (isSpread: boolean) =>
        withSessions(isSpread, async (pool) => {
          await pool.query(twoThings)
          const { rows } = await pool.query(statement, values)
          const things = await pool.query(
            "select t.*, at::text as exactly, amount::text as digits from thing t order by 1, 2"
          )
          return { rows, things: things.rows, log: await logOf(pool) }
        })
      const whole = yield* done(false)
      assert.lengthOf(whole.rows, 4)
      assert.lengthOf(whole.log, 4)
      assert.deepStrictEqual(yield* done(true), whole)
    })
  )

  it.effect("leave nothing where one of them fails, and can be taken back with the transaction they are in", () =>
    withSessions(true, async (pool) => {
      await pool.query(twoThings)
      const refused = statement.replace("'before' as which", "'refused' as which")
      const failure = await pool.query(refused, values).then(
        () => "none",
        (error: Error) => error.message
      )
      assert.include(failure, "thing_log_which_check")
      assert.deepStrictEqual((await pool.query("select note from thing where account_id = 1 order by 1")).rows, [
        { note: "one" },
        { note: null }
      ])
      const session = await pool.connect()
      await session.query("BEGIN")
      await session.query(statement, values)
      assert.lengthOf((await session.query("select from thing_log")).rows, 4)
      await session.query("ROLLBACK")
      session.release()
      assert.deepStrictEqual(await logOf(pool), [])
    })
  )

  it.effect("answer who asks by a callback, as the library does", () =>
    withSessions(true, async (pool) => {
      await pool.query(twoThings)
      const session = await pool.connect()
      const ask = (text: string) =>
        new Promise<string>((resolve) => {
          session.query(text, values, (failure: Error | undefined, result?: pg.QueryResult) =>
            resolve(failure?.message ?? `${result?.rowCount} rows`)
          )
        })
      assert.strictEqual(await ask(statement), "4 rows")
      assert.include(await ask(statement.replace("order by c.thing_id", "order by c.none")), "c.none")
      session.release()
    })
  )
})
