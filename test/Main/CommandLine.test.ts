import { execFile } from "node:child_process"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { gatewayCommand, startGateway, temporaryDirectory } from "../support/GatewayProcess.ts"
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

it.scopedLive("accounts and tokens are made, listed and revoked beside a gateway that runs", () =>
  Effect.gen(function* () {
    const dataDir = yield* temporaryDirectory
    const environment = { DATABASE_URL: yield* testDatabaseUrl, DATA_DIR: dataDir }
    const migrated = yield* run(["migrate"], environment)
    assert.deepInclude(migrated, { code: 0, output: "The database is at the newest version.\n" })

    const { baseUrl } = yield* startGateway(dataDir, environment)
    const account = yield* run(["account", "create", "--name", "Clinic", "--plan", "paid"], environment)
    assert.strictEqual(account.output, "account 2 (paid)\n")
    const created = yield* run(["token", "create", "--account", "2", "--label", "CRM bridge"], environment)
    assert.strictEqual(created.code, 0)
    const token = /^pgw_\w{40}$/m.exec(created.output)?.[0] ?? assert.fail(created.output)
    const id = /^token (\d+) /.exec(created.output)?.[1] ?? assert.fail(created.output)
    assert.deepInclude((yield* whoami(baseUrl, token)).body, {
      account_id: 2,
      name: "Clinic",
      plan: "paid"
    })

    const listed = yield* run(["token", "list", "--account", "2"], environment)
    assert.include(listed.output, "CRM bridge")
    assert.notInclude(listed.output, token)

    const revoked = yield* run(["token", "revoke", "--account", "2", "--token", id], environment)
    assert.strictEqual(revoked.output, `token ${id} is revoked\n`)
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
        date: run(["token", "create", "--account", "1", "--expires", "soon"], environment),
        past: run(["token", "create", "--account", "1", "--expires", "2020-01-01"], environment),
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
      "token create",
      "token list",
      "token revoke"
    ]) {
      assert.include(results.help.output, command)
    }
    assert.notStrictEqual(results.unknown.code, 0)
    assert.strictEqual(results.unknown.errors, "gateway: There is no account 77.\n")
    assert.strictEqual(results.past.errors, "gateway: 2020-01-01 has passed.\n")
    for (const { code } of [results.date, results.past, results.plan, results.setting]) assert.notStrictEqual(code, 0)
    assert.include(results.plan.errors + results.plan.output, "free_trial")
    assert.include(results.setting.errors, "PORT")
    assert.notInclude(results.setting.errors, "    at ")
  })
)
