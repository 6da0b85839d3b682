import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, it, layer } from "@effect/vitest"
import { Cause, ConfigProvider, Effect, Exit } from "effect"
import { Operations, rooms } from "../../src/Layers/App.ts"
import { runCommand } from "../support/leads/RoomCommands.ts"
import { gatewayCommand, startGateway, temporaryDirectory } from "../support/processes/GatewayProcess.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { TestDatabase, testDatabaseUrl } from "../support/TestDatabase.ts"

/** Clears the screen, writes to the clipboard, renames the window, turns letters around, hides some, begins a new line. */
const trap =
  "Ok\u001b[2J\u001b]52;c;cm0gLXJm\u0007\u001b]0;x\u0007\u009b31m\u202etxt.exe\u200b\raccount 1 (paid)\nrequest 1 of account 1"

const environment = Effect.gen(function* () {
  return { LOG_LEVEL: "OFF", DATABASE_URL: yield* testDatabaseUrl, DATA_DIR: yield* temporaryDirectory }
})

const inThisProcess = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(environment, (settings) =>
    effect.pipe(
      Effect.provide(Operations),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))
    )
  )

const runRoom = (...args: ReadonlyArray<string>) => runCommand(rooms.commands, args)

layer(TestDatabase, { excludeTestServices: true })("the operator's command line", (it) => {
  it.scoped("shows other people's words without what a terminal would execute, and one record a line", () =>
    Effect.gen(function* () {
      // Each environment has another database, so all is done in one.
      const outputs = yield* inThisProcess(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* runRoom("account", "create", "--name", trap, "--plan", "paid")
          const [created] = yield* sql<{ readonly id: number }>`select max(account_id)::int as id from account`
          const account = created?.id ?? 0
          yield* runRoom("token", "create", "--account", `${account}`, "--label", trap)
          yield* sql`
        insert into support_request (account_id, message, type, severity, created_at)
        values (${account}, ${trap}, 'technical', 'high', now())`
          // Without the site that it is about.
          yield* sql`set local session_replication_role = replica`.pipe(
            Effect.zipRight(sql`
          insert into website_report (account_id, website_id, reason, message, contact, network_hash)
          values (${account}, 1, 'fraud', ${trap}, ${trap}, '')`),
            sql.withTransaction
          )
          return yield* Effect.all({
            accounts: runRoom("account", "list"),
            tokens: runRoom("token", "list", "--account", `${account}`),
            support: runRoom("support", "list"),
            request: runRoom("support", "show", "--account", `${account}`, "--request", "1"),
            reports: runRoom("website", "reports"),
            audit: runRoom("audit", "list", "--account", `${account}`)
          })
        })
      )
      for (const [command, text] of Object.entries(outputs)) {
        assert.notMatch(text, /[\p{Cf}]|(?![\n\t])\p{Cc}/u, command)
      }
      assert.include(outputs.support, "Ok?[2J")
      assert.include(outputs.reports, "1 reports")
      assert.include(outputs.accounts + outputs.tokens, "cm0gLXJm")
      for (const text of [outputs.support, outputs.reports]) {
        const records = text.split("\n").filter((line) => /^(?:account|request) 1/.test(line))
        assert.lengthOf(records, 1, text)
      }
    })
  )

  it.scoped("answers each argument that means nothing with a sentence, and changes nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = sql`
        select (select count(*) from account) as accounts, (select count(*) from access_token) as tokens,
          (select count(*) from support_request where answer is not null) as answers`
      const before = yield* rows
      const values = [
        "-1",
        "0",
        "1.5",
        "1e309",
        "NaN",
        "99999999999999999999",
        "--help=x",
        "' or 1=1 --",
        "$(id)",
        "../..",
        "",
        trap
      ]
      const withNumber: ReadonlyArray<(value: string) => ReadonlyArray<string>> = [
        (value) => ["token", "list", "--account", value],
        (value) => ["token", "revoke", "--account", "1", "--token", value],
        (value) => ["audit", "list", "--account", "1", "--since", value],
        (value) => ["support", "show", "--account", "1", "--request", value],
        (value) => ["reports", "rebuild", "--account", value],
        (value) => ["ads", "fund", "--account", "1", "--campaign", value, "--amount", value, "--reference", value],
        (value) => ["subdomain", "approve", "--account", value, "example"],
        (value) => ["website", "suspend", value, "--reason", ""],
        (value) => ["website", "close-report", "--account", "1", "--report", value],
        (value) => ["companies", "load", value === "../.." ? "/dev/null" : `/nowhere/${value}`]
      ]
      const results = yield* inThisProcess(
        Effect.forEach(
          withNumber.flatMap((command) => values.map(command)),
          (args) => Effect.map(Effect.exit(runRoom(...args)), (exit) => ({ args, exit }))
        )
      )
      const defects = results.flatMap(({ args, exit }) =>
        Exit.isFailure(exit) && Cause.isDie(exit.cause) ? [`${args.join(" ")}: ${Cause.pretty(exit.cause)}`] : []
      )
      assert.deepStrictEqual(defects, [])
      assert.deepStrictEqual(yield* rows, before)
    })
  )
})

/** Runs the program to its end, or to the end of five seconds. */
const run = (args: ReadonlyArray<string>, settings: Readonly<Record<string, string>>) =>
  Effect.async<{ readonly output: string; readonly errors: string }>((resume) => {
    const [program, ...leading] = gatewayCommand
    const child = execFile(
      program,
      [...leading, ...args],
      { env: { PATH: process.env["PATH"], HOME: process.env["HOME"], NO_COLOR: "1", ...settings }, timeout: 20_000 },
      (_, output, errors) => resume(Effect.succeed({ output, errors }))
    )
    child.stdin?.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  })

it.scopedLive("a link in place of the owner's token sends no other file to the address of the gateway", () =>
  Effect.gen(function* () {
    const dataDir = yield* temporaryDirectory
    const secret = path.join(yield* temporaryDirectory, "id_rsa")
    yield* Effect.promise(async () => {
      await fs.writeFile(secret, "the key of another service", { mode: 0o600 })
      await fs.symlink(secret, path.join(dataDir, "owner-token"))
    })
    const listener = yield* localHttpServer((_, response) => response.end("{}"))
    const { errors } = yield* run(["mcp", "--url", `${listener.url}/mcp`], { DATA_DIR: dataDir })
    assert.include(errors, "There is no access token.")
    assert.deepStrictEqual(listener.requests, [])
  })
)

/** Files and folders that others may read or write, but those below a closed folder. */
const openToOthers = async (folder: string): Promise<ReadonlyArray<string>> => {
  const open: Array<string> = []
  for (const entry of await fs.readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    const { mode } = await fs.lstat(file)
    const isClosed = (mode & 0o077) === 0
    if (!isClosed && !entry.isDirectory()) open.push(file)
    if (!isClosed && entry.isDirectory()) open.push(...(await openToOthers(file)))
  }
  return open
}

it.scopedLive.skipIf(process.platform !== "linux")(
  "a service that is started with the widest umask keeps its files to itself",
  () =>
    Effect.gen(function* () {
      const dataDir = path.join(yield* temporaryDirectory, "data")
      yield* startGateway(dataDir, {}, ["sh", "-c", 'umask 0; exec "$0" "$@"', ...gatewayCommand, "serve"])
      const files = yield* Effect.promise(() => fs.readdir(dataDir))
      assert.includeMembers(files, ["owner-token", "sealing-key"])
      assert.deepStrictEqual(yield* Effect.promise(() => openToOthers(dataDir)), [])
    })
)
