import { spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Ref } from "effect"
import { type BackupEnvironment, backup, environmentOf, nameIn } from "../support/backups/BackupCommand.ts"
import {
  callOver,
  type GatewayProcess,
  gatewayCommand,
  killHard,
  ownerToken,
  startGateway,
  temporaryDirectory,
  until
} from "../support/processes/GatewayProcess.ts"
import { preparedDataDir } from "../support/processes/PreparedDataDir.ts"

const textOf = (file: string) => Effect.promise(() => fs.readFile(file, "utf8").catch(() => ""))

const entriesOf = (folder: string) => Effect.promise(() => fs.readdir(folder).catch(() => []))

const killServer = (dataDir: string) =>
  Effect.promise(async () => {
    const text = await fs.readFile(path.join(dataDir, "postgres", "cluster", "postmaster.pid"), "utf8")
    process.kill(Number(text.split("\n", 1)[0]), "SIGKILL")
  })

const register = (gateway: GatewayProcess, token: string, number: number) =>
  callOver(gateway, token, "register_lead", { name: `Lead ${number}`, email: `lead${number}@example.com` })

/** Between two calls of a lane, so that the rest of the test has a part of the processor. */
const pause = "20 millis"

/** Registers leads until it is interrupted. Counts those that were acknowledged. */
const load = (gateway: GatewayProcess, token: string, acknowledged: Ref.Ref<number>) =>
  Effect.forEach(
    [1, 2, 3, 4],
    (lane) =>
      Effect.iterate(1, {
        while: () => true,
        body: (step) =>
          register(gateway, token, lane * 1_000_000 + step).pipe(
            Effect.tap(({ status }) => (status === 200 ? Ref.update(acknowledged, (count) => count + 1) : Effect.void)),
            Effect.as(step + 1),
            Effect.delay(pause)
          )
      }),
    { concurrency: "unbounded", discard: true }
  )

/** Starts a backup and kills it as soon as it writes. */
const cutBackup = (settings: BackupEnvironment, directory: string) =>
  Effect.gen(function* () {
    const [program, ...leading] = gatewayCommand
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(program, [...leading, "backup", "create"], { env: environmentOf(settings), stdio: "ignore" })
      ),
      (process) => Effect.sync(() => process.kill("SIGKILL"))
    )
    yield* entriesOf(directory).pipe(until((names) => names.some((name) => name.endsWith(".partial")), "60 seconds"))
    child.kill("SIGKILL")
    yield* Effect.async<void>((resume) => {
      if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
      child.once("exit", () => resume(Effect.void))
    })
  })

const limit = 600_000

it.scopedLive(
  "a backup that is made during load restores the same tables after everything was killed",
  () =>
    Effect.gen(function* () {
      const [dataDir, other, fresh] = [yield* preparedDataDir, yield* temporaryDirectory, yield* temporaryDirectory]
      const directory = path.join(other, "backups")
      const settings = { BACKUP_DIR: directory, BACKUP_PASSPHRASE: "correct horse battery staple" }
      const source = { ...settings, DATA_DIR: dataDir }
      const gateway = yield* startGateway(dataDir, settings)
      const token = yield* ownerToken(dataDir)
      const erased = yield* register(gateway, token, 1)
      assert.strictEqual(erased.status, 200)

      const acknowledged = yield* Ref.make(0)
      const traffic = yield* Effect.fork(load(gateway, token, acknowledged))
      yield* cutBackup(source, directory)
      const afterCut = yield* backup(source, "list")
      assert.strictEqual(afterCut.output, `0 backups in ${directory}\n`)

      const before = yield* Ref.get(acknowledged)
      const name = nameIn(yield* backup(source, "create"))
      yield* Ref.get(acknowledged).pipe(until((count) => count > before + 20, "60 seconds"))
      assert.isAbove(before, 0)

      // Erased after the backup, so the backup still has the person.
      const erasure = yield* callOver(gateway, token, "delete_lead", {
        lead_id: erased.body["lead_id"],
        reason: "asked"
      })
      assert.strictEqual(erasure.status, 200)
      const ledger = path.join(directory, "erasures.jsonl")
      yield* textOf(ledger).pipe(until((text) => text.endsWith("}\n"), "60 seconds"))
      yield* killHard(gateway)
      yield* killServer(dataDir)
      yield* Fiber.interrupt(traffic)

      const target = { ...settings, DATA_DIR: fresh }
      const refusals = yield* Effect.all(
        {
          passphrase: backup({ ...target, BACKUP_PASSPHRASE: "incorrect horse battery" }, "restore", "--backup", name),
          notEmpty: backup(source, "restore", "--backup", name),
          sealingKey: backup({ ...target, SEALING_KEY: "x".repeat(40) }, "restore", "--backup", name)
        },
        { concurrency: 2 }
      )
      assert.include(refusals.passphrase.errors, "BACKUP_PASSPHRASE is not the passphrase")
      assert.include(refusals.notEmpty.errors, "is not empty")
      assert.include(refusals.sealingKey.errors, "SEALING_KEY is not the key of the backup")
      for (const { code } of Object.values(refusals)) assert.notStrictEqual(code, 0)
      assert.deepStrictEqual(yield* entriesOf(fresh), [])

      const verified = yield* backup(settings, "verify", "--backup", name)
      assert.strictEqual(verified.code, 0, verified.errors)
      assert.include(verified.output, `${name} is whole`)
      const restored = yield* backup(target, "restore", "--backup", name)
      assert.strictEqual(restored.code, 0, restored.errors)
      assert.match(restored.output, /^\d{3} tables have the digests of the backup$/m)
      assert.include(restored.output, "erased again: 1 leads")
      assert.include(restored.output, "outreach paused: 1 accounts")
      assert.deepStrictEqual((yield* entriesOf(fresh)).sort(), ["owner-token", "postgres", "sealing-key"])

      const again = yield* startGateway(fresh, settings)
      const sameToken = yield* ownerToken(fresh)
      assert.strictEqual(sameToken, token)
      const leads = yield* callOver(again, token, "search_leads", { page_size: 1 })
      // All that was acknowledged before the backup began, without the erased one.
      assert.isAtLeast(Number(leads.body["total"]), before)
      assert.strictEqual((yield* callOver(again, token, "get_lead", { lead_id: erased.body["lead_id"] })).status, 404)
      assert.strictEqual((yield* register(again, token, 1)).status, 422)
      const next = yield* callOver(again, token, "register_lead", { name: "Next", email: "next@example.com" })
      assert.isAbove(Number(next.body["lead_id"]), 1_000_000)
      // The server of the restored directory is in use.
      const inUse = yield* backup(target, "restore", "--backup", name)
      assert.include(inUse.errors, "is in use")
      yield* killHard(again)
      yield* killServer(fresh)
    }),
  limit
)

it.scopedLive(
  "the archived log leads from a backup to any later time",
  () =>
    Effect.gen(function* () {
      const [dataDir, directory, fresh] = [yield* preparedDataDir, yield* temporaryDirectory, yield* temporaryDirectory]
      // The user of the embedded database must be able to enter.
      yield* Effect.promise(() => fs.chmod(directory, 0o755))
      const settings = {
        BACKUP_DIR: directory,
        BACKUP_PASSPHRASE: "correct horse battery staple",
        BACKUP_WAL: "true",
        BACKUP_WAL_SECONDS: "1",
        BACKUP_KEEP: "1"
      }
      const gateway = yield* startGateway(dataDir, settings)
      const token = yield* ownerToken(dataDir)
      const source = { ...settings, DATA_DIR: dataDir }
      const first = nameIn(yield* backup(source, "create"))
      const second = yield* backup(source, "create")
      assert.include(second.output, `removed ${first}`)

      assert.strictEqual((yield* register(gateway, token, 1)).status, 200)
      // Times have whole seconds.
      yield* Effect.sleep("1100 millis")
      const to = new Date().toISOString()
      yield* Effect.sleep("1100 millis")
      assert.strictEqual((yield* register(gateway, token, 2)).status, 200)
      const wal = path.join(directory, "wal")
      const before = yield* entriesOf(wal)
      // Another write lets the server complete the segment that has the second lead.
      yield* Effect.zipRight(register(gateway, token, 3), entriesOf(wal)).pipe(
        until((names) => names.length > before.length + 1, "60 seconds")
      )
      yield* killHard(gateway)
      yield* killServer(dataDir)

      const target = { ...settings, DATA_DIR: fresh }
      const tooEarly = yield* backup(target, "restore", "--to", "2020-01-01T00:00:00Z")
      assert.include(tooEarly.errors, "No backup of the embedded server is older")
      const tooLate = yield* backup(target, "restore", "--to", "2090-01-01T00:00:00Z")
      assert.include(tooLate.errors, "The archived log ends before that time")
      assert.deepStrictEqual(yield* entriesOf(fresh), [])
      const restored = yield* backup(target, "restore", "--to", to)
      assert.strictEqual(restored.code, 0, restored.errors)
      assert.include(restored.output, `restored ${nameIn(second)}, state of ${to.slice(0, 19)}Z`)

      const again = yield* startGateway(fresh, { BACKUP_DIR: directory })
      const leads = yield* callOver(again, token, "search_leads", { page_size: 10 })
      assert.strictEqual(leads.body["total"], 1)
      yield* killHard(again)
      yield* killServer(fresh)
    }),
  limit
)
