import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"

/** Two judges that are too large to be packages of the project: `npm install --prefix FOLDER lighthouse@12.8.2 vnu-jar@26.9.27`. */

interface Run {
  readonly code: number
  readonly out: string
  readonly errors: string
}

const run = (program: string, args: ReadonlyArray<string>, milliseconds: number): Promise<Run> =>
  new Promise((resolve) => {
    execFile(program, [...args], { timeout: milliseconds, maxBuffer: 64 * 1024 * 1024 }, (error, out, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, errors })
    )
  })

interface NuMessage {
  readonly type: string
  readonly url?: string
  readonly message: string
  readonly extract?: string
}

const isList = (value: unknown): value is ReadonlyArray<NuMessage> => Array.isArray(value)

const messagesOf = (report: string): ReadonlyArray<NuMessage> => {
  const read: unknown = JSON.parse(report)
  return typeof read === "object" && read !== null && "messages" in read && isList(read.messages) ? read.messages : []
}

/** Errors of the Nu HTML Checker in pages by their names; undefined where it cannot be run. */
export const nuErrors = async (
  judges: string,
  pages: ReadonlyMap<string, string>
): Promise<ReadonlyArray<string> | undefined> => {
  const jar = path.join(judges, "node_modules/vnu-jar/build/dist/vnu.jar")
  const folder = await mkdtemp(path.join(tmpdir(), "pages-"))
  try {
    for (const [name, html] of pages) await writeFile(path.join(folder, `${name}.html`), html)
    const { errors } = await run("java", ["-Xss8m", "-jar", jar, "--format", "json", "--errors-only", folder], 300_000)
    if (!errors.trimStart().startsWith("{")) return undefined
    return messagesOf(errors)
      .filter(({ type }) => type === "error" || type === "non-document-error")
      .map(({ extract = "", message, url = "" }) => `${path.basename(url)}: ${message} ${extract.slice(0, 160)}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const categories = ["performance", "accessibility", "best-practices", "seo"] as const

export interface Scores {
  readonly url: string
  /** Of a hundred, in the order of the categories; undefined where it could not be run. */
  readonly scores: ReadonlyArray<number> | undefined
  /** What took points away. */
  readonly lost: ReadonlyArray<string>
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** The middle one of each category in three runs. */
const middleOf = (runs: ReadonlyArray<Scores>): Scores => {
  const [first] = runs
  const whole = runs.flatMap(({ scores }) => (scores === undefined ? [] : [scores]))
  if (first === undefined || whole.length < 3) return first ?? { url: "", scores: undefined, lost: [] }
  const scores = categories.map(
    (_, at) => whole.map((each) => each[at] ?? 0).toSorted((one, other) => one - other)[1] ?? 0
  )
  return { ...first, scores }
}

/**
 * What Lighthouse says of a page on a phone. It multiplies the milliseconds of this machine, those in which other programs
 * had the processor too: what falls short of `least` is judged twice more, and the middle one counts.
 */
export const lighthouse = async (judges: string, url: string, least: number): Promise<Scores> => {
  const first = await judgedOnce(judges, url)
  if (first.scores === undefined || first.scores.every((score) => score >= least)) return first
  return middleOf([first, await judgedOnce(judges, url), await judgedOnce(judges, url)])
}

const judgedOnce = async (judges: string, url: string): Promise<Scores> => {
  const folder = await mkdtemp(path.join(tmpdir(), "lighthouse-"))
  try {
    await mkdir(path.join(folder, "profile"))
    const report = path.join(folder, "report.json")
    await run(
      path.join(judges, "node_modules/.bin/lighthouse"),
      [
        url,
        "--quiet",
        "--output=json",
        `--output-path=${report}`,
        `--only-categories=${categories.join(",")}`,
        // Pages of our own; Chromium does not start with its sandbox for the superuser.
        `--chrome-flags=--headless=new --no-sandbox --disable-gpu --user-data-dir=${folder}/profile`
      ],
      240_000
    )
    const text = await readFile(report, "utf8").catch(() => "")
    if (text === "") return { url, scores: undefined, lost: [] }
    const read: unknown = JSON.parse(text)
    const speed = Number(field(field(read, "environment"), "benchmarkIndex") ?? 0)
    const scores = categories.map((name) => 100 * Number(field(field(field(read, "categories"), name), "score") ?? 0))
    const found = field(read, "audits")
    const audits: ReadonlyArray<unknown> = typeof found === "object" && found !== null ? Object.values(found) : []
    const lost = audits
      .filter((audit) => typeof field(audit, "score") === "number" && Number(field(audit, "score")) < 0.9)
      .map((audit) => `${textOf(field(audit, "id"))} ${textOf(field(audit, "displayValue"))}`.trim())
    // A phone of the middle class has some 400 to 600 of these, an idle desk over 1 000.
    return { url, scores, lost: [...lost, `machine ${Math.round(speed)}`] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
