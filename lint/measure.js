import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"

/**
 * Prints the figures by which the shape of the sources is compared between two commits:
 * `node lint/measure.js` in each checkout. With `--list` it also prints every function over a limit.
 */

const words =
  /\b(told|tells?|stands|anew|whoever|nobody|somebody|of (?:its|his|their|one's) own|who asks|so that it has to|unless told|takes up|goes on|comes again|beside|given up|kept back|thereby|therein|meanwhile)\b/i

const git = (/** @type {ReadonlyArray<string>} */ ...args) =>
  execFileSync("git", args, { encoding: "utf8", maxBuffer: 1 << 26 })

const files = git("ls-files", "src", "test", "bench", "lint", "launch", "docs")
  .split("\n")
  .filter((file) => /\.(ts|tsx|js|md)$/.test(file))

const linesOf = (/** @type {string} */ file) => readFileSync(file, "utf8").split("\n")

/** @type {Map<string, number>} */
const perFolder = new Map()
/** @type {Map<string, number>} */
const filesIn = new Map()
let comments = 0
let flagged = 0
let cluster = 0
const clusterImport =
  /from "[^"]*Platform\/Postgres\/((Spread|Cluster|ClusterNodes|WithinReach|ReachableNodes|Distribution)\.ts|cluster\/)/
for (const file of files) {
  const lines = linesOf(file)
  const folder = file
    .split("/")
    .slice(0, file.startsWith("src/") ? 2 : 1)
    .join("/")
  perFolder.set(folder, (perFolder.get(folder) ?? 0) + lines.length - 1)
  const parent = path.posix.dirname(file)
  filesIn.set(parent, (filesIn.get(parent) ?? 0) + 1)
  if (/\.(ts|tsx|js)$/.test(file)) {
    const commentLines = lines.filter((line) => /^\s*(\/\/|\/?\*)/.test(line) || /\s\/\/ /.test(line))
    comments += commentLines.length
    flagged += commentLines.filter((line) => words.test(line.replace(/^.*?(\/\/|\*)/, ""))).length
  }
  if (/^src\/Layers\/(?!Platform\/)[^/]+\//.test(file) && lines.some((line) => clusterImport.test(line))) cluster++
}

const config = path.join(tmpdir(), `measure-${process.pid}.json`)
writeFileSync(
  config,
  JSON.stringify({
    categories: { correctness: "off" },
    rules: { "max-lines-per-function": ["warn", { max: 60 }], complexity: ["warn", 15] }
  })
)
/** @returns {string} */
const linted = () => {
  try {
    return execFileSync("node_modules/.bin/oxlint", ["-c", config, "src", "--format", "json"], {
      encoding: "utf8",
      maxBuffer: 1 << 26
    })
  } catch (failure) {
    return String(/** @type {{ stdout?: string }} */ (failure).stdout ?? "")
  }
}
/** @type {ReadonlyArray<{ message: string, code: string, filename: string, labels: ReadonlyArray<{ span: { line: number } }> }>} */
const diagnostics = JSON.parse(linted()).diagnostics
const long = diagnostics
  .filter(({ code }) => code.includes("max-lines"))
  .map((one) => ({ ...one, by: Number(/\((\d+)\)/.exec(one.message)?.[1] ?? /(\d+)/.exec(one.message)?.[1]) }))
const complex = diagnostics
  .filter(({ code }) => code.includes("complexity"))
  .map((one) => ({ ...one, by: Number(/of (\d+)/.exec(one.message)?.[1]) }))

const print = (/** @type {string} */ name, /** @type {string | number} */ value) =>
  console.log(`${name.padEnd(46)} ${value}`)
for (const [folder, lines] of [...perFolder].sort()) print(`lines ${folder}`, lines)
print("functions over 60 lines in src", long.length)
print("functions over 120 lines in src", long.filter(({ by }) => by > 120).length)
print("functions over complexity 15 in src", complex.length)
print("functions over complexity 20 in src", complex.filter(({ by }) => by > 20).length)
print("comment lines", comments)
print("comment lines with words of the old dialect", flagged)
print("room files that import the cluster", cluster)
const flat = [...filesIn].filter(([, count]) => count > 20).sort((a, b) => b[1] - a[1])
print("folders over 20 files", flat.length)
for (const [folder, count] of flat) print(`  ${folder}`, count)
if (process.argv.includes("--list")) {
  for (const { by, code, filename, labels } of [
    ...long.filter(({ by }) => by > 120),
    ...complex.filter(({ by }) => by > 20)
  ]) {
    console.log(`${filename}:${labels[0]?.span.line} ${code} ${by}`)
  }
}
