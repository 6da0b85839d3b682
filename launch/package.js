import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { builtConsole } from "./consoleBuild.js"
import { program } from "./program.js"

/**
 * Makes the package of a release in `dist/package`: the compiled build with the built console, what starts it, and its documents. It has no
 * sources and no compiler. With the argument `--pack`, also the archive that npm publishes.
 */

const root = fileURLToPath(new URL("..", import.meta.url))
const target = path.join(root, "dist", "package")

/** What starts a build, and keeps its compiled code. */
const launchers = [
  "bin.js",
  "build.js",
  "console.js",
  "consoleBuild.js",
  "gateway.js",
  "keepCode.js",
  "program.js",
  "sourceLines.js",
  "sourcePositions.js",
  "startProgram.js"
]

const documents = ["README.md", "LICENSE", "CHANGELOG.md"]

/** Compiled code belongs to one version of Node.js, a stamp to one checkout, and modules to its tests. */
const isOfThisMachine = (/** @type {string} */ file) => /\.code(-|$)|^stamp(-|$)|^modules-/.test(file)

/** Only what the source of the gateway says about itself, without what develops it. */
const manifestOf = (
  /** @type {Record<string, unknown>} */ { private: _, devDependencies, overrides, scripts, ...rest }
) => {
  const dependencies = Object.entries(Object(rest["dependencies"])).filter(([name]) => name !== "esbuild")
  return {
    ...rest,
    bin: { "prospecting-gateway": "launch/bin.js" },
    files: ["build", "launch"],
    dependencies: Object.fromEntries(dependencies),
    publishConfig: { access: "public", provenance: true }
  }
}

const { main } = await program()
const build = path.dirname(fileURLToPath(main))
const isShipped = (/** @type {string} */ file) => !isOfThisMachine(path.relative(build, file))
await fs.rm(target, { recursive: true, force: true })
await fs.mkdir(path.join(target, "launch"), { recursive: true })
await fs.cp(build, path.join(target, "build"), { recursive: true, filter: isShipped })
// Projects of tests have no console.
if (existsSync(path.join(root, "console"))) {
  const { folder } = await builtConsole(root)
  await fs.cp(folder, path.join(target, "build", "console"), { recursive: true })
}
for (const file of launchers) await fs.cp(path.join(root, "launch", file), path.join(target, "launch", file))
for (const file of documents) await fs.cp(path.join(root, file), path.join(target, file))
const manifest = JSON.parse(await fs.readFile(path.join(root, "package.json"), "utf8"))
await fs.writeFile(path.join(target, "package.json"), `${JSON.stringify(manifestOf(manifest), undefined, 2)}\n`)
console.log(`package: ${target}`)

if (process.argv.includes("--pack")) {
  const { status } = spawnSync("npm", ["pack", target, "--pack-destination", path.join(root, "dist")], {
    stdio: ["ignore", "inherit", "inherit"]
  })
  process.exitCode = status ?? 1
}
