import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Context, type Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"

/** What a room does before files are removed, in the same transaction: its rows refer to them no more. */
export type FileReferences = (
  sql: SqlClient,
  accountId: AccountId,
  ids: ReadonlyArray<CustomerFileId>
) => Effect.Effect<unknown, SqlError>

/** Of all rooms, in their order. */
export class FileReferencesOfRooms extends Context.Tag("FileReferencesOfRooms")<
  FileReferencesOfRooms,
  ReadonlyArray<FileReferences>
>() {}
