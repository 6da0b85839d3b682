import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Array } from "effect"
import pg from "pg"
import { templateDatabase } from "../../test/support/postgres.ts"
import { startCluster } from "./Cluster.ts"
import { isListed } from "./ManyNodes.ts"
import { programsOf } from "./Programs.ts"
import { judgeStatements } from "./Statements.ts"

/** Folders of tests without a database, and folders that contain no tests. */
const elsewhere = new Set(["Laws", "launch", "lint", "support"])

/** The tests of all rooms, of the gateway and of the platform. */
const defaultTests = fs
  .readdirSync("test", { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !elsewhere.has(entry.name))
  .map(({ name }) => `test/${name}`)

const [source, ...others] = process.argv.slice(2)
if (source === undefined) {
  console.error(`npm run test:citus -- SOURCE [TESTS]
  SOURCE is a folder with the source of Citus, which is built and installed first (as root), or the folder of the programs of a
  Postgres that has the extensions citus and pg_stat_statements. Runs the tests, the whole suite unless some are named, on a
  coordinator and two workers, and tells how the cluster runs each statement of theirs.
npm run test:citus -- SOURCE --statements FOLDER
  Judges the statements that runs of vitest on one Postgres with STATEMENT_LOG=FOLDER have written down.`)
  process.exit(2)
}
const statementsFolder = others[0] === "--statements" ? others[1] : undefined
const folder = statementsFolder ?? fs.mkdtempSync(path.join(os.tmpdir(), "gateway-statements-"))
const files =
  statementsFolder !== undefined
    ? ["test/Platform/Postgres/statements/StatementName.test.ts"]
    : others.length > 0
      ? others
      : defaultTests

const { nodes, stop } = startCluster(programsOf(source), 2, 7900)
try {
  const [coordinator] = nodes
  if (coordinator === undefined) throw new Error("no coordinator")
  const environment = {
    ...process.env,
    TEST_CLUSTER: nodes.map(({ host, port }) => `${host}:${port}`).join(","),
    ...(statementsFolder === undefined ? { STATEMENT_LOG: folder } : {})
  }
  const status = await new Promise<number>((resolve) => {
    const patience = ["--testTimeout", "300000", "--hookTimeout", "300000"]
    const tests = spawn("npx", ["vitest", "run", ...patience, ...files], { env: environment, stdio: "inherit" })
    tests.on("exit", (code) => resolve(code ?? 1))
  })
  // No sessions may be connected to the template while tests clone it.
  for (const node of nodes) {
    const client = new pg.Client({ host: node.host, port: node.port, user: "postgres", database: "postgres" })
    await client.connect()
    await client.query(`alter database ${templateDatabase} with allow_connections true`)
    await client.end()
  }
  const judged = await judgeStatements(coordinator, folder)
  const ways = Array.groupBy(judged, ({ way }) => way)
  console.table(Object.entries(ways).map(([way, statements]) => ({ way, statements: statements.length })))
  const [listed, unlisted] = Array.partition(ways["all nodes"] ?? [], ({ statement }) => !isListed(statement))
  console.log(`of all nodes: ${listed.length} as listed, ${unlisted.length} not`)
  const mistakes = [...unlisted, ...(ways["refused"] ?? [])]
  for (const { failure, file, statement, way } of mistakes) {
    console.log(`${way}${failure === undefined ? "" : ` (${failure})`}, ${file}: ${statement.slice(0, 400)}`)
  }
  process.exitCode = status !== 0 && statementsFolder === undefined ? status : mistakes.length === 0 ? 0 : 1
} finally {
  stop()
  if (statementsFolder === undefined) fs.rmSync(folder, { recursive: true, force: true })
}
