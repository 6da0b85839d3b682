import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Context, type Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"

/** Removes a room's references to files, in the transaction that removes the files. */
export type FileReferences = (
  sql: SqlClient,
  accountId: AccountId,
  ids: ReadonlyArray<CustomerFileId>
) => Effect.Effect<unknown, SqlError>

/** The functions of all rooms that have references to files, in the order of the rooms. */
export class FileReferencesOfRooms extends Context.Tag("FileReferencesOfRooms")<
  FileReferencesOfRooms,
  ReadonlyArray<FileReferences>
>() {}
