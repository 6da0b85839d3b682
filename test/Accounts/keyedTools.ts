import { SqlClient } from "@effect/sql/SqlClient"
import { Deferred, Effect, Schema } from "effect"
import { databaseUnavailableReason, notFound, permanent, refused, transient } from "../../src/Errors.ts"
import { fromSql } from "../../src/Layers/Platform/Postgres/Sql.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import * as Param from "../../src/Tools/Core/Param.ts"
import * as Tool from "../../src/Tools/Core/Tool.ts"

const endings = ["success", "not_found", "refused", "permanent", "transient", "unavailable", "defect"] as const

const Noted = Schema.Struct({ number: Schema.Int, text: Schema.String, secret: Schema.String })

export const secretOfAnswers = "a-secret-that-is-shown-once"

const parameters = {
  number: Param.integer("The number to note."),
  text: Param.withDefault(Param.text("A text to answer."), "plain"),
  ending: Param.withDefault(Param.oneOf(endings, "How the call ends, after it noted the number."), "success"),
  wait: Param.withDefault(Param.integer("Milliseconds until it ends.", { minimum: 0 }), 0)
}

interface Hold {
  readonly callWaits: Deferred.Deferred<void>
  readonly released: Deferred.Deferred<void>
}

const holds = new Map<number, Hold>()

/** Holds the next calls of an account after they noted their number: `callWaits` says that one waits, `release` lets them end. */
export const holdCallsOf = (accountId: number) =>
  Effect.gen(function* () {
    const hold: Hold = { callWaits: yield* Deferred.make<void>(), released: yield* Deferred.make<void>() }
    holds.set(accountId, hold)
    return { callWaits: Deferred.await(hold.callWaits), release: Deferred.succeed(hold.released, undefined) }
  })

const pausing = (accountId: number, wait: number) =>
  Effect.gen(function* () {
    const hold = holds.get(accountId)
    if (hold === undefined) return yield* Effect.sleep(wait)
    yield* Deferred.succeed(hold.callWaits, undefined)
    yield* Deferred.await(hold.released)
  })

/** How often each account's calls began. */
const begunCalls = new Map<number, number>()

export const begunCallsOf = (accountId: number): number => begunCalls.get(accountId) ?? 0

interface Properties {
  readonly transaction?: "unneeded" | "several"
  readonly openWorld?: boolean
}

const noting = (name: string, properties: Properties, requiresPaidPlan = false) =>
  Tool.make(name, {
    kind: "write",
    idempotent: false,
    openWorld: false,
    ...properties,
    requiresPaidPlan,
    description: "Notes a number, and ends as it is asked to.",
    parameters,
    returns: Noted,
    errors: {
      NotFound: ["lead_not_found"],
      Refused: ["name_taken"],
      Permanent: ["file_unreadable"],
      Transient: ["crm_unavailable"]
    },
    example: { number: 1 },
    run: ({ ending, number, text, wait }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        begunCalls.set(accountId, begunCallsOf(accountId) + 1)
        yield* sql`insert into noted (account_id, number) values (${accountId}, ${number})`.pipe(fromSql())
        yield* pausing(accountId, wait)
        switch (ending) {
          case "success":
            return { number, text, secret: secretOfAnswers }
          case "not_found":
            return yield* notFound("lead", "lead_id", number)
          case "refused":
            return yield* refused("name_taken", "The name is taken.", "Take another.", {
              number,
              accepted_values: ["a"]
            })
          case "permanent":
            return yield* permanent("file_unreadable", "The file cannot be read.", "Upload another.")
          case "transient":
            return yield* transient("crm_unavailable", "The CRM does not answer.", 7)
          case "unavailable":
            return yield* transient(databaseUnavailableReason, "The database went away.")
          case "defect":
            return yield* Effect.dieMessage("broken")
        }
      })
  })

/** Tools that note each time they run: in one transaction, in one that only a key needs, and in several. */
export const KeyedTools = Catalog.make([
  Tool.group("Notes", "Tools that note that they ran.", [
    noting("note", {}),
    noting("note_plainly", { transaction: "unneeded" }),
    noting("note_in_steps", { transaction: "several" }),
    noting("note_outside", { openWorld: true }),
    noting("note_paid", {}, true)
  ])
])

/** The table that the tools write. */
export const makeNoted = Effect.flatMap(
  SqlClient,
  (sql) => sql`create table if not exists noted (account_id bigint not null, number int not null)`
)
