import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import { FileReferencesOfRooms } from "../Platform/FileReferences.ts"

/** The download address of a file. It needs no token. */
export const downloadUrl = (baseUrl: string, key: string, fileName: string): string =>
  `${baseUrl}/files/${key}/${encodeURIComponent(fileName)}`

/** Reads how many bytes the account stores: its complete files, and the pictures of its sites. */
export const storedBytes = (sql: SqlClient, accountId: AccountId) =>
  Effect.map(
    sql<{ readonly used: number }>`
      select (select coalesce(sum(size_bytes), 0) from customer_file where account_id = ${accountId})
        + (select coalesce(sum(size_bytes), 0) from website_picture where account_id = ${accountId}) as used`,
    ([row]) => Number(row?.used ?? 0)
  )

const textual = "^text/|json|xml|csv|javascript"
/** A match may begin in one chunk and end in the next. */
const overlapBytes = 256

/** Text files with matching bytes, and the number of other files, which were not searched. */
export const filesNaming = (sql: SqlClient, accountId: AccountId, pattern: string) =>
  Effect.all({
    files: sql<{ readonly id: CustomerFileId }>`
      select distinct f.customer_file_id as id
      from customer_file f join customer_file_chunk c
          on c.account_id = f.account_id and c.customer_file_id = f.customer_file_id
        left join customer_file_chunk n on n.account_id = c.account_id
          and n.customer_file_id = c.customer_file_id and n.sequence = c.sequence + 1
      where f.account_id = ${accountId} and f.media_type ~ ${textual}
        and encode(c.bytes || coalesce(substring(n.bytes for ${overlapBytes}), ''), 'escape') ~* ${pattern}
      order by 1`,
    others: sql<{ readonly count: number }>`
      select count(*) as count from customer_file where account_id = ${accountId} and media_type !~ ${textual}`
  }).pipe(
    Effect.map(({ files, others }) => ({ ids: files.map(({ id }) => id), otherFiles: Number(others[0]?.count ?? 0) }))
  )

/**
 * Makes the function that permanently removes files, and the references of leads, exports and messages to them. It must
 * run in a transaction.
 */
export const makeRemoveFiles = Effect.gen(function* () {
  const sql = yield* SqlClient
  const references = yield* FileReferencesOfRooms
  return Effect.fnUntraced(function* (accountId: AccountId, ids: ReadonlyArray<CustomerFileId>) {
    if (ids.length === 0) return
    for (const drop of references) yield* drop(sql, accountId, ids)
    yield* sql`delete from customer_file where account_id = ${accountId} and customer_file_id = any(${ids}::bigint[])`
  })
})
