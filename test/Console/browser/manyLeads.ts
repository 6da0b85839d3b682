import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { makeTokenHolder } from "../../support/TestServer.ts"

/** A statement ends after half a minute. */
const rowsPerStatement = 50_000

/** An account with numbered leads, `Baker 0` and so on, which are written to the database directly. */
export const accountWithManyLeads = (count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const holder = yield* makeTokenHolder()
    const { accountId } = holder.caller
    for (let from = 0; from < count; from += rowsPerStatement) {
      yield* sql`
        insert into lead (account_id, name, email, company, status, pipeline_state, next_touch_at, created_at)
        select ${accountId}, 'Baker ' || i, 'baker' || i || '@bakery.example', 'Bakery ' || i % 5000,
          case when i % 10 = 3 then 'Interested' else 'Cold' end, 'in_pipeline',
          instant() + interval '30 days', instant() - make_interval(secs => i)
        from generate_series(${from}::int, ${Math.min(from + rowsPerStatement, count) - 1}::int) i`
    }
    yield* sql`analyze lead`
    return holder
  })
