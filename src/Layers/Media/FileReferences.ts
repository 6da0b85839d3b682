import { Effect } from "effect"
import type { FileReferences } from "../Platform/FileReferences.ts"

/** Generated media stay in the lists, without their files. */
export const mediaFileReferences: FileReferences = (sql, accountId, ids) =>
  Effect.zipRight(
    sql`
      update media_generation set customer_file_id = null
      where account_id = ${accountId} and customer_file_id = any(${ids}::bigint[])`,
    sql`
      update media_generation set vector_file_id = null
      where account_id = ${accountId} and vector_file_id = any(${ids}::bigint[])`
  )
