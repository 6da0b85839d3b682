import { readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"

/** The number of consecutive words that rarely occurs in two different statements. */
const together = 4

/** Quoted text is a value, so the words before and after it are not consecutive. */
const runsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text.split(/"\w+"/).flatMap((piece) => {
      const words = piece.match(/[a-z_]\w*/gi) ?? []
      return words.slice(0, 1 - together).map((_, at) => words.slice(at, at + together).join(" "))
    })
  )

/** For each run of words, the files of a folder that contain it. */
const filesByRun = (folder: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const filesOfRun = new Map<string, Array<string>>()
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || !file.name.endsWith(".ts")) continue
    const place = path.join(file.parentPath, file.name)
    for (const run of runsOf(readFileSync(place, "utf8"))) {
      const files = filesOfRun.get(run)
      if (files === undefined) filesOfRun.set(run, [place])
      else files.push(place)
    }
  }
  return filesOfRun
}

/** The file with the most of these runs. */
const likest = (runs: ReadonlyArray<string>, files: ReadonlyMap<string, ReadonlyArray<string>>) => {
  const counts = new Map<string, number>()
  for (const run of runs) for (const file of files.get(run) ?? []) counts.set(file, (counts.get(file) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0]
}

/**
 * Finds the file that a statement most likely comes from, by common words. None if more of it is in tests, whose
 * statements are not the product's.
 */
export const makeOriginOf = () => {
  const folder = "src/Layers"
  const [ofProduct, ofTests] = [filesByRun(folder), filesByRun("test")]
  return (statement: string): string | undefined => {
    const runs = [...runsOf(statement)]
    const [productRuns, tried] = [ofProduct, ofTests].map((files) => runs.filter((run) => files.has(run)).length)
    const file = likest(runs, ofProduct)
    return file === undefined || (tried ?? 0) > (productRuns ?? 0) ? undefined : path.relative(folder, file)
  }
}
