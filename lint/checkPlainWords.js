// Compares flagged words and bare participles of each file with the baseline. `--lower` writes the present counts as the
// new baseline, if no count rose; `--list [path]` prints every finding.
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { filesOver, findingsIn, mayReplace } from "./plainWords.js"

const root = path.resolve(import.meta.dirname, "..")
const baselineFile = path.join(root, "lint/plainWords.json")
const started = performance.now()
const mode = process.argv[2]
const under = process.argv[3] ?? ""

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 1 << 26
})
  .split("\n")
  .filter((file) => /\.(tsx?|js|md)$/.test(file) && fs.existsSync(path.join(root, file)))

const findings = new Map(files.map((file) => [file, findingsIn(file, fs.readFileSync(path.join(root, file), "utf8"))]))
const counts = Object.fromEntries(
  [...findings].flatMap(([file, { length }]) => (length === 0 ? [] : [[file, length]])).sort()
)
/** @type {Record<string, number>} */
const baseline = fs.existsSync(baselineFile) ? JSON.parse(fs.readFileSync(baselineFile, "utf8")) : counts

const print = (/** @type {string} */ file) => {
  for (const { kind, line, text } of findings.get(file) ?? []) console.log(`${file}:${line} ${kind} "${text}"`)
}

const over = filesOver(baseline, counts)
if (mode === "--list") {
  for (const file of files) if (file.startsWith(under)) print(file)
} else if (mode === "--lower" && mayReplace(baseline, counts)) {
  fs.writeFileSync(baselineFile, `${JSON.stringify(counts, undefined, 2)}\n`)
} else if (over.length > 0) {
  for (const file of over) {
    console.log(`${file} has ${counts[file]} findings; the baseline allows ${baseline[file] ?? 0}:`)
    print(file)
  }
  process.exitCode = 1
}
const total = [...findings.values()].reduce((sum, { length }) => sum + length, 0)
console.log(`${total} findings in ${files.length} files, ${((performance.now() - started) / 1000).toFixed(1)} s`)
