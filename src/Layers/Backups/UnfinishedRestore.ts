import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { backupError } from "../../Services/Backups/BackupError.ts"
import { single } from "../Platform/Postgres/Sql.ts"

/** A schema that exists while a dump is being restored into the database. */
export const markerSchema = "gateway_restore"

export const unfinishedRestore = backupError(
  "in_use",
  "A restore into this database has not finished. If it was interrupted, drop the database, create it again and repeat the restore."
)

/** Refuses to start a gateway on a restored database in which erasures are not repeated yet. */
export const refuseUnfinishedRestore = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly isRestoring: boolean }>`
    select to_regnamespace(${markerSchema}) is not null as "isRestoring"`
  if (single(rows).isRestoring) return yield* unfinishedRestore
})
