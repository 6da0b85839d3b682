import type { SqlClient } from "@effect/sql/SqlClient"
import { Chunk, Effect, Option, Stream } from "effect"
import type { NotFound, Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import type { CustomerFiles } from "../../Services/Files/CustomerFiles.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import { tarEnd, tarEntry } from "../../Services/Files/TarArchive.ts"
import { type AccountTable, accountTables, type KeyColumn, keysOfTables } from "../Platform/Postgres/AccountTables.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/**
 * Tables that the archive leaves out: secrets, tokens, and internal data of the gateway. Simulated services contain no
 * data of the account.
 */
const leftOut = new Set([
  "access_token",
  "account_lock",
  "account_seal",
  "client_question",
  "connection",
  "connection_bucket",
  "crm_webhook_removal",
  "keyed_write",
  "mail_access",
  "mail_mailbox",
  "oauth_code",
  "oauth_refresh",
  "oauth_state",
  "site_session",
  "site_sign_in"
])

const isExported = ({ name }: AccountTable): boolean => !leftOut.has(name) && !name.startsWith("sandbox_")

/** Columns with keys that give access to something. They are left out of every table. */
const secretColumns = ["download_key", "editor_key", "tombstone_key", "mail_key", "recharge_key", "secret", "token"]

const rowsPerPage = 1000

export interface ArchiveServices {
  readonly sql: SqlClient
  readonly unit: UnitOfWork["Type"]
  readonly files: CustomerFiles["Type"]
  /** Returns a page of leads as CSV after a lead's id, with the id of its last lead. None at the end. */
  readonly leadsAfter: (
    accountId: AccountId,
    leadId: number
  ) => Effect.Effect<Option.Option<{ readonly csv: string; readonly last: number }>, Transient>
}

interface PagePosition {
  readonly after: ReadonlyArray<string> | undefined
  readonly part: number
}

interface LeadPosition {
  readonly after: number
  readonly part: number
}

interface PageRow {
  readonly record: unknown
  readonly key: ReadonlyArray<string>
}

const partName = (part: number): string => `${part}`.padStart(6, "0")

/** Returns an archive entry whose content is in memory. */
const entryOf = (path: string, content: string, seconds: number): Chunk.Chunk<Uint8Array> => {
  const bytes = new TextEncoder().encode(content)
  const { after, before } = tarEntry(path, bytes.length, seconds)
  return Chunk.make(before, bytes, after)
}

const makePages = ({ sql, unit }: ArchiveServices) => {
  /** The rows after the row with this key, in the order of the primary key. */
  const page = (
    accountId: AccountId,
    table: AccountTable,
    keys: ReadonlyArray<KeyColumn>,
    after: ReadonlyArray<string> | undefined
  ) => {
    const columns = keys.map(({ name }) => sql`t.${sql(name)}`)
    const beyond =
      after === undefined
        ? sql`true`
        : sql`(${sql.csv(columns)}) > (${sql.csv(
            keys.map(({ type }, index) => sql`${after[index] ?? ""}::text::${sql.literal(type)}`)
          )})`
    return unit.read(
      sql<PageRow>`
        select to_jsonb(t) - ${[...table.bytes, ...secretColumns]}::text[] as record,
          to_jsonb(array[${sql.csv(columns.map((column) => sql`${column}::text`))}]) as key
        from ${sql(table.name)} t where t.account_id = ${accountId} and ${beyond}
        order by ${sql.csv(columns)} limit ${rowsPerPage}`.pipe(fromSql())
    )
  }
  return page
}

/** The bytes of the archive, page by page. `onTable` is called after each table. */
export const archiveOf = (
  services: ArchiveServices,
  accountId: AccountId,
  seconds: number,
  onTable: (done: number, all: number) => Effect.Effect<void, Transient>
): Stream.Stream<Uint8Array, Transient | NotFound, Caller> => {
  const { files, leadsAfter, sql, unit } = services
  const page = makePages(services)

  const recordsOf = (table: AccountTable, keys: ReadonlyArray<KeyColumn>): Stream.Stream<Uint8Array, Transient> =>
    Stream.paginateChunkEffect<PagePosition, Uint8Array, Transient, never>(
      { after: undefined, part: 1 },
      ({ after, part }) =>
        Effect.map(page(accountId, table, keys, after), (rows) => {
          const last = rows.length < rowsPerPage ? undefined : rows.at(-1)
          const content = rows.map(({ record }) => `${JSON.stringify(record)}\n`).join("")
          return [
            rows.length === 0
              ? Chunk.empty<Uint8Array>()
              : entryOf(`records/${table.name}/${partName(part)}.jsonl`, content, seconds),
            last === undefined ? Option.none() : Option.some({ after: last.key, part: part + 1 })
          ]
        })
    )

  const leads = Stream.paginateChunkEffect<LeadPosition, Uint8Array, Transient, never>(
    { after: 0, part: 1 },
    ({ after, part }) =>
      Effect.map(leadsAfter(accountId, after), (page) =>
        Option.isNone(page)
          ? [Chunk.empty(), Option.none()]
          : [
              entryOf(`leads/${partName(part)}.csv`, page.value.csv, seconds),
              Option.some({ after: page.value.last, part: part + 1 })
            ]
      )
  )

  const fileOf = ({ id, size }: { readonly id: CustomerFileId; readonly size: number }) => {
    const { after, before } = tarEntry(`files/${id}`, size, seconds)
    return Stream.concat(Stream.concat(Stream.make(before), files.read(id)), Stream.make(after))
  }

  return Stream.unwrap(
    Effect.gen(function* () {
      const tables = (yield* unit.read(accountTables(sql).pipe(fromSql()))).filter(isExported)
      const keys = yield* unit.read(keysOfTables(sql).pipe(fromSql()))
      const stored = yield* unit.read(
        sql<{ readonly id: CustomerFileId; readonly size: number }>`
          select customer_file_id as id, size_bytes as size from customer_file f
          where f.account_id = ${accountId} and f.completed_at is not null and not exists (
            select from account_export e where e.account_id = f.account_id and e.customer_file_id = f.customer_file_id)
          order by customer_file_id`.pipe(fromSql())
      )
      const manifest = { account_id: accountId, format: 1, tables: tables.map(({ name }) => name) }
      const records = Stream.flatMap(Stream.fromIterable(tables.entries()), ([index, table]) =>
        Stream.concat(
          recordsOf(
            table,
            keys.filter(({ table: of }) => of === table.name)
          ),
          Stream.execute(onTable(index + 1, tables.length))
        )
      )
      return Stream.fromChunk(entryOf("manifest.json", `${JSON.stringify(manifest)}\n`, seconds)).pipe(
        Stream.concat(leads),
        Stream.concat(records),
        Stream.concat(Stream.flatMap(Stream.fromIterable(stored), fileOf)),
        Stream.concat(Stream.make(tarEnd))
      )
    })
  )
}
