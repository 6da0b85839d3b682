import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import {
  type ErasureRecord,
  ErasureRecords,
  type RepeatedErasures
} from "../../Services/Leads/Erasure/ErasureRecords.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { missingAt } from "./ErasureLedger.ts"

/** How many ids are skipped. It must exceed the number of ids assigned between a backup and its restore. */
const skippedIds = 1_000_000

export interface SettledRestore extends RepeatedErasures {
  /** The number of accounts whose outreach was active and is now paused. */
  readonly paused: number
}

/**
 * Makes a restored database safe to use. Ids from after the backup are skipped, because callers and the erasure list
 * still contain them. Erasures since the backup are repeated. Outreach is paused, because messages sent since the
 * backup would be sent again.
 */
export const settleRestore = (
  recorded: ReadonlyArray<ErasureRecord>,
  stateAt: Timestamp,
  pausesOutreach: boolean
): Effect.Effect<SettledRestore, never, SqlClient | ErasureRecords | Accounts> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`
      select setval(format('%I.%I', schemaname, sequencename)::regclass, last_value + ${skippedIds})
      from pg_sequences
      where schemaname = 'public' and last_value is not null and data_type = 'bigint'::regtype
        and last_value < max_value - ${skippedIds}`.pipe(fromSql())
    const repeated = yield* (yield* ErasureRecords).repeat(missingAt(recorded, stateAt))
    const paused = pausesOutreach ? yield* (yield* Accounts).pauseAll : 0
    return { ...repeated, paused }
  }).pipe(Effect.orDie)
