// Writes the list of files with functions over 120 lines or complexity 20 into .oxlintrc.json. The linter holds all other
// files to these limits. The list may only become shorter: a file that moved takes its place along.
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

const root = path.resolve(import.meta.dirname, "..")
const configFile = path.join(root, ".oxlintrc.json")
/** @typedef {{ files: Array<string>, rules: Record<string, unknown> }} Override */
/** @type {{ overrides: Array<Override> }} */
const config = JSON.parse(fs.readFileSync(configFile, "utf8"))
const rule = "max-lines-per-function"
const limits = config.overrides.find(({ rules }) => Array.isArray(rules[rule]))
const exempt = config.overrides.find(({ rules }) => rules[rule] === "off")
if (limits === undefined || exempt === undefined) throw new Error(`.oxlintrc.json has no override for ${rule}`)

const temporary = path.join(os.tmpdir(), `limits-${process.pid}.json`)
fs.writeFileSync(temporary, JSON.stringify({ categories: { correctness: "off" }, rules: limits.rules }))
/** @returns {string} */
const linted = () => {
  try {
    return execFileSync("node_modules/.bin/oxlint", ["-c", temporary, "src", "--format", "json"], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 1 << 26
    })
  } catch (failure) {
    return String(/** @type {{ stdout?: string }} */ (failure).stdout ?? "")
  }
}
/** @type {ReadonlyArray<{ readonly filename: string }>} */
const diagnostics = JSON.parse(linted()).diagnostics
fs.rmSync(temporary)
const over = [...new Set(diagnostics.map(({ filename }) => filename))].sort()
if (over.length > exempt.files.length) {
  const added = over.filter((file) => !exempt.files.includes(file))
  console.log(`Split the functions over 120 lines or complexity 20 in\n${added.join("\n")}`)
  process.exitCode = 1
} else {
  exempt.files = over
  fs.writeFileSync(configFile, `${JSON.stringify(config, undefined, 2)}\n`)
  execFileSync("node_modules/.bin/biome", ["format", "--write", configFile], { cwd: root, stdio: "ignore" })
  console.log(`${over.length} files have functions over the limits`)
}
