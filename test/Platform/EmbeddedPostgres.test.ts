import { execFile, spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Schedule, Scope } from "effect"
import { Client } from "pg"
import { afterAll, beforeAll, vi } from "vitest"
import { processes, serverUser } from "../../src/Layers/Platform/EmbeddedPostgres/OperatingSystem.ts"
import {
  acquire,
  type DatabaseAddress,
  type EmbeddedPostgresOptions
} from "../../src/Layers/Platform/EmbeddedPostgres.ts"
import { bundledEntry } from "../support/BundledEntry.ts"

const settings = { fsync: false, synchronous_commit: false, shared_buffers: "16MB" }
const root = process.geteuid?.() === 0

/** A program that does what another gateway does with the database. */
let otherProgram = ""
/** A database that was used and closed. */
let usedDirectory = ""
const whole = Effect.runSync(Scope.make())
beforeAll(async () => {
  otherProgram = await Effect.runPromise(bundledEntry("Platform/EmbeddedPostgres/otherGateway"))
  usedDirectory = path.join(await Effect.runPromise(Scope.extend(temporary, whole)), "db")
  await Effect.runPromise(Effect.scoped(start(usedDirectory)))
})
afterAll(() => Effect.runPromise(Scope.close(whole, Exit.void)))

const temporary = Effect.acquireRelease(
  Effect.promise(async () => {
    const directory = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "pg-test-")))
    await fs.chmod(directory, 0o755)
    return directory
  }),
  (directory) => Effect.promise(() => fs.rm(directory, { recursive: true, force: true, maxRetries: 5 }))
)

const start = (dataDir: string, options: Partial<EmbeddedPostgresOptions> = {}) =>
  acquire({ dataDir, settings, startTimeout: "30 seconds", ...options })

/** A copy of a used database directory. It skips initdb, which takes most of the time of a start. */
const usedBefore = Effect.gen(function* () {
  const dataDir = path.join(yield* temporary, "db")
  yield* Effect.promise(async () => {
    await fs.mkdir(dataDir)
    // Files keep their owner, who may not be the tests' user.
    await promisify(execFile)("cp", ["-a", path.join(usedDirectory, "cluster"), dataDir])
  })
  return dataDir
})

const session = (address: DatabaseAddress) =>
  Effect.acquireRelease(
    Effect.tryPromise(async () => {
      const client = new Client({ ...address, connectionTimeoutMillis: 2000 })
      client.on("error", () => undefined)
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end().catch(() => undefined))
  )

const query = (address: DatabaseAddress, ...statements: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.flatMap(session(address), (client) =>
      Effect.forEach(statements, (statement) =>
        Effect.tryPromise(async () => (await client.query<Record<string, unknown>>(statement)).rows)
      )
    )
  ).pipe(Effect.map((results) => results.at(-1) ?? []))

const postmasterPid = (dataDir: string) =>
  Effect.promise(async () =>
    Number.parseInt(await fs.readFile(path.join(dataDir, "cluster", "postmaster.pid"), "utf8"), 10)
  )

const exists = (file: string) =>
  Effect.promise(() =>
    fs.access(file).then(
      () => true,
      () => false
    )
  )

// An ended process stays in the list without a command until its parent collects it.
const runs = (pid: number) => Effect.map(processes, (all) => (all.get(pid) ?? "") !== "")

/** A gateway in a separate process. Completes once its database is up. */
const otherGateway = (dataDir: string) =>
  Effect.acquireRelease(
    Effect.async<ReturnType<typeof spawn>>((resume) => {
      const child = spawn(process.execPath, [otherProgram, JSON.stringify({ dataDir, settings })], {
        stdio: ["ignore", "pipe", "inherit"],
        detached: true
      })
      child.stdout.once("data", () => resume(Effect.succeed(child)))
      child.once("exit", () => resume(Effect.die("the other gateway did not start")))
    }),
    (child) => kill(child)
  )

const kill = (child: ReturnType<typeof spawn>) =>
  Effect.async<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    // The whole process group, as a terminal or a process supervisor does it.
    process.kill(-(child.pid ?? Number.NaN), "SIGKILL")
  })

describe("EmbeddedPostgres", { timeout: 60_000 }, () => {
  it.live("starts in an empty directory, closed to others and without a network port", () =>
    Effect.gen(function* () {
      const dataDir = path.join(yield* temporary, "deep", "db")
      const db = yield* start(dataDir)
      assert.strictEqual(db.host, path.join(dataDir, "socket"))
      const [row] = yield* query(
        db,
        `select current_setting('listen_addresses') as addresses, current_setting('timezone') as zone,
          current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
          current_setting('jit') as jit, current_setting('max_connections') as connections,
          current_setting('shared_buffers') as buffers, lower('ÁÇ') as lower, 'b' < 'B' as linguistic`
      )
      assert.deepStrictEqual(row, {
        addresses: "",
        zone: "UTC",
        encoding: "UTF8",
        fsync: "off",
        jit: "off",
        connections: "100",
        buffers: "16MB",
        lower: "áç",
        linguistic: false
      })
      for (const directory of [dataDir, db.host]) {
        const { mode } = yield* Effect.promise(() => fs.stat(directory))
        assert.strictEqual(mode & 0o777, 0o700)
      }
    }).pipe(Effect.scoped)
  )

  it.live("ships the extensions for search, which keep accented letters", () =>
    Effect.gen(function* () {
      const db = yield* start(yield* usedBefore)
      yield* query(db, "create database template_of_tests", "create database clone template template_of_tests")
      const rows = yield* query(
        db.forDatabase("clone"),
        "create extension pg_trgm",
        "create extension unaccent",
        "create extension btree_gin",
        "select unaccent('São') as plain, cardinality(show_trgm('é')) as trigrams, 'É' ilike 'é' as same"
      )
      assert.deepStrictEqual(rows, [{ plain: "Sao", trigrams: 2, same: true }])
    }).pipe(Effect.scoped)
  )

  // Not `live`: the server's time must be real even if a test replaces the clock.
  it.effect("stops the server when the scope closes, and keeps the data for the next start", () =>
    Effect.gen(function* () {
      const dataDir = yield* usedBefore
      const pid = yield* Effect.scoped(
        Effect.gen(function* () {
          const db = yield* start(dataDir)
          yield* query(db, "create table kept as select 42 as answer")
          return yield* postmasterPid(dataDir)
        })
      )
      assert.isFalse(yield* runs(pid))
      assert.isFalse(yield* exists(path.join(dataDir, "cluster", "postmaster.pid")))
      const db = yield* start(dataDir)
      assert.deepStrictEqual(yield* query(db, "select answer from kept"), [{ answer: 42 }])
    }).pipe(Effect.scoped)
  )

  it.live("stops the server when the gateway is interrupted", () =>
    Effect.gen(function* () {
      const dataDir = yield* usedBefore
      const up = yield* Deferred.make<void>()
      const gateway = yield* start(dataDir).pipe(
        Effect.zipRight(Deferred.succeed(up, undefined)),
        Effect.zipRight(Effect.never),
        Effect.scoped,
        Effect.fork
      )
      yield* Deferred.await(up)
      const pid = yield* postmasterPid(dataDir)
      yield* Fiber.interrupt(gateway)
      assert.isFalse(yield* runs(pid))
    }).pipe(Effect.scoped)
  )

  it.live("leaves nothing running when a start is interrupted", () =>
    Effect.gen(function* () {
      const dataDir = path.join(yield* temporary, "db")
      const gateway = yield* Effect.fork(Effect.scoped(start(dataDir)))
      const pid = yield* postmasterPid(dataDir).pipe(
        Effect.sandbox,
        Effect.filterOrFail((pid) => pid > 0),
        Effect.retry(Schedule.spaced("1 millis"))
      )
      // Stopped, so that it cannot become ready before the interruption.
      process.kill(pid, "SIGSTOP")
      yield* Fiber.interrupt(gateway)
      process.kill(pid, "SIGCONT")
      yield* exists(path.join(dataDir, "cluster", "postmaster.pid")).pipe(
        Effect.repeat({ until: (there) => !there, schedule: Schedule.spaced("20 millis") }),
        Effect.timeout("20 seconds")
      )
    }).pipe(Effect.scoped)
  )

  it.live("lets the server run while others use it, and stops it with the last of them", () =>
    Effect.gen(function* () {
      const dataDir = yield* usedBefore
      const [first, second] = [yield* Scope.make(), yield* Scope.make()]
      yield* Scope.extend(start(dataDir), first)
      const db = yield* Scope.extend(start(dataDir), second)
      const pid = yield* postmasterPid(dataDir)
      yield* Scope.close(first, Exit.void)
      assert.deepStrictEqual(yield* query(db, "select 1 as one"), [{ one: 1 }])
      assert.strictEqual(yield* postmasterPid(dataDir), pid)
      yield* Scope.close(second, Exit.void)
      assert.isFalse(yield* runs(pid))
    }).pipe(Effect.scoped)
  )

  it.live("stops the server when all who use it leave at once", () =>
    Effect.gen(function* () {
      const dataDir = yield* usedBefore
      const scopes = yield* Effect.forEach([1, 2, 3], () => Scope.make())
      yield* Effect.forEach(scopes, (scope) => Scope.extend(start(dataDir), scope))
      const pid = yield* postmasterPid(dataDir)
      yield* Effect.forEach(scopes, (scope) => Scope.close(scope, Exit.void), { concurrency: "unbounded" })
      assert.isFalse(yield* runs(pid))
    }).pipe(Effect.scoped)
  )

  it.live("joins the server of a gateway that was killed, and stops it in the end", () =>
    Effect.gen(function* () {
      const dataDir = yield* usedBefore
      const owner = yield* otherGateway(dataDir)
      const pid = yield* postmasterPid(dataDir)
      yield* kill(owner)
      assert.isTrue(yield* runs(pid))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const db = yield* start(dataDir)
          const [row] = yield* query(db, "select current_setting('shared_buffers') as buffers")
          assert.deepStrictEqual(row, { buffers: "16MB" })
          assert.strictEqual(yield* postmasterPid(dataDir), pid)
        })
      )
      assert.isFalse(yield* runs(pid))
    }).pipe(Effect.scoped)
  )

  it.live("connects all who start at once on an empty directory to one server", () =>
    Effect.gen(function* () {
      const dataDir = path.join(yield* temporary, "db")
      const [other, ...ownServers] = yield* Effect.all([otherGateway(dataDir), start(dataDir), start(dataDir)], {
        concurrency: "unbounded"
      })
      const started = yield* Effect.forEach(ownServers, (db) =>
        query(db, "select pg_postmaster_start_time()::text as at")
      )
      assert.deepStrictEqual(started[0], started[1])
      const entries = yield* Effect.promise(() => fs.readdir(dataDir))
      assert.deepStrictEqual(entries.sort(), ["cluster", "server.log", "socket"])
      yield* kill(other)
    }).pipe(Effect.scoped)
  )

  it.live("starts the server again when it is killed, even under a backend that is busy", () =>
    Effect.gen(function* () {
      const dataDir = yield* usedBefore
      const db = yield* start(dataDir)
      yield* query(db, "create table kept as select 42 as answer", "checkpoint")
      const busy = yield* session(db)
      const work = yield* Effect.fork(
        Effect.exit(Effect.tryPromise(() => busy.query("select count(*) from generate_series(1, 1e12)")))
      )
      yield* query(db, "select from pg_stat_activity where query like '%generate_series%' and state = 'active'").pipe(
        Effect.filterOrFail((rows) => rows.length > 1),
        Effect.retry(Schedule.spaced("20 millis"))
      )
      const pid = yield* postmasterPid(dataDir)
      process.kill(pid, "SIGKILL")
      const rows = yield* query(db, "select answer from kept").pipe(
        Effect.retry(Schedule.spaced("20 millis")),
        Effect.timeout("20 seconds")
      )
      assert.deepStrictEqual(rows, [{ answer: 42 }])
      assert.notStrictEqual(yield* postmasterPid(dataDir), pid)
      assert.isTrue(Exit.isFailure(yield* work))
    }).pipe(Effect.scoped)
  )

  it.live("replaces a server whose socket was deleted", () =>
    Effect.gen(function* () {
      const dataDir = yield* usedBefore
      const owner = yield* otherGateway(dataDir)
      const pid = yield* postmasterPid(dataDir)
      yield* kill(owner)
      yield* Effect.promise(() => fs.rm(path.join(dataDir, "socket", ".s.PGSQL.5432")))
      const db = yield* start(dataDir)
      assert.deepStrictEqual(yield* query(db, "select 1 as one"), [{ one: 1 }])
      assert.notStrictEqual(yield* postmasterPid(dataDir), pid)
    }).pipe(Effect.scoped)
  )

  it.live("puts the socket into a short private directory when the path is too long for one", () =>
    Effect.gen(function* () {
      const parent = yield* temporary
      const dataDir = path.join(parent, "a".repeat(100), "db")
      vi.stubEnv("TMPDIR", parent)
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.unstubAllEnvs()))
      const db = yield* start(dataDir)
      assert.strictEqual(path.dirname(db.host), parent)
      const { mode } = yield* Effect.promise(() => fs.stat(db.host))
      assert.strictEqual(mode & 0o777, 0o700)
      vi.unstubAllEnvs()
      const joined = yield* start(dataDir)
      assert.strictEqual(joined.host, db.host)
      assert.deepStrictEqual(yield* query(joined, "select 1 as one"), [{ one: 1 }])
    }).pipe(Effect.scoped)
  )

  for (const [leftover, content] of [
    ["whose number another process has now", (pid: number) => `${pid}\n/elsewhere\n1\n5432\n../socket\n\n0 0\nready\n`],
    ["of a process that is gone", () => "99999999\n/elsewhere\n1\n5432\n../socket\n\n0 0\nready\n"],
    ["that is empty", () => ""]
  ] as const) {
    it.live(`is not hindered by a postmaster.pid ${leftover}`, () =>
      Effect.gen(function* () {
        const dataDir = yield* usedBefore
        yield* Effect.scoped(start(dataDir))
        const { uid, gid } = yield* serverUser
        const stranger = yield* Effect.acquireRelease(
          Effect.sync(() => spawn("/bin/sleep", ["600"], { ...(root ? { uid, gid } : {}), cwd: "/", detached: true })),
          kill
        )
        const files = ["cluster/postmaster.pid", "socket/.s.PGSQL.5432.lock"].map((file) => path.join(dataDir, file))
        yield* Effect.promise(async () => {
          for (const file of files) {
            await fs.writeFile(file, content(stranger.pid ?? 0))
            await fs.utimes(file, 1, 1)
            await fs.chown(file, uid, gid)
          }
        })
        const db = yield* start(dataDir)
        assert.deepStrictEqual(yield* query(db, "select 1 as one"), [{ one: 1 }])
        assert.isTrue(yield* runs(stranger.pid ?? 0))
      }).pipe(Effect.scoped)
    )
  }

  it.live("keeps statements and values out of the server's log", () =>
    Effect.gen(function* () {
      const dataDir = yield* usedBefore
      const db = yield* start(dataDir)
      yield* query(db, "create table lead (email text unique)", "insert into lead values ('maria@example.com')")
      yield* Effect.exit(query(db, "insert into lead values ('maria@example.com')"))
      yield* Effect.exit(query(db, "select 'maria@example.com'::int"))
      const crashing = yield* session(db)
      const pid = yield* Effect.promise(() => crashing.query<{ pid: number }>("select pg_backend_pid() as pid"))
      const asleep = yield* Effect.fork(
        Effect.exit(Effect.tryPromise(() => crashing.query("select pg_sleep(600), 'maria@example.com'")))
      )
      yield* query(db, "select from pg_stat_activity where wait_event = 'PgSleep'").pipe(
        Effect.filterOrFail((rows) => rows.length > 0),
        Effect.retry(Schedule.spaced("20 millis"))
      )
      process.kill(Number(pid.rows[0]?.pid), "SIGSEGV")
      yield* asleep
      yield* query(db, "select 1").pipe(Effect.retry(Schedule.spaced("20 millis")))
      const log = yield* Effect.promise(() => fs.readFile(path.join(dataDir, "server.log"), "utf8"))
      assert.include(log, "terminated by signal 11")
      assert.notInclude(log, "maria")
    }).pipe(Effect.scoped)
  )

  it.live("leaves a damaged data directory as it is, and says so with the server's own words", () =>
    Effect.gen(function* () {
      const dataDir = yield* usedBefore
      yield* Effect.scoped(start(dataDir))
      const control = path.join(dataDir, "cluster", "global", "pg_control")
      yield* Effect.promise(() => fs.writeFile(control, "damaged"))
      const error = yield* Effect.flip(start(dataDir))
      assert.strictEqual(error._tag, "EmbeddedPostgresError")
      assert.strictEqual(error.reason, "corrupted_data")
      assert.include(error.message, "pg_control")
      assert.strictEqual(yield* Effect.promise(() => fs.readFile(control, "utf8")), "damaged")
    }).pipe(Effect.scoped)
  )

  it.live("names a setting that PostgreSQL does not know", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        start(path.join(yield* temporary, "db"), { settings: { ...settings, colour: "red" } })
      )
      assert.strictEqual(error.reason, "invalid_settings")
      assert.include(error.message, "colour")
    }).pipe(Effect.scoped)
  )

  it.live("refuses a directory that holds something else", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporary
      yield* Effect.promise(() => fs.writeFile(path.join(dataDir, "letter.txt"), "mine"))
      const error = yield* Effect.flip(start(dataDir))
      assert.strictEqual(error.reason, "invalid_directory")
      const { mode } = yield* Effect.promise(() => fs.stat(dataDir))
      assert.strictEqual(mode & 0o777, 0o755)
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!root)("serves, as root, a directory below one that is closed to the server's user", () =>
    Effect.gen(function* () {
      const parent = yield* temporary
      yield* Effect.promise(() => fs.chmod(parent, 0o700))
      const dataDir = path.join(parent, "db")
      const pid = yield* Effect.scoped(
        Effect.gen(function* () {
          const db = yield* start(dataDir)
          assert.deepStrictEqual(yield* query(db, "select 1 as one"), [{ one: 1 }])
          return yield* postmasterPid(dataDir)
        })
      )
      assert.isFalse(yield* runs(pid))
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!root)("of root lets nobody else in without a password, not the user that it runs as either", () =>
    Effect.gen(function* () {
      const db = yield* start(yield* usedBefore)
      const user = yield* serverUser
      // PostgreSQL's answer to a start message: R (signed in), or E with the reason.
      const knock = `
        const fields = Buffer.from("user\\0gateway\\0database\\0postgres\\0\\0")
        const head = Buffer.alloc(8)
        head.writeInt32BE(8 + fields.length, 0)
        head.writeInt32BE(196608, 4)
        const socket = require("node:net").connect(process.argv[1])
        socket.on("connect", () => socket.write(Buffer.concat([head, fields])))
        socket.on("error", (error) => { console.log(error.code); process.exit() })
        socket.on("data", (data) => { console.log(data.toString("latin1")); process.exit() })`
      const answerTo = (identity: { readonly uid?: number; readonly gid?: number }) =>
        Effect.async<string>((resume) => {
          const args = ["-e", knock, path.join(db.host, ".s.PGSQL.5432")]
          const child = spawn(process.execPath, args, { ...identity, cwd: "/", stdio: ["ignore", "pipe", "pipe"] })
          let output = ""
          for (const stream of [child.stdout, child.stderr])
            stream.on("data", (data: Buffer) => (output += String(data)))
          child.once("close", () => resume(Effect.succeed(output)))
        })
      assert.match(yield* answerTo({}), /^R/)
      assert.match(yield* answerTo({ uid: user.uid, gid: user.gid }), /^E[^]*Peer authentication failed/)
    }).pipe(Effect.scoped)
  )
})
