import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option, Stream } from "effect"
import { CustomerFilesPostgres, chunkSize } from "../../src/Layers/Files/CustomerFilesPostgres.ts"
import { Settings } from "../../src/Layers/Platform/Settings.ts"
import type { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { CustomerFiles, type NewCustomerFile } from "../../src/Services/Files/CustomerFiles.ts"
import { CustomerFileId } from "../../src/Services/Files/Ids.ts"
import { isLockAwaited } from "../support/logs/LockWaits.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { TestSettings, testBaseUrl } from "../support/TestSettings.ts"

const TestLayer = CustomerFilesPostgres.pipe(Layer.provideMerge(TestDatabase), Layer.provide(TestSettings))

const write = <E = never, R = never>(file: NewCustomerFile<E, R>) =>
  Effect.flatMap(CustomerFiles, (files) => files.write(file))
const writeText = (fileName: string, text: string) => write({ fileName, bytes: Stream.make(Buffer.from(text, "utf8")) })

const collected = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) =>
  Effect.map(Stream.runCollect(bytes), (chunks) => Buffer.concat([...chunks]))

const storedRows = (accountId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ readonly files: number; readonly chunks: number }>`
      select (select count(*) from customer_file where account_id = ${accountId}) as files,
        (select count(*) from customer_file_chunk where account_id = ${accountId}) as chunks`
    return rows[0]
  })

/** An import of the file whose job has this status. */
const makeImport = (caller: Caller["Type"], id: CustomerFileId, status: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`
      with job as (
        insert into background_job (account_id, kind, status) values (${caller.accountId}, 'lead_import', ${status})
        returning job_id
      )
      insert into lead_import (account_id, job_id, customer_file_id, source_name, lead_status)
      select ${caller.accountId}, job_id, ${id}, 'leads.csv', 'Cold' from job`
  })

/** As many bytes as asked, in parts that fit no chunk. */
const patternBytes = (length: number) =>
  Buffer.from(Array.from({ length }, (_, index) => (index * 7 + (index >> 8)) % 251))

layer(TestLayer, { excludeTestServices: true })("CustomerFiles", (it) => {
  it.effect("a file of several chunks is stored as it came and read back byte for byte", () =>
    Effect.gen(function* () {
      const files = yield* CustomerFiles
      const caller = yield* makeAccount()
      const me = as(caller)
      const content = patternBytes(2 * chunkSize + 1234)
      const parts = Array.from({ length: Math.ceil(content.length / 10_000) }, (_, index) =>
        content.subarray(index * 10_000, (index + 1) * 10_000)
      )
      const view = yield* me(write({ fileName: "data.bin", bytes: Stream.fromIterable(parts) }))
      assert.deepInclude(view, {
        file_name: "data.bin",
        size_bytes: content.length,
        sha256: createHash("sha256").update(content).digest("hex")
      })
      assert.deepStrictEqual(yield* storedRows(caller.accountId), { files: 1, chunks: 3 })
      assert.isTrue((yield* me(collected(files.read(view.customer_file_id)))).equals(content))
      assert.deepStrictEqual(yield* me(files.get(view.customer_file_id)), view)
    })
  )

  it.effect("a file of exactly one chunk has no empty one after it", () =>
    Effect.gen(function* () {
      const files = yield* CustomerFiles
      const caller = yield* makeAccount()
      const content = patternBytes(chunkSize)
      const view = yield* as(caller)(write({ fileName: "data.bin", bytes: Stream.make(content) }))
      assert.deepStrictEqual(yield* storedRows(caller.accountId), { files: 1, chunks: 1 })
      assert.isTrue((yield* as(caller)(collected(files.read(view.customer_file_id)))).equals(content))
    })
  )

  it.effect("the type is told from the content unless it is given, the name is cleaned, the address unguessable", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const told = yield* me(writeText("../r\u202eport é.csv", "%PDF-1.7"))
      assert.deepInclude(told, { file_name: "rport é.csv", media_type: "application/pdf" })
      assert.match(told.download_url, new RegExp(`^${testBaseUrl}/files/[A-Za-z0-9_-]{43}/rport%20%C3%A9\\.csv$`))
      const given = yield* me(write({ fileName: "a", mediaType: "image/png", bytes: Stream.make(Buffer.from("x")) }))
      assert.strictEqual(given.media_type, "image/png")
      assert.notStrictEqual(given.download_url.split("/")[4], told.download_url.split("/")[4])
    })
  )

  it.effect("an empty file, one too large and one without a name are refused and leave nothing", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const empty = yield* Effect.flip(me(write({ fileName: "a.csv", bytes: Stream.empty })))
      assert.deepInclude(empty, { _tag: "Refused", reason: "file_empty" })
      const large = yield* Effect.flip(
        me(
          write({
            fileName: "a.csv",
            maximumBytes: chunkSize,
            bytes: Stream.make(patternBytes(chunkSize), Buffer.from("x"))
          })
        )
      )
      assert.deepInclude(large, { _tag: "Refused", reason: "file_too_large", fields: { maximum_bytes: chunkSize } })
      const nameless = yield* Effect.flip(me(writeText("..", "x")))
      assert.deepInclude(nameless, { _tag: "Refused", reason: "file_name_unusable" })
      assert.deepStrictEqual(yield* storedRows(caller.accountId), { files: 0, chunks: 0 })
    })
  )

  it.effect("bytes that fail half-way fail the file with their own error, and leave nothing", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const bytes = Stream.concat(Stream.make(patternBytes(chunkSize + 1)), Stream.fail("broken" as const))
      assert.strictEqual(yield* Effect.flip(as(caller)(write({ fileName: "a.csv", bytes }))), "broken")
      assert.deepStrictEqual(yield* storedRows(caller.accountId), { files: 0, chunks: 0 })
    })
  )

  it.effect("a file that is being written is not seen, and an interruption leaves nothing of it", () =>
    Effect.gen(function* () {
      const files = yield* CustomerFiles
      const caller = yield* makeAccount()
      const me = as(caller)
      const isStored = yield* Deferred.make<void>()
      const bytes = Stream.concat(
        Stream.make(patternBytes(chunkSize)),
        Stream.drain(Stream.fromEffect(Effect.zipRight(Deferred.succeed(isStored, undefined), Effect.never)))
      )
      const fiber = yield* Effect.fork(me(write({ fileName: "slow.csv", bytes })))
      yield* Deferred.await(isStored)
      assert.deepStrictEqual(yield* storedRows(caller.accountId), { files: 1, chunks: 1 })
      assert.deepStrictEqual(yield* me(files.list({ page: 0, pageSize: 20 })), { files: [], total: 0 })
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* storedRows(caller.accountId), { files: 0, chunks: 0 })
    })
  )

  it.effect("what a dead gateway left half-written is removed after a day, and nothing else", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const { customer_file_id } = yield* as(caller)(writeText("kept.csv", "x"))
      yield* sql`update customer_file set created_at = now() - interval '2 days'
        where customer_file_id = ${customer_file_id}`
      yield* sql`
        insert into customer_file (account_id, file_name, download_key, created_at)
        values (${caller.accountId}, 'old.csv', 'old', now() - interval '25 hours'),
          (${caller.accountId}, 'young.csv', 'young', now() - interval '23 hours')`
      // The layer sweeps when it is built.
      yield* Effect.scoped(
        Effect.zipRight(
          Layer.build(Layer.fresh(CustomerFilesPostgres).pipe(Layer.provide(TestSettings))),
          sql`select from customer_file where file_name = 'old.csv'`.pipe(
            Effect.repeat({ until: (rows) => rows.length === 0 })
          )
        )
      )
      const rows = yield* sql<{ readonly file_name: string }>`
        select file_name from customer_file where account_id = ${caller.accountId} order by 1`
      assert.deepStrictEqual(
        rows.map(({ file_name }) => file_name),
        ["kept.csv", "young.csv"]
      )
    })
  )

  it.effect("pages come newest first", () =>
    Effect.gen(function* () {
      const files = yield* CustomerFiles
      const me = as(yield* makeAccount())
      for (const name of ["a.csv", "b.csv", "c.csv"]) yield* me(writeText(name, name))
      const names = (page: number) =>
        Effect.map(me(files.list({ page, pageSize: 2 })), (found) => [
          found.files.map(({ file_name }) => file_name),
          found.total
        ])
      assert.deepStrictEqual(yield* names(0), [["c.csv", "b.csv"], 3])
      assert.deepStrictEqual(yield* names(1), [["a.csv"], 3])
    })
  )

  it.effect("another account's file does not exist", () =>
    Effect.gen(function* () {
      const files = yield* CustomerFiles
      const { customer_file_id } = yield* as(yield* makeAccount())(writeText("theirs.csv", "x"))
      const me = as(yield* makeAccount())
      const attempts = [
        Effect.asVoid(files.get(customer_file_id)),
        Effect.asVoid(files.hold(customer_file_id)),
        Effect.asVoid(files.remove(customer_file_id)),
        Stream.runDrain(files.read(customer_file_id))
      ]
      const unknown = yield* Effect.flip(me(files.get(CustomerFileId.make(customer_file_id + 1000))))
      for (const attempt of attempts) {
        const failure = yield* Effect.flip(me(attempt))
        assert.deepInclude(failure, {
          _tag: "NotFound",
          reason: "customer_file_not_found",
          fields: { customer_file_id },
          detail: unknown.detail
        })
      }
    })
  )

  it.effect("a removed file is gone with its bytes and its download address", () =>
    Effect.gen(function* () {
      const files = yield* CustomerFiles
      const caller = yield* makeAccount()
      const me = as(caller)
      const view = yield* me(writeText("a.csv", "x"))
      assert.deepStrictEqual(yield* me(files.remove(view.customer_file_id)), view)
      assert.deepStrictEqual(yield* storedRows(caller.accountId), { files: 0, chunks: 0 })
      const key = view.download_url.split("/")[4] ?? ""
      assert.isTrue(Option.isNone(yield* files.findByDownloadKey(key)))
      assert.strictEqual((yield* Effect.flip(me(files.remove(view.customer_file_id))))._tag, "NotFound")
    })
  )

  it.effect("a file that is removed while it is read ends in an error, never as a shorter file", () =>
    Effect.gen(function* () {
      const files = yield* CustomerFiles
      const me = as(yield* makeAccount())
      const { customer_file_id } = yield* me(
        write({ fileName: "a.bin", bytes: Stream.make(patternBytes(3 * chunkSize)) })
      )
      const failure = yield* Effect.flip(
        me(Stream.runForEach(files.read(customer_file_id), () => Effect.ignore(files.remove(customer_file_id))))
      )
      assert.deepInclude(failure, { _tag: "NotFound", reason: "customer_file_not_found" })
    })
  )

  it.effect("a file is kept while an import that has not finished reads it", () =>
    Effect.gen(function* () {
      const files = yield* CustomerFiles
      const caller = yield* makeAccount()
      const me = as(caller)
      for (const status of ["queued", "running"]) {
        const { customer_file_id } = yield* me(writeText("a.csv", "x"))
        yield* makeImport(caller, customer_file_id, status)
        const failure = yield* Effect.flip(me(files.remove(customer_file_id)))
        assert.deepInclude(failure, { _tag: "Refused", reason: "file_in_use", fields: { customer_file_id } })
      }
      for (const status of ["finished", "failed", "cancelled"]) {
        const { customer_file_id } = yield* me(writeText("a.csv", "x"))
        yield* makeImport(caller, customer_file_id, status)
        yield* me(files.remove(customer_file_id))
      }
    })
  )

  it.effect("a file that is held cannot be removed before the holder's import is there to be seen", () =>
    Effect.gen(function* () {
      const files = yield* CustomerFiles
      const unit = yield* UnitOfWork
      const caller = yield* makeAccount()
      const me = as(caller)
      const { customer_file_id } = yield* me(writeText("a.csv", "x"))
      const isHeld = yield* Deferred.make<void>()
      const mayEnd = yield* Deferred.make<void>()
      const holder = yield* Effect.fork(
        unit.write(
          Effect.gen(function* () {
            yield* me(files.hold(customer_file_id))
            yield* Deferred.succeed(isHeld, undefined)
            yield* Deferred.await(mayEnd)
            yield* makeImport(caller, customer_file_id, "queued")
          })
        )
      )
      yield* Deferred.await(isHeld)
      const remover = yield* Effect.fork(Effect.flip(unit.write(me(files.remove(customer_file_id)))))
      yield* isLockAwaited.pipe(Effect.repeat({ until: (isAwaited) => isAwaited }), Effect.race(Fiber.await(remover)))
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(holder)
      assert.deepInclude(yield* Fiber.join(remover), { _tag: "Refused", reason: "file_in_use" })
    })
  )

  it.effect("whoever has the key downloads the file, without being a caller", () =>
    Effect.gen(function* () {
      const files = yield* CustomerFiles
      const content = patternBytes(chunkSize + 5)
      const view = yield* as(yield* makeAccount())(write({ fileName: "a.bin", bytes: Stream.make(content) }))
      const found = yield* files.findByDownloadKey(view.download_url.split("/")[4] ?? "")
      if (Option.isNone(found)) return assert.fail("not found")
      assert.deepStrictEqual(found.value.file, view)
      assert.isTrue((yield* collected(found.value.bytes)).equals(content))
    })
  )

  it.effect("no key but the right one finds anything", () =>
    Effect.gen(function* () {
      const files = yield* CustomerFiles
      for (const key of ["", "x", "'", "a".repeat(43), "%00".repeat(20), "a".repeat(100_000)]) {
        assert.isTrue(Option.isNone(yield* files.findByDownloadKey(key)))
      }
    })
  )
})

const SmallStorage = CustomerFilesPostgres.pipe(
  Layer.provideMerge(TestDatabase),
  Layer.provide(
    Layer.effect(
      Settings,
      Effect.map(Settings, (settings) => ({ ...settings, accountStorageLimit: 1000 }))
    ).pipe(Layer.provide(TestSettings))
  )
)

layer(SmallStorage, { excludeTestServices: true })("an account's storage", (it) => {
  it.effect("is bounded in all, and has room again when a file is removed", () =>
    Effect.gen(function* () {
      const files = yield* CustomerFiles
      const me = as(yield* makeAccount())
      const { customer_file_id } = yield* me(writeText("a.txt", "x".repeat(900)))
      const full = { _tag: "Refused", reason: "storage_full" } as const
      assert.deepInclude(yield* Effect.flip(me(writeText("b.txt", "x".repeat(101)))), full)
      yield* me(writeText("c.txt", "x".repeat(100)))
      assert.deepInclude(yield* Effect.flip(me(writeText("d.txt", "x"))), full)
      yield* as(yield* makeAccount())(writeText("e.txt", "x"))
      yield* me(files.remove(customer_file_id))
      yield* me(writeText("d.txt", "x"))
    })
  )
})
