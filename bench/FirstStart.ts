import { execFileSync, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { freePorts } from "./support/LocalPrograms.ts"
import { conditions, figure, table } from "./support/Report.ts"

/**
 * How long the package needs from `npx prospecting-gateway` to `/health/ready`: the very first time, with a database that
 * exists, and once the compiled code is cached. `npm run package` makes the package first.
 */

const root = path.resolve(import.meta.dirname, "..")
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "gateway-first-start-"))
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3)

const archive = fs
  .readdirSync(path.join(root, "dist"))
  .filter((name) => name.endsWith(".tgz"))
  .map((name) => path.join(root, "dist", name))[0]
if (archive === undefined) {
  console.error("There is no package: npm run package")
  process.exit(2)
}

interface Start {
  /** Seconds from the command to readiness. */
  readonly total: number
  /** Seconds of it in which the embedded server's files were created. */
  readonly creation: number
}

const start = async (dataDir: string): Promise<Start> => {
  const port = await freePorts(1)
  const cluster = path.join(dataDir, "postgres", "cluster")
  const began = performance.now()
  const child = spawn("npx", ["prospecting-gateway"], {
    cwd: folder,
    // A separate group, since npx passes no signal on.
    detached: true,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], DATA_DIR: dataDir, PORT: String(port) },
    stdio: "ignore"
  })
  let creationBegan: number | undefined
  let creationEnded: number | undefined
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined))?.ok === true
  const existed = fs.existsSync(cluster)
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error("The gateway ended.")
    if (!existed && creationBegan === undefined && fs.existsSync(path.dirname(cluster))) {
      creationBegan = performance.now()
    }
    if (!existed && creationEnded === undefined && fs.existsSync(path.join(cluster, "postmaster.pid"))) {
      creationEnded = performance.now()
    }
    await pause(5)
  }
  const total = (performance.now() - began) / 1000
  const creation = ((creationEnded ?? 0) - (creationBegan ?? 0)) / 1000
  // The process that caches the code ends by itself.
  await pause(6000)
  process.kill(-(child.pid ?? 0), "SIGTERM")
  await new Promise((resolve) => child.once("exit", resolve))
  await pause(1000)
  return { total, creation }
}

const removeCache = () => {
  const build = path.join(folder, "node_modules/prospecting-gateway/build")
  for (const name of fs.readdirSync(build)) if (name.endsWith(".code")) fs.rmSync(path.join(build, name))
}

try {
  fs.writeFileSync(path.join(folder, "package.json"), "{}")
  execFileSync("npm", ["install", "--no-audit", "--no-fund", archive], { cwd: folder, stdio: "ignore" })
  const results: Record<string, Array<Start>> = { "first start": [], "without cached code": [], "later start": [] }
  for (let round = 0; round < rounds; round++) {
    const dataDir = path.join(folder, `data-${round}`)
    removeCache()
    results["first start"]?.push(await start(dataDir))
    removeCache()
    results["without cached code"]?.push(await start(dataDir))
    results["later start"]?.push(await start(dataDir))
  }
  const seconds = (values: ReadonlyArray<number>) => values.map(figure).join(", ")
  console.log(
    [
      conditions(),
      "",
      table(
        ["", "seconds to ready", "without the creation of the server's files"],
        Object.entries(results).map(([name, starts]) => [
          name,
          seconds(starts.map(({ total }) => total)),
          seconds(starts.map(({ creation, total }) => total - creation))
        ])
      )
    ].join("\n")
  )
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}
