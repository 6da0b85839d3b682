import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Readable } from "node:stream"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import {
  finishBackup,
  listBackups,
  makeDraft,
  manifestBytesOf,
  openBackup,
  removeBackup,
  storeFile
} from "../../src/Layers/Backups/BackupStore.ts"
import { checkDataDirectory, placeFiles } from "../../src/Layers/Backups/DataDirectoryCheck.ts"
import { appendToLedger, missingAt, readLedger } from "../../src/Layers/Backups/ErasureLedger.ts"
import { openSecrets, sealSecrets } from "../../src/Layers/Backups/SealedSecrets.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { type BackupManifest, nameOf } from "../../src/Services/Backups/BackupManifest.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import type { ErasureRecord } from "../../src/Services/Leads/Erasure/ErasureRecords.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { temporaryDirectory } from "../support/processes/GatewayProcess.ts"

const at = Timestamp.make("2027-01-01T10:00:00Z")
const millis = Date.parse(at)
const passphrase = Redacted.make("correct horse battery staple")
const secrets = { files: { "sealing-key": Buffer.from("the key\n").toString("base64") }, sealing_key: null }

/** Makes a backup of one file. */
const makeBackup = (directory: string, random: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const name = nameOf(at, random)
      const draft = yield* makeDraft(directory, name, millis)
      const file = yield* Effect.promise(() =>
        storeFile(draft, "database.dump", Readable.from([Buffer.from("rows "), Buffer.from("and rows")]), true)
      )
      const manifest: BackupManifest = {
        format: 1,
        kind: "dump",
        name,
        started_at: at,
        snapshot_at: at,
        gateway_version: "1.0.0",
        postgres_version: 15,
        wal: null,
        files: [file],
        tables: []
      }
      const bytes = manifestBytesOf(manifest)
      yield* finishBackup(directory, draft, name, bytes, yield* sealSecrets(passphrase, bytes, secrets))
      return name
    })
  )

it.scopedLive("a backup is listed once it is complete, and no longer once it is removed", () =>
  Effect.gen(function* () {
    const directory = path.join(yield* temporaryDirectory, "backups")
    assert.deepStrictEqual(yield* listBackups(directory), { whole: [], damaged: [] })
    const name = yield* makeBackup(directory, "00000001")
    // What a process leaves that is killed while it makes or removes a backup.
    yield* Effect.promise(() => fs.mkdir(path.join(directory, `${nameOf(at, "00000002")}.partial`)))
    yield* Effect.promise(() =>
      fs.cp(path.join(directory, name), path.join(directory, `${name}.removed.partial`), { recursive: true })
    )
    yield* Effect.promise(() => fs.mkdir(path.join(directory, nameOf(at, "00000003"))))
    const { damaged, whole } = yield* listBackups(directory)
    assert.deepStrictEqual(
      whole.map((manifest) => manifest.name),
      [name]
    )
    assert.deepStrictEqual(damaged, [nameOf(at, "00000003")])
    yield* removeBackup(directory, name)
    assert.deepStrictEqual((yield* listBackups(directory)).whole, [])
  })
)

it.scopedLive("what an interrupted command left is removed a day later", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const [old, young] = ["old.partial", "young.partial"]
    for (const name of [old, young]) yield* Effect.promise(() => fs.mkdir(path.join(directory, name)))
    const yesterday = new Date(millis - 25 * 3_600_000)
    yield* Effect.promise(() => fs.utimes(path.join(directory, old), yesterday, yesterday))
    yield* Effect.promise(() => fs.utimes(path.join(directory, young), new Date(millis), new Date(millis)))
    yield* Effect.scoped(makeDraft(directory, "verify-1", millis))
    assert.deepStrictEqual(yield* Effect.promise(() => fs.readdir(directory)), [young])
  })
)

it.scopedLive("a file that was cut, changed or lost makes the backup damaged", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const name = yield* makeBackup(directory, "00000001")
    const file = path.join(directory, name, "database.dump")
    const whole = yield* Effect.promise(() => fs.readFile(file))
    assert.strictEqual((yield* openBackup(directory, name)).manifest.name, name)
    const changed = Buffer.from(whole)
    changed[3] = (changed[3] ?? 0) ^ 1
    for (const content of [whole.subarray(1), changed]) {
      yield* Effect.promise(() => fs.writeFile(file, content))
      assert.deepInclude(yield* Effect.flip(openBackup(directory, name)), { reason: "damaged" })
    }
    yield* Effect.promise(() => fs.rm(file))
    assert.deepInclude(yield* Effect.flip(openBackup(directory, name)), { reason: "damaged" })
    assert.deepInclude(yield* Effect.flip(openBackup(directory, "../other")), { reason: "backup_not_found" })
  })
)

it.live("the keys open with the same passphrase and manifest alone", () =>
  Effect.gen(function* () {
    const manifest = Buffer.from("{}")
    const sealed = yield* sealSecrets(passphrase, manifest, secrets)
    assert.notInclude(sealed.toString("latin1"), "the key")
    assert.deepStrictEqual(yield* openSecrets(passphrase, manifest, sealed), secrets)
    const changed = Buffer.from(sealed)
    changed[sealed.length - 1] = (changed[sealed.length - 1] ?? 0) ^ 1
    for (const [phrase, bound, text] of [
      [Redacted.make("correct horse battery stable"), manifest, sealed],
      [passphrase, Buffer.from("{ }"), sealed],
      [passphrase, manifest, changed],
      [passphrase, manifest, sealed.subarray(0, 20)]
    ] as const) {
      assert.deepInclude(yield* Effect.flip(openSecrets(phrase, bound, text)), { reason: "wrong_passphrase" })
    }
  })
)

const erasure = (lead: number, when: string): ErasureRecord => ({
  kind: "erasure",
  account_id: AccountId.make(1),
  lead_id: LeadId.make(lead),
  reason: null,
  at: Timestamp.make(when)
})

it.scopedLive("the list of erasures survives a line that a crash cut", () =>
  Effect.gen(function* () {
    const directory = path.join(yield* temporaryDirectory, "backups")
    assert.deepStrictEqual(yield* readLedger(directory), [])
    yield* appendToLedger(directory, [erasure(1, "2027-01-01T09:00:00Z")])
    yield* Effect.promise(() => fs.appendFile(path.join(directory, "erasures.jsonl"), '{"kind":"erasure","acc'))
    yield* appendToLedger(directory, [erasure(2, "2027-01-01T09:50:00Z"), erasure(3, "2027-01-01T10:00:01Z")])
    const records = yield* readLedger(directory)
    assert.deepStrictEqual(
      records.flatMap((record) => (record.kind === "erasure" ? [Number(record.lead_id)] : [])),
      [1, 2, 3]
    )
    // The second may have been committed after the state of the backup.
    assert.deepStrictEqual(missingAt(records, at), records.slice(1))
  })
)

it.scopedLive("a restore writes to an empty data directory, and to one that an interrupted restore left", () =>
  Effect.gen(function* () {
    const dataDir = yield* temporaryDirectory
    const backups = path.join(dataDir, "backups")
    const { files } = secrets
    const check = (keepsDatabase = false) => checkDataDirectory(dataDir, backups, files, keepsDatabase)
    yield* check()
    yield* Effect.promise(() => fs.mkdir(backups))
    yield* placeFiles(dataDir, files)
    yield* Effect.promise(() => fs.mkdir(path.join(dataDir, "restoring-1", "postgres"), { recursive: true }))
    yield* check()
    assert.deepStrictEqual(yield* Effect.promise(() => fs.readdir(dataDir)), ["backups", "sealing-key"])
    assert.strictEqual((yield* Effect.promise(() => fs.stat(path.join(dataDir, "sealing-key")))).mode & 0o777, 0o600)

    yield* Effect.promise(() => fs.mkdir(path.join(dataDir, "postgres")))
    assert.deepInclude(yield* Effect.flip(check()), { reason: "not_empty" })
    yield* check(true)
    yield* Effect.promise(() => fs.writeFile(path.join(dataDir, "sealing-key"), "another key"))
    assert.deepInclude(yield* Effect.flip(check(true)), { reason: "not_empty" })
  })
)
