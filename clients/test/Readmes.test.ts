import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, inject, it } from "vitest"
import { makePgwShell } from "./support/PgwShell.ts"
import { python } from "./support/python.ts"
import { blocksOf, isShortened, stepsOf } from "./support/Transcript.ts"

const run = promisify(execFile)
const clients = path.resolve(import.meta.dirname, "..")
const { token, url } = inject("gateway")
const environment = { ...process.env, GATEWAY_URL: url, GATEWAY_TOKEN: token }

describe("the document of the client for TypeScript", () => {
  it("has examples that run", async () => {
    const { stdout } = await run(
      process.execPath,
      ["--import", "tsx", path.join(clients, "test/generated/readme.ts")],
      {
        env: environment
      }
    )
    assert.include(stdout, "lead_not_found")
    assert.include(stdout, "import_finished")
  })
})

describe("the document of pgw", () => {
  it("shows what a new user sees", { timeout: 300_000 }, async () => {
    const shell = await makePgwShell({ TOKEN: token, GATEWAY: url })
    try {
      const blocks = blocksOf(await fs.readFile(path.join(clients, "pgw/README.md"), "utf8"))
      const steps = blocks.flatMap(({ language, text }) => (language === "console" ? stepsOf(text) : []))
      assert.isAtLeast(steps.length, 10)
      for (const { command, output: shownLines } of steps) {
        const { output } = await shell.run(`exec 2>&1; { ${command}; }; code=$?; [ $code = 0 ] || echo "[exit $code]"`)
        const printed = output.trimEnd().split(/\r?\n/)
        const text = `$ ${command}\nshould print\n${shownLines.join("\n")}\nbut prints\n${output}`
        if (shownLines.length > 0) assert.isTrue(isShortened(shownLines[0] ?? "", printed[0] ?? ""), text)
        if (shownLines.length > 1) assert.isTrue(isShortened(shownLines.at(-1) ?? "", printed.at(-1) ?? ""), text)
      }
      const stored = await fs.stat(path.join(shell.home, ".config/pgw/profiles.json"))
      assert.strictEqual(stored.mode & 0o777, 0o600)
    } finally {
      await shell.remove()
    }
  })
})

describe.skipIf(python === undefined)("the client for Python (needs python3-httpx and python3-pytest)", () => {
  const folder = path.join(clients, "python")

  it("passes its tests", { timeout: 300_000 }, async () => {
    await run(python ?? "", ["-m", "pytest", "-q", "-p", "no:cacheprovider"], { cwd: folder, env: environment })
  })

  it("has examples that run", async () => {
    const { stdout } = await run(python ?? "", [path.join(clients, "test/generated/readme.py")], {
      env: { ...environment, PYTHONPATH: path.join(folder, "src") }
    })
    assert.include(stdout, "lead_not_found")
    assert.include(stdout, "import_finished")
  })

  it("has types without a gap, as pyright sees it in its strict mode", { timeout: 300_000 }, async () => {
    const pyright = path.resolve(clients, "../node_modules/pyright/index.js")
    await run(process.execPath, [pyright, "-p", folder, "--pythonpath", python ?? ""]).catch(
      (cause: { readonly stdout: string }) => assert.fail(cause.stdout.slice(-5_000))
    )
  })
})
