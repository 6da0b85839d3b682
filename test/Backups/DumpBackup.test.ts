import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Client } from "pg"
import { findProgram } from "../../src/Layers/Backups/Copies/PostgresPrograms.ts"
import { serverUser } from "../../src/Layers/Platform/EmbeddedPostgres/OperatingSystem.ts"
import { backup, nameIn } from "../support/backups/BackupCommand.ts"
import { callOver, ownerToken, startGateway, temporaryDirectory } from "../support/processes/GatewayProcess.ts"
import { testDatabaseUrl } from "../support/TestDatabase.ts"

/** The programs of an installed server, with `pg_dump` of its version. The embedded server has no `pg_dump`. */
const installed = [15, 16, 17, 18]
  .map((major) => `/usr/lib/postgresql/${major}/bin`)
  .find((folder) =>
    ["initdb", "pg_ctl", "pg_dump", "pg_restore"].every((name) => fs.existsSync(path.join(folder, name)))
  )

const settings = (directory: string) => ({
  BACKUP_DIR: directory,
  BACKUP_PASSPHRASE: "correct horse battery staple"
})

/** A server of the installed version, with the databases. Returns their addresses. */
const startServer = (programs: string, ...databases: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const folder = yield* temporaryDirectory
    const user = yield* serverUser
    const identity = user.isSelf ? {} : { uid: user.uid, gid: user.gid }
    const data = path.join(folder, "data")
    const runProgram = (name: string, ...args: ReadonlyArray<string>) =>
      execFileSync(path.join(programs, name), args, { ...identity, cwd: folder, stdio: "ignore" })
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        if (!user.isSelf) fs.chownSync(folder, user.uid, user.gid)
        runProgram(
          "initdb",
          "-D",
          data,
          "-U",
          "gateway",
          "--auth=trust",
          "--encoding=UTF8",
          "--locale=C.UTF-8",
          "--no-sync"
        )
        const options = `-c listen_addresses='' -c unix_socket_directories='${folder}' -c fsync=off`
        runProgram("pg_ctl", "start", "-w", "-D", data, "-o", options, "-l", path.join(folder, "log"))
      }),
      () => Effect.sync(() => runProgram("pg_ctl", "stop", "-w", "-m", "immediate", "-D", data))
    )
    const client = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const session = new Client({ host: folder, user: "gateway", database: "postgres" })
        await session.connect()
        return session
      }),
      (session) => Effect.promise(() => session.end())
    )
    for (const database of databases) yield* Effect.promise(() => client.query(`create database ${database}`))
    return (database: string) => `postgres://gateway@/${database}?host=${folder}`
  })

it.scopedLive.skipIf(installed === undefined)(
  "a dump of DATABASE_URL restores the same tables into an empty database (needs the server and client programs of Debian)",
  () =>
    Effect.gen(function* () {
      const [dataDir, directory, fresh] = [
        yield* temporaryDirectory,
        yield* temporaryDirectory,
        yield* temporaryDirectory
      ]
      const urlOf = yield* startServer(installed ?? "", "source", "target")
      const source = { ...settings(directory), DATA_DIR: dataDir, DATABASE_URL: urlOf("source") }
      const target = { ...settings(directory), DATA_DIR: fresh, DATABASE_URL: urlOf("target") }
      const token = yield* Effect.scoped(
        Effect.gen(function* () {
          const gateway = yield* startGateway(dataDir, { DATABASE_URL: urlOf("source") })
          const token = yield* ownerToken(dataDir)
          const lead = yield* callOver(gateway, token, "register_lead", { name: "Ana", email: "ana@example.com" })
          assert.strictEqual(lead.status, 200)
          return token
        })
      )
      const name = nameIn(yield* backup(source, "create"))
      const verified = yield* backup(settings(directory), "verify", "--backup", name)
      assert.include(verified.output, `${name} is whole`, verified.errors)

      const embedded = yield* backup({ ...settings(directory), DATA_DIR: fresh }, "restore", "--backup", name)
      assert.include(embedded.errors, "The backup is a dump")
      const filled = yield* backup({ ...target, DATABASE_URL: urlOf("source") }, "restore", "--backup", name)
      assert.include(filled.errors, "is not empty")
      const restored = yield* backup(target, "restore", "--backup", name)
      assert.match(restored.output, /^\d{3} tables have the digests of the backup$/m, restored.errors)

      const again = yield* startGateway(fresh, { DATABASE_URL: urlOf("target") })
      const leads = yield* callOver(again, token, "search_leads")
      assert.strictEqual(leads.body["total"], 1)
    }),
  600_000
)

it.scopedLive("a database is not served while a restore into it has not finished", () =>
  Effect.gen(function* () {
    const url = yield* testDatabaseUrl
    const session = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const client = new Client({ connectionString: url })
        await client.connect()
        return client
      }),
      (client) => Effect.promise(() => client.end())
    )
    yield* Effect.promise(() => session.query("create schema gateway_restore"))
    const error = yield* Effect.flip(startGateway(yield* temporaryDirectory, { DATABASE_URL: url }))
    assert.include(String(error), "A restore into this database has not finished")
  })
)

it.scopedLive("a dump is refused with what is missing where the programs are older than the server", () =>
  Effect.gen(function* () {
    const missing = yield* Effect.flip(findProgram("pg_dump", 99))
    assert.strictEqual(missing.reason, "program_missing")
    assert.match(missing.message, /^The server is of version 99\. .* Install the client programs of PostgreSQL 99/)
  })
)
