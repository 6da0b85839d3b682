import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Exit, identity, Layer, Option, Schedule, Schema, Stream } from "effect"
import { type NotFound, notFound, type Refused, refused, type Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import {
  CustomerFiles,
  CustomerFileView,
  fileTooLarge,
  type NewCustomerFile
} from "../../Services/Files/CustomerFiles.ts"
import { cleanFileName } from "../../Services/Files/FileName.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import { sniffMediaType } from "../../Services/Files/MediaType.ts"
import { makeAccountSeal } from "../Platform/Postgres/AccountSeal.ts"
import { inChunksOf } from "../Platform/Postgres/ByteChunks.ts"
import { selectedColumns } from "../Platform/Postgres/ColumnChanges.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { Settings } from "../Platform/Settings.ts"
import { downloadUrl, makeRemoveFiles, storedBytes } from "./Sql.ts"

/** Bytes per chunk. The last chunk may be shorter. */
export const chunkSize = 256 * 1024

const storageFull = (maximumBytes: number) =>
  refused(
    "storage_full",
    `The account's files are larger together than the ${maximumBytes} bytes that it may keep.`,
    "Delete files that are not needed with remove_customer_file, and repeat the call.",
    { maximum_bytes: maximumBytes }
  )

const unusableName = refused(
  "file_name_unusable",
  "file_name has no character that a name can have.",
  "Send a plain file name with an extension, for example contacts.csv."
)
const fileEmpty = refused("file_empty", "The file is empty.", "Send at least one byte of content.")
const fileInUse = (id: CustomerFileId) =>
  refused(
    "file_in_use",
    "An import that has not finished still reads the file.",
    "Wait until the import has finished, or cancel it, and repeat the call.",
    { customer_file_id: id }
  )

const fileMissing = (id: CustomerFileId) => notFound("customer file", "customer_file_id", id)

const FileRow = Schema.Struct({ ...CustomerFileView.omit("download_url").fields, download_key: Schema.String })
type FileRow = typeof FileRow.Type

const keyShape = /^[A-Za-z0-9_-]{43}$/

const fileColumns = selectedColumns(FileRow, undefined, { sha256: "encode(sha256, 'hex')" })

const fileView = (baseUrl: string, { created_at, download_key, ...row }: FileRow): CustomerFileView => ({
  ...row,
  download_url: downloadUrl(baseUrl, download_key, row.file_name),
  created_at
})

/** Stores a file in chunks. It becomes visible when it is complete. */
const makeWrite = Effect.gen(function* () {
  const sql = yield* SqlClient
  const seal = yield* makeAccountSeal
  const { accountStorageLimit, baseUrl } = yield* Settings
  const columns = sql.literal(fileColumns)

  /** Counts complete files only, so concurrent writes may exceed the limit by their own size. */
  const spaceLeft = (accountId: AccountId) =>
    storedBytes(sql, accountId).pipe(
      fromSql(),
      Effect.map((used) => accountStorageLimit - used)
    )

  const begin = (accountId: AccountId, fileName: string, isOwnMedia: boolean) =>
    Effect.flatMap(seal.addressKey(accountId), (key) =>
      sql<{ readonly customer_file_id: CustomerFileId }>`
        insert into customer_file (account_id, file_name, download_key, is_own_media)
        values (${accountId}, ${fileName}, ${key}, ${isOwnMedia})
        returning customer_file_id`.pipe(
        Effect.map((rows) => single(rows).customer_file_id),
        fromSql()
      )
    )

  const discard = (accountId: AccountId, id: CustomerFileId) =>
    sql`delete from customer_file where account_id = ${accountId} and customer_file_id = ${id}`.pipe(Effect.ignore)

  const fill = <E, R>(
    accountId: AccountId,
    id: CustomerFileId,
    fileName: string,
    file: NewCustomerFile<E, R>,
    available: number
  ) =>
    Effect.gen(function* () {
      const { maximumBytes = Number.MAX_SAFE_INTEGER } = file
      const digest = createHash("sha256")
      let size = 0
      let sequence = 0
      let mediaType = file.mediaType
      yield* Stream.runForEach(
        inChunksOf(file.bytes, chunkSize),
        (chunk): Effect.Effect<unknown, Refused | Transient> => {
          size += chunk.length
          if (size > maximumBytes) return Effect.fail(fileTooLarge(maximumBytes))
          if (size > available) return Effect.fail(storageFull(accountStorageLimit))
          digest.update(chunk)
          mediaType ??= sniffMediaType(chunk, fileName)
          return sql`
          insert into customer_file_chunk (account_id, customer_file_id, sequence, bytes)
          values (${accountId}, ${id}, ${sequence++}, ${chunk})`.pipe(fromSql())
        }
      )
      if (mediaType === undefined || size === 0) return yield* fileEmpty
      const rows = yield* sql<FileRow>`
        update customer_file
        set size_bytes = ${size}, sha256 = ${digest.digest()}, media_type = ${mediaType}, completed_at = instant()
        where account_id = ${accountId} and customer_file_id = ${id}
        returning ${columns}`.pipe(fromSql())
      return fileView(baseUrl, single(rows))
    })

  return <E, R>(file: NewCustomerFile<E, R>) =>
    Effect.gen(function* () {
      const { accountId } = yield* Caller
      const fileName = yield* Effect.mapError(cleanFileName(file.fileName), () => unusableName)
      const available = yield* spaceLeft(accountId)
      if (available <= 0) return yield* storageFull(accountStorageLimit)
      return yield* Effect.acquireUseRelease(
        begin(accountId, fileName, file.isOwnMedia === true),
        (id) => fill(accountId, id, fileName, file, available),
        (id, exit) => (Exit.isSuccess(exit) ? Effect.void : discard(accountId, id))
      )
    }).pipe(Effect.withSpan("CustomerFiles.write", { captureStackTrace: false }))
})

const makeBytesOf = (sql: SqlClient) => {
  const chunkAt = (accountId: AccountId, id: CustomerFileId, sequence: number) =>
    sql<{ readonly bytes: Buffer }>`
      select bytes from customer_file_chunk
      where account_id = ${accountId} and customer_file_id = ${id} and sequence = ${sequence}`.pipe(
      fromSql(),
      Effect.flatMap((rows) => (rows[0] === undefined ? Effect.fail(fileMissing(id)) : Effect.succeed(rows[0].bytes)))
    )

  /** Each chunk is read by a separate statement, so that no transaction stays open while the reader works. */
  return (
    accountId: AccountId,
    file: Pick<FileRow, "customer_file_id" | "size_bytes">,
    run: <A, E>(statement: Effect.Effect<A, E>) => Effect.Effect<A, E | Transient>,
    part = { first: 0, last: file.size_bytes - 1 }
  ) =>
    Stream.unfoldEffect(Math.floor(part.first / chunkSize), (sequence) =>
      sequence * chunkSize > part.last
        ? Effect.succeedNone
        : Effect.map(run(chunkAt(accountId, file.customer_file_id, sequence)), (bytes) => {
            const start = sequence * chunkSize
            const requested = bytes.subarray(Math.max(0, part.first - start), part.last + 1 - start)
            return Option.some([requested, sequence + 1] as const)
          })
    )
}

/** Makes the function that replaces a file's content. */
const makeReplace = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountStorageLimit, baseUrl } = yield* Settings
  const columns = sql.literal(fileColumns)
  return Effect.fn("CustomerFiles.replace")(function* (id: CustomerFileId, bytes: Uint8Array) {
    const { accountId } = yield* Caller
    if (bytes.length === 0) return yield* fileEmpty
    const present = yield* sql<{ readonly size_bytes: number }>`
      select size_bytes::float8 as size_bytes from customer_file
      where account_id = ${accountId} and customer_file_id = ${id} and completed_at is not null for update`.pipe(
      fromSql()
    )
    if (present[0] === undefined) return yield* fileMissing(id)
    const used = yield* storedBytes(sql, accountId).pipe(fromSql())
    if (used - present[0].size_bytes + bytes.length > accountStorageLimit)
      return yield* storageFull(accountStorageLimit)
    yield* sql`
      delete from customer_file_chunk where account_id = ${accountId} and customer_file_id = ${id}`.pipe(fromSql())
    for (let first = 0; first < bytes.length; first += chunkSize) {
      yield* sql`
        insert into customer_file_chunk (account_id, customer_file_id, sequence, bytes)
        values (${accountId}, ${id}, ${first / chunkSize}, ${bytes.subarray(first, first + chunkSize)})`.pipe(fromSql())
    }
    const rows = yield* sql<FileRow>`
      update customer_file set size_bytes = ${bytes.length}, sha256 = ${createHash("sha256").update(bytes).digest()}
      where account_id = ${accountId} and customer_file_id = ${id}
      returning ${columns}`.pipe(fromSql())
    return fileView(baseUrl, single(rows))
  })
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const replace = yield* makeReplace
  const removeFiles = yield* makeRemoveFiles
  const unit = yield* UnitOfWork
  const { baseUrl } = yield* Settings
  const seal = yield* makeAccountSeal

  const write = yield* makeWrite
  const bytesOf = makeBytesOf(sql)
  const columns = sql.literal(fileColumns)
  const viewOf = (row: FileRow) => fileView(baseUrl, row)

  /** The only file that the statement selected. */
  const singleFile = (id: CustomerFileId, rows: ReadonlyArray<FileRow>): Effect.Effect<CustomerFileView, NotFound> =>
    rows[0] === undefined ? Effect.fail(fileMissing(id)) : Effect.succeed(viewOf(rows[0]))

  const get = (id: CustomerFileId): Effect.Effect<CustomerFileView, NotFound | Transient, Caller> =>
    Effect.flatMap(Caller, ({ accountId }) =>
      sql<FileRow>`
        select ${columns} from customer_file
        where account_id = ${accountId} and customer_file_id = ${id} and completed_at is not null`.pipe(
        fromSql(),
        Effect.flatMap((rows) => singleFile(id, rows))
      )
    )

  // Deletes incomplete files of gateways that stopped while writing.
  const sweep = unit
    .acrossAccounts(sql`
    delete from customer_file where completed_at is null and created_at < instant() - interval '1 day'
      and uses_test_clock(account_id)`)
    .pipe(Effect.ignore)
  yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced("1 hour")))

  return CustomerFiles.of({
    write,
    replace,

    list: Effect.fn("CustomerFiles.list")(function* ({ page, pageSize }) {
      const { accountId } = yield* Caller
      const rows = yield* sql<FileRow>`
        select ${columns} from customer_file where account_id = ${accountId} and completed_at is not null
        order by customer_file_id desc limit ${pageSize} offset ${page * pageSize}`
      const totals = yield* sql<{ readonly total: number }>`
        select count(*) as total from customer_file where account_id = ${accountId} and completed_at is not null`
      return { files: rows.map(viewOf), total: single(totals).total }
    }, fromSql()),

    get: Effect.fn("CustomerFiles.get")(get),

    hold: Effect.fn("CustomerFiles.hold")(function* (id) {
      const { accountId } = yield* Caller
      const rows = yield* sql<FileRow>`
        select ${columns} from customer_file
        where account_id = ${accountId} and customer_file_id = ${id} and completed_at is not null
        for key share`.pipe(fromSql())
      return yield* singleFile(id, rows)
    }),

    read: (id) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const { accountId } = yield* Caller
          return bytesOf(accountId, yield* get(id), identity)
        })
      ),

    remove: Effect.fn("CustomerFiles.remove")(function* (id) {
      const { accountId } = yield* Caller
      const rows = yield* sql<FileRow>`
        select ${columns} from customer_file
        where account_id = ${accountId} and customer_file_id = ${id} and completed_at is not null
        for update`.pipe(fromSql())
      const file = yield* singleFile(id, rows)
      // A separate statement after the lock sees imports of the transaction that held the file before.
      const imports = yield* sql`
        select from lead_import i join background_job j using (account_id, job_id)
        where i.account_id = ${accountId} and i.customer_file_id = ${id} and j.status in ('queued', 'running')
        limit 1`.pipe(fromSql())
      if (imports.length > 0) return yield* fileInUse(id)
      yield* removeFiles(accountId, [id]).pipe(fromSql())
      return file
    }),

    findByDownloadKey: Effect.fn("CustomerFiles.findByDownloadKey")(function* (key) {
      if (!keyShape.test(key)) return Option.none()
      const owner = yield* unit.read(seal.accountOfAddressKey(key))
      if (Option.isNone(owner)) return Option.none()
      const rows = yield* unit.read(
        sql<FileRow & { readonly is_own_media: boolean }>`
          select ${columns}, is_own_media from customer_file
          where account_id = ${owner.value} and download_key = ${key} and completed_at is not null`.pipe(fromSql())
      )
      return Option.map(Option.fromNullable(rows[0]), ({ is_own_media, ...row }) => ({
        accountId: owner.value,
        file: viewOf(row),
        isOwnMedia: is_own_media,
        bytes: bytesOf(owner.value, row, unit.read),
        part: (first: number, last: number) => bytesOf(owner.value, row, unit.read, { first, last })
      }))
    })
  })
})

export const CustomerFilesPostgres = Layer.scoped(CustomerFiles, make)
