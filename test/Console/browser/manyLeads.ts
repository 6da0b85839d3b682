import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { makeTokenHolder } from "../../support/servers/TestServer.ts"

/** Below this, filling the indexes row by row is quicker than making them again. */
const fewLeads = 10_000

/**
 * An account with numbered leads, `Baker 0` and so on, which are written to the database directly. Many are written without
 * their triggers and indexes, whose work is done once afterwards.
 */
export const accountWithManyLeads = (count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const holder = yield* makeTokenHolder()
    const { accountId } = holder.caller
    const fill = sql`
      insert into lead (account_id, name, email, company, status, pipeline_state, next_touch_at, created_at)
      select ${accountId}, 'Baker ' || i, 'baker' || i || '@bakery.example', 'Bakery ' || i % 5000,
        case when i % 10 = 3 then 'Interested' else 'Cold' end, 'in_pipeline',
        instant() + interval '30 days', instant() - make_interval(secs => i)
      from generate_series(0, ${count - 1}::int) i`
    if (count <= fewLeads) yield* fill
    else {
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`set local statement_timeout = 0`
          yield* sql`set local maintenance_work_mem = '512MB'`
          yield* sql`set local session_replication_role = replica`
          yield* sql`
            update pg_index set indisready = false where indrelid = 'lead'::regclass and not indisunique`
          yield* fill
          yield* sql`reindex table lead`
          yield* sql`select recount_leads(${accountId})`
        })
      )
    }
    yield* sql`analyze lead`
    return holder
  })
