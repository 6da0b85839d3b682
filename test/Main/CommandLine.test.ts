import { execFile } from "node:child_process"
import { Command } from "@effect/cli"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { Operations, rooms } from "../../src/Layers/App.ts"
import { asksForHelp, commandHelp } from "../../src/Layers/Platform/Operators/CommandHelp.ts"
import { runCommand } from "../support/leads/RoomCommands.ts"
import { gatewayCommand, startGateway, temporaryDirectory } from "../support/processes/GatewayProcess.ts"
import { testDatabaseUrl } from "../support/TestDatabase.ts"

interface Ended {
  readonly code: number
  readonly output: string
  readonly errors: string
}

/** Runs one command to its end. */
const run = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  Effect.async<Ended>((resume) => {
    const [program, ...leading] = gatewayCommand
    execFile(
      program,
      [...leading, ...args],
      { env: { PATH: process.env["PATH"], HOME: process.env["HOME"], NO_COLOR: "1", ...environment } },
      (error, output, errors) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1
        resume(Effect.succeed({ code, output, errors }))
      }
    )
  })

const whoami = (baseUrl: string, token: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${baseUrl}/rest/v1/call/whoami`, { headers: { Authorization: `Bearer ${token}` } })
    const body: unknown = await response.json()
    return { status: response.status, body }
  })

/** Runs commands in this process, as one of the command line would: a process takes two seconds to start. */
const here = (environment: Readonly<Record<string, string>>, ...commands: ReadonlyArray<ReadonlyArray<string>>) =>
  Effect.forEach(commands, (args) => runCommand(rooms.commands, args)).pipe(
    Effect.provide(Operations),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries({ LOG_LEVEL: "OFF", ...environment }))))
  )

it.scopedLive("accounts and tokens are made, listed and revoked beside a gateway that runs", () =>
  Effect.gen(function* () {
    const dataDir = yield* temporaryDirectory
    const environment = { DATABASE_URL: yield* testDatabaseUrl, DATA_DIR: dataDir }
    const migrated = yield* run(["migrate"], { ...environment, LOG_LEVEL: "All" })
    assert.deepInclude(migrated, { code: 0, output: "The database is at the newest version.\n" })
    const log = migrated.errors.split("\n").filter((line) => line !== "")
    assert.isNotEmpty(log, "migrations are logged")
    for (const line of log) assert.property(JSON.parse(line), "logLevel")

    const { baseUrl } = yield* startGateway(dataDir, environment)
    const [account] = yield* here(environment, ["account", "create", "--name", "Clinic", "--plan", "paid"])
    assert.strictEqual(account, "account 2 (paid)")
    const created = yield* run(["token", "create", "--account", "2", "--label", "CRM bridge"], environment)
    assert.strictEqual(created.code, 0)
    const token = /^pgw_\w{40}$/m.exec(created.output)?.[0] ?? assert.fail(created.output)
    const id = /^token (\d+) /.exec(created.output)?.[1] ?? assert.fail(created.output)
    assert.deepInclude((yield* whoami(baseUrl, token)).body, {
      account_id: 2,
      name: "Clinic",
      plan: "paid"
    })

    const [accounts, listed, revoked] = yield* here(
      environment,
      ["account", "list"],
      ["token", "list", "--account", "2"],
      ["token", "revoke", "--account", "2", "--token", id]
    )
    assert.include(accounts, "Clinic")
    assert.include(listed, "CRM bridge")
    assert.notInclude(listed, token)
    assert.strictEqual(revoked, `token ${id} is revoked`)
    assert.strictEqual((yield* whoami(baseUrl, token)).status, 401)
  })
)

it.scopedLive("what cannot be done is told in one line, with a code that is not 0", () =>
  Effect.gen(function* () {
    const environment = { DATABASE_URL: yield* testDatabaseUrl, DATA_DIR: yield* temporaryDirectory }
    const results = yield* Effect.all(
      {
        help: run(["--help"]),
        unknown: run(["token", "create", "--account", "77"], environment),
        plan: run(["account", "create", "--name", "Clinic", "--plan", "gold"], environment),
        setting: run(["serve"], { ...environment, PORT: "eighty" })
      },
      { concurrency: 2 }
    )
    assert.strictEqual(results.help.code, 0)
    for (const command of [
      "serve",
      "sample",
      "migrate",
      "account create",
      "account list",
      "account update",
      "token create",
      "token list",
      "token revoke"
    ]) {
      assert.include(results.help.output, command)
    }
    assert.notStrictEqual(results.unknown.code, 0)
    assert.strictEqual(results.unknown.errors, "gateway: There is no account 77.\n")
    for (const { code } of [results.plan, results.setting]) assert.notStrictEqual(code, 0)
    assert.include(results.plan.errors + results.plan.output, "free_trial")
    assert.include(results.setting.errors, "PORT")
    assert.notInclude(results.setting.errors, "    at ")
    for (const [expires, error] of [
      ["soon", "soon is not a date."],
      ["2020-01-01", "2020-01-01 has passed."]
    ] as const) {
      const refusal = yield* Effect.flip(here(environment, ["token", "create", "--account", "1", "--expires", expires]))
      assert.strictEqual("error" in refusal ? refusal.error : refusal._tag, error)
    }

    // The whole command with its options, from the program's name on: asked for, or where it could not be read.
    const createToken = "gateway token create --account integer [--label text] [--expires text]"
    assert.include(results.help.output, `${createToken}\n    Creates an access token`)
    assert.include(results.plan.errors, "gateway account create --name text [--email text]")
    assert.strictEqual(results.plan.output, "")
  })
)

it("help on a command says what each of its options is for; on a group it is each of its commands, whole", () => {
  const { descriptor: root } = Command.make("gateway").pipe(
    Command.withSubcommands([
      Command.make("serve"),
      ...rooms.commands.map((one) => Command.fromDescriptor(one, () => Effect.void))
    ])
  )
  const leaf = commandHelp("gateway", root, ["token", "create", "--help"])
  assert.isTrue(leaf.startsWith("gateway token create --account integer [--label text] [--expires text]\n"), leaf)
  assert.match(leaf, /^ {2}--expires text +When it ends to work \(ISO 8601\); never unless told\.$/m)
  assert.notInclude(leaf, "--wizard")
  const group = commandHelp("gateway", root, ["token"])
  for (const command of ["token create", "token list", "token revoke"]) {
    assert.include(group, `gateway ${command} --account integer`)
  }
  assert.notInclude(group, "gateway account")
  for (const [args, asks] of [
    [[], true],
    [["token"], true],
    [["token", "-h"], true],
    [["token", "list", "--help"], true],
    [["token", "list"], false],
    [["token", "list", "--account", "1"], false],
    [["--version"], false],
    [["tokens"], false]
  ] as const) {
    assert.strictEqual(asksForHelp(root, args), asks, args.join(" "))
  }
})
