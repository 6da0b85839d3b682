import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import pg from "pg"
import { DatabaseLocation } from "../../../../src/Layers/Platform/Postgres/Database.ts"
import { sentWithCommit, sentWithNext } from "../../../../src/Layers/Platform/Postgres/statements/JoinedCommands.ts"
import { NamedStatementClient } from "../../../../src/Layers/Platform/Postgres/statements/NamedStatements.ts"
import { TestDatabaseLocation } from "../../../support/TestDatabase.ts"

type Answer = { readonly rows: ReadonlyArray<{ readonly [name: string]: unknown }> }

layer(TestDatabaseLocation)("a transaction's commands", (it) => {
  /** A session, and a function that asks it as the pool does. */
  const inSession = (use: (ask: (text: string, values?: ReadonlyArray<unknown>) => Promise<Answer>) => Promise<void>) =>
    Effect.gen(function* () {
      const { connection } = yield* DatabaseLocation
      yield* Effect.acquireUseRelease(
        Effect.promise(async () => {
          const client = new NamedStatementClient(connection)
          await client.connect()
          return client
        }),
        (client) =>
          Effect.promise(async () => {
            const ask = (text: string, values: ReadonlyArray<unknown> = []) =>
              new Promise<Answer>((resolve, reject) => {
                client.query(text, [...values], (failure: Error | null, result: Answer) =>
                  failure === null ? resolve(result) : reject(failure)
                )
              })
            await ask("create temporary table noted (number integer primary key)")
            await use(ask)
          }),
        (client) => Effect.promise(() => client.end())
      )
    })

  const failureOf = (answer: Promise<unknown>): Promise<string | undefined> =>
    answer.then(
      () => undefined,
      (failure: unknown) => (failure instanceof pg.DatabaseError ? failure.code : String(failure))
    )
  const note = "insert into noted (number) values ($1::integer)"
  const noteFirst = `${sentWithNext} ${note} returning number`
  const noteLast = `${sentWithCommit} ${note}`
  const all =
    "select coalesce(string_agg(number::text, ',' order by number), '') as numbers from noted where number > $1"

  it.effect("hold what is between them together, the first time in a session and later", () =>
    inSession(async (ask) => {
      for (const number of [1, 3]) {
        await ask("BEGIN")
        await ask(note, [number])
        await ask(note, [number + 1])
        await ask("ROLLBACK")
        await ask("BEGIN")
        await ask(note, [number])
        assert.strictEqual(await failureOf(ask(note, [number])), "23505")
        await ask("ROLLBACK")
        await ask("BEGIN")
        await ask(note, [number])
        await ask("COMMIT")
      }
      assert.deepStrictEqual((await ask(all, [0])).rows, [{ numbers: "1,3" }])
    })
  )

  it.effect("send nothing for a transaction without statements", () =>
    inSession(async (ask) => {
      await ask("BEGIN")
      await ask("COMMIT")
      await ask("BEGIN")
      await ask("ROLLBACK")
      // A lock of a table is an error outside a transaction.
      assert.strictEqual(await failureOf(ask("lock table noted")), "25P01")
    })
  )

  it.effect("take a last statement with the commit, the first time in a session and later", () =>
    inSession(async (ask) => {
      for (const number of [1, 3]) {
        await ask("BEGIN")
        await ask(note, [number])
        await ask(noteLast, [number + 1])
        await ask("COMMIT")
      }
      await ask("BEGIN")
      await ask(noteLast, [5])
      await ask("COMMIT")
      await ask("BEGIN")
      await ask(note, [6])
      await ask(noteLast, [7])
      await ask("ROLLBACK")
      assert.deepStrictEqual((await ask(all, [0])).rows, [{ numbers: "1,2,3,4,5" }])
    })
  )

  it.effect("undo everything where the last statement fails, and say why", () =>
    inSession(async (ask) => {
      await ask(note, [1])
      for (const number of [2, 2]) {
        await ask("BEGIN")
        await ask(note, [number])
        await ask(noteLast, [1])
        assert.strictEqual(await failureOf(ask("COMMIT")), "23505")
      }
      await ask("BEGIN")
      assert.strictEqual(await failureOf(ask(noteLast, [1])), "23505")
      await ask("ROLLBACK")
      // The session is in no transaction.
      assert.strictEqual(await failureOf(ask("lock table noted")), "25P01")
      assert.deepStrictEqual((await ask(all, [0])).rows, [{ numbers: "1" }])
    })
  )

  it.effect("say why a statement after the last one failed", () =>
    inSession(async (ask) => {
      await ask(note, [1])
      await ask("BEGIN")
      await ask(all, [0])
      await ask(noteLast, [1])
      assert.strictEqual(await failureOf(ask(all, [0])), "23505")
      await ask("ROLLBACK")
      await ask("BEGIN")
      await ask(note, [2])
      await ask("COMMIT")
      assert.deepStrictEqual((await ask(all, [0])).rows, [{ numbers: "1,2" }])
    })
  )

  it.effect("take a first statement with the next one, the first times in a session and later", () =>
    inSession(async (ask) => {
      for (const number of [1, 4, 7, 10]) {
        await ask("BEGIN")
        await ask(noteFirst, [number])
        assert.deepStrictEqual((await ask(`${note} returning number as second`, [number + 1])).rows, [
          { second: number + 1 }
        ])
        await ask(noteLast, [number + 2])
        await ask("COMMIT")
      }
      // A first statement may be followed by one without parameters, by a last one, or by the end.
      await ask("BEGIN")
      await ask(noteFirst, [13])
      assert.deepStrictEqual((await ask("select max(number) as number from noted")).rows, [{ number: 13 }])
      await ask("COMMIT")
      await ask("BEGIN")
      await ask(noteFirst, [14])
      await ask(noteLast, [15])
      await ask("COMMIT")
      await ask("BEGIN")
      await ask(noteFirst, [16])
      await ask("COMMIT")
      await ask("BEGIN")
      await ask(noteFirst, [17])
      await ask("ROLLBACK")
      assert.deepStrictEqual((await ask(all, [0])).rows, [{ numbers: "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16" }])
    })
  )

  it.effect("skip the next statement where the first one fails, which says why", () =>
    inSession(async (ask) => {
      await ask(note, [1])
      const second = `${note} returning number as second`
      for (const number of [2, 3, 4, 5]) {
        await ask("BEGIN")
        // Until the session has prepared it, it is sent alone.
        const failure = (await failureOf(ask(noteFirst, [1]))) ?? (await failureOf(ask(second, [number])))
        assert.strictEqual(failure, "23505")
        await ask("ROLLBACK")
        await ask("BEGIN")
        await ask(noteFirst, [10 * number])
        await ask("COMMIT")
      }
      for (const follower of ["select count(*) from noted", "COMMIT"]) {
        await ask("BEGIN")
        await ask(noteFirst, [1])
        assert.strictEqual(await failureOf(ask(follower)), "23505")
        await ask("ROLLBACK")
      }
      // A statement that was skipped is prepared when it runs at last.
      await ask("BEGIN")
      await ask(noteFirst, [6])
      assert.deepStrictEqual((await ask(second, [7])).rows, [{ second: 7 }])
      await ask("COMMIT")
      assert.deepStrictEqual((await ask(all, [0])).rows, [{ numbers: "1,6,7,20,30,40,50" }])
    })
  )
})
