import { readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"

/** Words that follow each other: so many are seldom the same in two statements. */
const together = 4

/** What is named in quotes came as a value, and what stands around it does not belong together. */
const runsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text.split(/"\w+"/).flatMap((piece) => {
      const words = piece.match(/[a-z_]\w*/gi) ?? []
      return words.slice(0, 1 - together).map((_, at) => words.slice(at, at + together).join(" "))
    })
  )

/** Of each run of words, the files of a folder that have it. */
const filesByRun = (folder: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = new Map<string, Array<string>>()
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || !file.name.endsWith(".ts")) continue
    const place = path.join(file.parentPath, file.name)
    for (const run of runsOf(readFileSync(place, "utf8"))) {
      const files = found.get(run)
      if (files === undefined) found.set(run, [place])
      else files.push(place)
    }
  }
  return found
}

/** The file that has most of these runs. */
const likest = (runs: ReadonlyArray<string>, files: ReadonlyMap<string, ReadonlyArray<string>>) => {
  const counts = new Map<string, number>()
  for (const run of runs) for (const file of files.get(run) ?? []) counts.set(file, (counts.get(file) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0]
}

/**
 * Tells of a statement which file of the product it is most likely from, by the words that it shares with it; nothing
 * where more of it stands in tests, whose statements are none of the product's.
 */
export const makeOriginOf = () => {
  const folder = "src/Layers"
  const [ofProduct, ofTests] = [filesByRun(folder), filesByRun("test")]
  return (statement: string): string | undefined => {
    const runs = [...runsOf(statement)]
    const [known, tried] = [ofProduct, ofTests].map((files) => runs.filter((run) => files.has(run)).length)
    const file = likest(runs, ofProduct)
    return file === undefined || (tried ?? 0) > (known ?? 0) ? undefined : path.relative(folder, file)
  }
}
