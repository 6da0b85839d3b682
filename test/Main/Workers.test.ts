import * as fs from "node:fs/promises"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Ref } from "effect"
import {
  callOver,
  freePort,
  ownerToken,
  startGateway,
  temporaryDirectory,
  until
} from "../support/processes/GatewayProcess.ts"
import { preparedDataDir } from "../support/processes/PreparedDataDir.ts"

/** The processes that the supervisor reports to have started, oldest first. */
const startedWorkers = (output: string): ReadonlyArray<number> =>
  [...output.matchAll(/"message":"worker started"[^\n]*?"pid":(\d+)/g)].map(([, pid]) => Number(pid))

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const handledCalls = (port: number) =>
  Effect.promise(async () => {
    const page = await fetch(`http://127.0.0.1:${port}/metrics`).then((response) => response.text())
    const lines = page.split("\n").filter((line) => /^gateway_tool_calls_total\{[^}]*tool="whoami"/.test(line))
    return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0)
  })

it.scopedLive(
  "two workers share the port, are started again after a kill, and are replaced without a lost call",
  () =>
    Effect.gen(function* () {
      const [dataDir, backups] = [yield* preparedDataDir, yield* temporaryDirectory]
      // The user of the embedded database must be able to enter.
      yield* Effect.promise(() => fs.chmod(backups, 0o755))
      const operationsPort = yield* freePort
      const gateway = yield* startGateway(dataDir, {
        WORKERS: "2",
        OPERATIONS_PORT: `${operationsPort}`,
        DATABASE_POOL_SIZE: "4",
        BACKUP_DIR: backups,
        BACKUP_PASSPHRASE: "correct horse battery staple",
        BACKUP_EVERY_HOURS: "1",
        BACKUP_WAL: "true",
        BACKUP_WAL_SECONDS: "1"
      })
      const workers = () => startedWorkers(gateway.output())
      const workersReach = (count: number) =>
        until((pids: ReadonlyArray<number>) => pids.length >= count, "5 minutes")(Effect.sync(workers))
      yield* workersReach(2)
      const token = yield* ownerToken(dataDir)
      const call = Effect.map(callOver(gateway, token, "whoami"), ({ status }) => status)
      yield* until(
        (status: number) => status === 200,
        "5 minutes"
      )(
        Effect.promise(() =>
          fetch(`http://127.0.0.1:${operationsPort + 1}/health/ready`).then(
            ({ status }) => status,
            () => 0
          )
        )
      )

      // Each call has a separate connection, since the client closes it.
      for (let index = 0; index < 40; index++) {
        const response = yield* Effect.promise(() =>
          fetch(`${gateway.baseUrl}/rest/v1/call/whoami`, {
            headers: { Authorization: `Bearer ${token}`, Connection: "close" }
          })
        )
        assert.strictEqual(response.status, 200)
        yield* Effect.promise(() => response.text())
      }
      const shares = [yield* handledCalls(operationsPort), yield* handledCalls(operationsPort + 1)]
      assert.strictEqual((shares[0] ?? 0) + (shares[1] ?? 0), 40)
      for (const share of shares) assert.isAtLeast(share, 10, JSON.stringify(shares))

      // One process has the embedded server: the parent of both.
      const parentOf = async (pid: number) =>
        /^PPid:\s+(\d+)$/m.exec(await fs.readFile(`/proc/${pid}/status`, "utf8"))?.[1]
      for (const pid of workers()) {
        assert.strictEqual(yield* Effect.promise(() => parentOf(pid)), String(gateway.process.pid))
      }

      // To workers it is the embedded server too: its files are copied, and its log is archived.
      const entriesOf = (folder: string) => Effect.promise(() => fs.readdir(folder).catch((): Array<string> => []))
      const [manifest = ""] = yield* entriesOf(backups).pipe(
        Effect.map((names) => names.filter((name) => /^\d{8}T\d{6}Z-[0-9a-f]{8}$/.test(name))),
        until((names: ReadonlyArray<string>) => names.length > 0, "5 minutes")
      )
      const kindOf = Effect.promise(() => fs.readFile([backups, manifest, "manifest.json"].join("/"), "utf8"))
      assert.include((yield* kindOf).replaceAll(" ", ""), `"kind":"base"`)
      assert.isNotEmpty(yield* entriesOf(`${backups}/wal`))

      const [killed = 0] = workers()
      process.kill(killed, "SIGKILL")
      yield* workersReach(3)
      assert.isFalse(isRunning(killed))
      assert.strictEqual(yield* call, 200)

      // Calls without a pause while all workers are replaced.
      const statuses = yield* Ref.make<ReadonlyArray<number>>([])
      const calling = yield* Effect.fork(
        Effect.forever(Effect.flatMap(call, (status) => Ref.update(statuses, (all) => [...all, status])))
      )
      // A proxy asks without knowing which worker answers.
      const readiness = yield* Ref.make<ReadonlyArray<number>>([])
      const isReady = Effect.promise(() => fetch(`${gateway.baseUrl}/health/ready`).then(({ status }) => status))
      const asking = yield* Effect.fork(
        Effect.forever(Effect.flatMap(isReady, (status) => Ref.update(readiness, (all) => [...all, status])))
      )
      gateway.process.kill("SIGHUP")
      yield* workersReach(5)
      yield* until(
        (output: string) => output.includes("all workers were replaced"),
        "5 minutes"
      )(Effect.sync(gateway.output))
      yield* Fiber.interruptAll([calling, asking])
      assert.deepStrictEqual([...new Set(yield* Ref.get(readiness))], [200])
      const answers = yield* Ref.get(statuses)
      assert.isAbove(answers.length, 10)
      assert.deepStrictEqual([...new Set(answers)], [200])

      const pids = workers()
      for (const pid of pids.slice(0, 3)) assert.isFalse(isRunning(pid), "the old workers ended")
      gateway.process.kill("SIGTERM")
      yield* until((code: number | null) => code !== null, "5 minutes")(Effect.sync(() => gateway.process.exitCode))
      assert.strictEqual(gateway.process.exitCode, 0, gateway.output())
      for (const pid of pids) assert.isFalse(isRunning(pid))
      const isServing = yield* Effect.promise(() =>
        fs.access(`${dataDir}/postgres/cluster/postmaster.pid`).then(
          () => true,
          () => false
        )
      )
      assert.isFalse(isServing, "the database stopped with the gateway")
    }),
  // Five starts, on a machine that does other work too.
  900_000
)
