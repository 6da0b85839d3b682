import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Effect } from "effect"
import type { AccountId } from "../../../src/Services/Accounts/Ids.ts"
import type { LeadId } from "../../../src/Services/Leads/Ids.ts"

/** The id of a record: a whole number, or a text together with another of its form that no record has. */
export type RecordId = number | { readonly text: string; readonly unused: string }

/** Ids of records by the tool parameter that takes them. */
export type RecordIds = Readonly<Record<string, RecordId>>

/**
 * What the tests that go over all rooms need of one: it is exported as `records` of `test/<Room>/records.ts` and found
 * there.
 */
export interface RoomRecords {
  /** Parameters whose records, of other rooms, have to be there before. */
  readonly needs?: ReadonlyArray<string>
  /** Makes one record of each kind whose id a tool takes. */
  readonly make?: (
    accountId: AccountId,
    /** The id of a record of a parameter in `needs`. */
    idOf: (parameter: string) => number
  ) => Effect.Effect<RecordIds, SqlError, SqlClient>
  /**
   * Makes a row of the lead's own in each table that has such rows. The test of erasure writes a person's words into all
   * their columns, so they need not have any.
   */
  readonly makeRowsOfLead?: (accountId: AccountId, leadId: LeadId) => Effect.Effect<unknown, SqlError, SqlClient>
  /** Columns of texts that no lead can write into, as `table.column` or, where it is none of them, `table.*`. */
  readonly neverOfLead?: ReadonlyArray<string>
}

/** The `id` column of the one row that an insert returned. */
export const returnedId = (rows: ReadonlyArray<{ readonly id: number }>): number => {
  const [row] = rows
  if (row === undefined) throw new Error("The insert returned no row.")
  return row.id
}
