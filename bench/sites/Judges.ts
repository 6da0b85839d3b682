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

/** What Lighthouse says of a page on a phone. */
export const lighthouse = async (judges: string, url: string): Promise<Scores> => {
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
    const scores = categories.map((name) => 100 * Number(field(field(field(read, "categories"), name), "score") ?? 0))
    const found = field(read, "audits")
    const audits: ReadonlyArray<unknown> = typeof found === "object" && found !== null ? Object.values(found) : []
    const lost = audits
      .filter((audit) => typeof field(audit, "score") === "number" && Number(field(audit, "score")) < 0.9)
      .map((audit) => `${textOf(field(audit, "id"))} ${textOf(field(audit, "displayValue"))}`.trim())
    return { url, scores, lost }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
