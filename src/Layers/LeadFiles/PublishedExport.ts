import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import type { makeRemoveFiles } from "../Files/Sql.ts"
import { erasureLock } from "../Leads/Sql.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

/** Reads how many leads of the account were erased so far. */
export const erasuresOf = (sql: SqlClient, accountId: AccountId) =>
  sql<{ readonly total: number }>`
    select count(*) as total from lead_erasure where account_id = ${accountId}`.pipe(
    Effect.map((rows) => single(rows).total),
    fromSql()
  )

interface PublishingServices {
  readonly sql: SqlClient
  readonly unit: UnitOfWork["Type"]
  readonly removeFiles: Effect.Effect.Success<typeof makeRemoveFiles>
}

interface WrittenExport {
  readonly accountId: AccountId
  readonly fileId: CustomerFileId
  /** `erasuresOf` before the file was begun. */
  readonly erasedBefore: number
}

/**
 * Shows a written export to its account by `show`, and returns whether it did. If a lead was erased since the export
 * began, the file is discarded, because it may contain that person.
 */
export const publishExport = <E, R>(
  { removeFiles, sql, unit }: PublishingServices,
  { accountId, erasedBefore, fileId }: WrittenExport,
  show: Effect.Effect<unknown, E, R>
) =>
  unit.write(
    Effect.gen(function* () {
      yield* erasureLock(sql, accountId, "shared")
      if ((yield* erasuresOf(sql, accountId)) !== erasedBefore) {
        yield* removeFiles(accountId, [fileId]).pipe(fromSql())
        return false
      }
      yield* show
      return true
    })
  )
