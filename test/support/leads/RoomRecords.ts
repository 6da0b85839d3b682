import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Effect } from "effect"
import type { AccountId } from "../../../src/Services/Accounts/Ids.ts"
import type { LeadId } from "../../../src/Services/Leads/Ids.ts"

/** The id of a record: an integer, or a text together with another one of the same form that no record has. */
export type RecordId = number | { readonly text: string; readonly unused: string }

/** Ids of records, by the tool parameter that takes them. */
export type RecordIds = Readonly<Record<string, RecordId>>

/** What the tests of all rooms need from each. `test/<Room>/records.ts` exports it as `records`. */
export interface RoomRecords {
  /** Parameters whose records, of other rooms, must exist first. */
  readonly needs?: ReadonlyArray<string>
  /** Makes one record of each kind whose id a tool takes. */
  readonly make?: (
    accountId: AccountId,
    /** The id of a record for a parameter in `needs`. */
    idOf: (parameter: string) => number
  ) => Effect.Effect<RecordIds, SqlError, SqlClient>
  /**
   * Makes a row of the lead in each table that has such rows. The test of erasure fills all their columns with a
   * person's words, so they can be empty.
   */
  readonly makeRowsOfLead?: (accountId: AccountId, leadId: LeadId) => Effect.Effect<unknown, SqlError, SqlClient>
  /** Text columns that no lead can write into, as `table.column`, or `table.*` for all. */
  readonly neverOfLead?: ReadonlyArray<string>
}

/** The `id` column of the one row that an insert returned. */
export const returnedId = (rows: ReadonlyArray<{ readonly id: number }>): number => {
  const [row] = rows
  if (row === undefined) throw new Error("The insert returned no row.")
  return row.id
}
