import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"

/**
 * Two checkers that are too large to be dependencies: `npm install --prefix FOLDER lighthouse@12.8.2 vnu-jar@26.9.27`.
 */

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

/** Errors that the Nu HTML Checker finds in pages, by page name; undefined if it cannot run. */
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
  /** Scores out of a hundred, in the order of the categories; undefined if Lighthouse could not run. */
  readonly scores: ReadonlyArray<number> | undefined
  /** The audits that lowered the scores. */
  readonly lost: ReadonlyArray<string>
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** The median of each category in three runs. */
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
 * Lighthouse's scores for a page on a phone. It multiplies this machine's times, including those in which other
 * programs used the processor. So a page below `least` is checked twice more, and the median counts.
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
        // The pages are ours, and Chromium's own sandbox does not work for root.
        `--chrome-flags=--headless=new --no-sandbox --disable-gpu --user-data-dir=${folder}/profile`
      ],
      240_000
    )
    const text = await readFile(report, "utf8").catch(() => "")
    if (text === "") return { url, scores: undefined, lost: [] }
    const read: unknown = JSON.parse(text)
    const speed = Number(field(field(read, "environment"), "benchmarkIndex") ?? 0)
    const scores = categories.map((name) => 100 * Number(field(field(field(read, "categories"), name), "score") ?? 0))
    const auditResults = field(read, "audits")
    const audits: ReadonlyArray<unknown> =
      typeof auditResults === "object" && auditResults !== null ? Object.values(auditResults) : []
    const lost = audits
      .filter((audit) => typeof field(audit, "score") === "number" && Number(field(audit, "score")) < 0.9)
      .map((audit) => `${textOf(field(audit, "id"))} ${textOf(field(audit, "displayValue"))}`.trim())
    // A mid-range phone has about 400 to 600 of these, an idle desktop over 1 000.
    return { url, scores, lost: [...lost, `machine ${Math.round(speed)}`] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
