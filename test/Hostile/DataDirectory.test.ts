import * as fs from "node:fs/promises"
import * as path from "node:path"
import { inspect } from "node:util"
import { NodeContext } from "@effect/platform-node"
import { assert, it, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { AccountsPostgres } from "../../src/Layers/Accounts/AccountsPostgres.ts"
import { firstStart } from "../../src/Layers/Accounts/FirstStart.ts"
import { AccessTokensPostgres } from "../../src/Layers/Accounts/Tokens/AccessTokensPostgres.ts"
import { Renderer } from "../../src/Layers/Media/Rendering/Renderer.ts"
import { Sealing, SealingLive } from "../../src/Layers/Platform/Sealing.ts"
import { Settings } from "../../src/Layers/Platform/Settings.ts"
import { startGateway, temporaryDirectory } from "../support/processes/GatewayProcess.ts"
import { preparedDataDir } from "../support/processes/PreparedDataDir.ts"
import { testSettings } from "../support/servers/TestServer.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const at = (dataDir: string) => Layer.succeed(Settings, { ...testSettings, dataDir })
const io = <A>(operation: () => Promise<A>) => Effect.promise(operation)
const bitsOf = (file: string) => io(async () => ((await fs.lstat(file)).mode & 0o777).toString(8))

/** Effects under the widest umask, as a careless service has it. */
const carelessly = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => process.umask(0)),
    () => effect,
    (before) => Effect.sync(() => process.umask(before))
  )

const sealing = (dataDir: string) =>
  Effect.provide(Sealing, SealingLive.pipe(Layer.provide(at(dataDir)))).pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map()))
  )

layer(
  Layer.mergeAll(AccessTokensPostgres, AccountsPostgres, NodeContext.layer).pipe(Layer.provideMerge(TestDatabase)),
  {
    excludeTestServices: true
  }
)("what another user has put into the data directory", (it) => {
  it.scoped("a link in place of the first token takes it nowhere, and its file is closed", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryDirectory
      const elsewhere = path.join(yield* temporaryDirectory, "stolen")
      yield* io(() => fs.writeFile(elsewhere, "", { mode: 0o666 }))
      yield* io(() => fs.symlink(elsewhere, path.join(dataDir, "owner-token")))
      yield* carelessly(Effect.provide(firstStart, at(dataDir)))
      assert.strictEqual(yield* io(() => fs.readFile(elsewhere, "utf8")), "")
      const file = path.join(dataDir, "owner-token")
      assert.match(yield* io(() => fs.readFile(file, "utf8")), /^pgw_/)
      assert.strictEqual(yield* bitsOf(file), "600")
      assert.deepStrictEqual(yield* io(() => fs.readdir(dataDir)), ["owner-token"])
    })
  )
})

it.scopedLive("a key that others know or may change seals nothing", () =>
  Effect.gen(function* () {
    const theirs = path.join(yield* temporaryDirectory, "known-key")
    yield* io(() => fs.writeFile(theirs, "k".repeat(43), { mode: 0o600 }))
    const plants: ReadonlyArray<(file: string) => Promise<void>> = [
      (file) => fs.symlink(theirs, file),
      (file) => fs.writeFile(file, "k".repeat(43)).then(() => fs.chmod(file, 0o644)),
      (file) => fs.writeFile(file, "k".repeat(43)).then(() => fs.chmod(file, 0o620)),
      (file) => fs.mkdir(file)
    ]
    for (const plant of plants) {
      const dataDir = yield* temporaryDirectory
      yield* io(() => plant(path.join(dataDir, "sealing-key")))
      assert.include(inspect(yield* Effect.flip(sealing(dataDir))), "DATA_DIR")
    }
    if (process.geteuid?.() === 0) {
      const dataDir = yield* temporaryDirectory
      const file = path.join(dataDir, "sealing-key")
      yield* io(() => fs.writeFile(file, "k".repeat(43), { mode: 0o600 }).then(() => fs.chown(file, 65_000, 65_000)))
      assert.include(inspect(yield* Effect.flip(sealing(dataDir))), "DATA_DIR")
    }
  })
)

it.scopedLive("the key that the gateway makes is closed whatever the umask, and opens what it sealed", () =>
  Effect.gen(function* () {
    const dataDir = path.join(yield* temporaryDirectory, "new")
    const { seal } = yield* carelessly(sealing(dataDir))
    assert.strictEqual(yield* bitsOf(path.join(dataDir, "sealing-key")), "600")
    const sealed = seal(Redacted.make("secret"), "owner")
    const opened = (yield* sealing(dataDir)).open(sealed, "owner")
    assert.isTrue(opened._tag === "Some" && Redacted.value(opened.value) === "secret")
  })
)

it.scopedLive("a link in place of the folder of renders has nothing removed behind it", () =>
  Effect.gen(function* () {
    const dataDir = yield* temporaryDirectory
    const precious = yield* temporaryDirectory
    const long = new Date(Date.now() - 7 * 24 * 3_600_000)
    const old = async (folder: string) => {
      await fs.mkdir(folder, { recursive: true })
      await fs.utimes(folder, long, long)
    }
    yield* io(() => old(path.join(precious, "render-mail")))
    yield* io(() => fs.symlink(precious, path.join(dataDir, "renders")))
    const start = (directory: string) =>
      Effect.provide(Renderer, Renderer.layerAt("/nowhere").pipe(Layer.provide(at(directory))))
    yield* start(dataDir)
    assert.deepStrictEqual(yield* io(() => fs.readdir(precious)), ["render-mail"])

    const ordinary = yield* temporaryDirectory
    yield* io(() => old(path.join(ordinary, "renders", "render-left")))
    yield* io(() => old(path.join(ordinary, "renders", "other")))
    yield* start(ordinary)
    assert.deepStrictEqual(yield* io(() => fs.readdir(path.join(ordinary, "renders"))), ["other"])
  })
)

const secrets = {
  SEALING_KEY: "sealing-key-that-no-list-of-processes-shows",
  LANGUAGE_MODEL_API_KEY: "model-key-that-no-list-of-processes-shows",
  MAIL_INBOUND_SECRET: "mail-secret-that-no-list-of-processes-shows",
  OPERATIONS_TOKEN: "operations-token-that-no-list-of-processes-shows"
}

/** A process and all that it has started, those that left its session too. */
const descendants = async (root: number): Promise<ReadonlyArray<number>> => {
  const parents = new Map<number, number>()
  for (const name of (await fs.readdir("/proc")).filter((one) => /^\d+$/.test(one))) {
    const stat = await fs.readFile(`/proc/${name}/stat`, "latin1").catch(() => "")
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0))
  }
  const family = [root]
  for (const member of family) for (const [pid, parent] of parents) if (parent === member) family.push(pid)
  return family
}

it.scopedLive.skipIf(process.platform !== "linux")(
  "no argument of the gateway's processes is a secret, and its database knows none",
  () =>
    Effect.gen(function* () {
      const dataDir = yield* preparedDataDir
      const gateway = yield* startGateway(dataDir, { ...secrets, LOG_LEVEL: "DEBUG" })
      const token = (yield* io(() => fs.readFile(path.join(dataDir, "owner-token"), "utf8"))).trim()
      const hidden = [...Object.values(secrets), token]
      const pids = yield* io(() => descendants(gateway.process.pid ?? 0))
      assert.isAbove(pids.length, 1)
      for (const pid of pids) {
        const line = yield* io(() => fs.readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => ""))
        const environment =
          pid === gateway.process.pid
            ? ""
            : yield* io(() => fs.readFile(`/proc/${pid}/environ`, "latin1").catch(() => ""))
        for (const secret of hidden) assert.notInclude(`${line}${environment}`, secret, `process ${pid}: ${line}`)
      }
      for (const secret of hidden) assert.notInclude(gateway.output(), secret)
    })
)
