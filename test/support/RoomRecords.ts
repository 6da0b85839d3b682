import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Effect } from "effect"
import type { AccountId } from "../../src/Services/Accounts/Ids.ts"

/** The id of a record: a whole number, or a text together with another of its form that no record has. */
export type RecordId = number | { readonly text: string; readonly unused: string }

/** Ids of records by the tool parameter that takes them. */
export type RecordIds = Readonly<Record<string, RecordId>>

/**
 * One record of each kind that a room has, made in an account. Each room with tools exports its own as `records` of
 * `test/<Room>/records.ts`, for the tests that go over all tools.
 */
export interface RoomRecords {
  /** Parameters whose records, of other rooms, have to be there before. */
  readonly needs?: ReadonlyArray<string>
  readonly make: (
    accountId: AccountId,
    /** The id of a record of a parameter in `needs`. */
    idOf: (parameter: string) => number
  ) => Effect.Effect<RecordIds, SqlError, SqlClient>
}

/** The `id` column of the one row that an insert returned. */
export const returnedId = (rows: ReadonlyArray<{ readonly id: number }>): number => {
  const [row] = rows
  if (row === undefined) throw new Error("The insert returned no row.")
  return row.id
}
