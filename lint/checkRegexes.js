// Judges each regular expression of the sources that is not in the list. Harmless ones are added to it, the others printed:
// rewrite them, or add them to `judged` with the reason why they are harmless, such as the longest text they get.
import * as fs from "node:fs"
import * as path from "node:path"
import { judge } from "./judgeRegex.js"
import { listFile, readList, regexesOf } from "./regexes.js"

const root = path.resolve(import.meta.dirname, "..")
const timeout = Number(process.env["RECHECK_TIMEOUT"] ?? 10_000)
const list = readList(root)
const regexes = regexesOf(root)
const linear = new Set(list.linear.filter((text) => regexes.has(text)))
const attacked = new Set(list.attacked.filter((text) => regexes.has(text)))
const judged = Object.fromEntries(Object.entries(list.judged).filter(([text]) => regexes.has(text)))

for (const [text, files] of regexes) {
  if (linear.has(text) || attacked.has(text) || text in judged) continue
  const verdict = await judge(text, timeout)
  if (verdict === "linear") linear.add(text)
  else if (verdict === "attacked") attacked.add(text)
  else console.log(`${verdict}\t${text}\t${[...files].join(" ")}`)
}
const sorted = {
  linear: [...linear].sort(),
  attacked: [...attacked].sort(),
  judged: Object.fromEntries(Object.entries(judged).sort())
}
fs.writeFileSync(path.join(root, listFile), `${JSON.stringify(sorted, undefined, 2)}\n`)
