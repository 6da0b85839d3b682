import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"

const root = path.resolve(import.meta.dirname, "../..")

/** A project of one line in place of the gateway, with its own launcher and packages. */
const project = Effect.acquireRelease(
  Effect.sync(() => {
    const directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "gateway-package-")))
    const write = (file: string, text: string) => {
      fs.mkdirSync(path.dirname(path.join(directory, file)), { recursive: true })
      fs.writeFileSync(path.join(directory, file), text)
    }
    fs.cpSync(path.join(root, "launch"), path.join(directory, "launch"), { recursive: true })
    fs.symlinkSync(path.join(root, "node_modules"), path.join(directory, "node_modules"))
    write(
      "package.json",
      JSON.stringify({
        name: "tiny",
        version: "1.2.3",
        private: true,
        type: "module",
        scripts: { test: "x" },
        dependencies: { effect: "3.0.0", esbuild: "0.1.0" },
        devDependencies: { vitest: "1.0.0" }
      })
    )
    for (const document of ["README.md", "LICENSE", "CHANGELOG.md"]) write(document, document)
    write(
      "src/Main.ts",
      `import { readFileSync } from "node:fs"
console.log(process.argv[2] + " " + readFileSync(new URL("./words.txt", import.meta.url), "utf8"))`
    )
    write("src/words.txt", "hello")
    return directory
  }),
  (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true }))
)

it.scopedLive("the package starts without sources, compiler or arguments, wherever it is installed", () =>
  Effect.gen(function* () {
    const directory = yield* project
    execFileSync(process.execPath, [path.join(directory, "launch/package.js")])
    const packed = path.join(directory, "dist/package")
    const manifest: unknown = JSON.parse(fs.readFileSync(path.join(packed, "package.json"), "utf8"))
    assert.deepStrictEqual(manifest, {
      name: "tiny",
      version: "1.2.3",
      type: "module",
      bin: { "prospecting-gateway": "launch/bin.js" },
      files: ["build", "launch"],
      dependencies: { effect: "3.0.0" },
      publishConfig: { access: "public", provenance: true }
    })
    const files = fs.readdirSync(packed, { recursive: true, encoding: "utf8" })
    assert.notInclude(files, "src")
    assert.isEmpty(files.filter((file) => file.endsWith(".code") || path.basename(file).startsWith("stamp")))

    const installed = path.join(directory, "elsewhere")
    fs.renameSync(packed, installed)
    for (const moved of ["src", "dist", "launch"]) fs.rmSync(path.join(directory, moved), { recursive: true })
    const run = (...args: ReadonlyArray<string>) =>
      spawnSync(process.execPath, [path.join(installed, "launch/bin.js"), ...args], { encoding: "utf8" })
    assert.strictEqual(run().stdout, "serve hello\n")
    assert.strictEqual(run("doctor").stdout, "doctor hello\n")
    const build = spawnSync(process.execPath, [path.join(installed, "launch/build.js")], { encoding: "utf8" })
    assert.include(build.stdout, path.join(installed, "build", "Main.js"))
  })
)
