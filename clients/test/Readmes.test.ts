import { execFile, execFileSync } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, inject, it } from "vitest"

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

interface Step {
  readonly command: string
  readonly output: ReadonlyArray<string>
}

/** Each command of a document with the lines that it shows; `…` replaces what is left out. */
const stepsIn = (markdown: string): ReadonlyArray<Step> =>
  [...markdown.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [command = "", ...output] = text.trimEnd().split("\n")
        return { command, output }
      })
  )

const isShortened = (shownLine: string, printedLine: string): boolean => {
  const parts = shownLine.split("…")
  let position = 0
  for (const [index, part] of parts.entries()) {
    const at = printedLine.indexOf(part, position)
    if (at < 0 || (index === 0 && at > 0)) return false
    position = at + part.length
  }
  return printedLine.endsWith(parts.at(-1) ?? "")
}

describe("the document of pgw", () => {
  it("shows what a new user sees", { timeout: 300_000 }, async () => {
    const home = await fs.mkdtemp(path.join(os.tmpdir(), "pgw-"))
    try {
      await fs.mkdir(path.join(home, "bin"))
      const program = path.join(clients, "pgw/dist/pgw.js")
      await fs.writeFile(path.join(home, "bin/pgw"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
        mode: 0o755
      })
      const shell = {
        cwd: home,
        env: { HOME: home, PATH: `${home}/bin:${process.env["PATH"]}`, TOKEN: token, GATEWAY: url }
      }
      const steps = stepsIn(await fs.readFile(path.join(clients, "pgw/README.md"), "utf8"))
      assert.isAtLeast(steps.length, 10)
      for (const { command, output } of steps) {
        const { stdout } = await run(
          "bash",
          ["-c", `{ ${command}; } 2>&1; code=$?; [ $code = 0 ] || echo "[exit $code]"`],
          shell
        )
        const printed = stdout.trimEnd().split(/\r?\n/)
        const text = `$ ${command}\nshould print\n${output.join("\n")}\nbut prints\n${stdout}`
        if (output.length > 0) assert.isTrue(isShortened(output[0] ?? "", printed[0] ?? ""), text)
        if (output.length > 1) assert.isTrue(isShortened(output.at(-1) ?? "", printed.at(-1) ?? ""), text)
      }
      const stored = await fs.stat(path.join(home, ".config/pgw/profiles.json"))
      assert.strictEqual(stored.mode & 0o777, 0o600)
    } finally {
      await fs.rm(home, { recursive: true, force: true })
    }
  })
})

/** Debian's Python has the packages of Debian, which another one on the path does not see. */
const python = ["/usr/bin/python3", "python3"].find((program) => {
  try {
    execFileSync(program, ["-c", "import httpx, pytest"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
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
