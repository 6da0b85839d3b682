import { readFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"

/**
 * Plays edits against a running gateway, as an owner would: each on a site that was just made of its brief. Prints what was
 * done, what was not and why, and what is different on the page. `TOKEN=… npm run check:content -- EDITS [BRIEFS]`; both are
 * files of JSON lines: `{id, site, prompt}`, and `{id, lang, brief}`. TOKEN may be a list with commas: each account makes as
 * many sites as it may in a day.
 */

const [editsFile = "bench/content/corpus/edits.jsonl", briefsFile = "bench/content/corpus/briefs.jsonl"] =
  process.argv.slice(2)
const gateway = process.env["GATEWAY"] ?? "http://127.0.0.1:8080"
const tokens = (process.env["TOKEN"] ?? "").split(",").filter((token) => token !== "")
if (tokens.length === 0) throw new Error("Set TOKEN to the token of an account.")

interface Brief {
  readonly id: string
  readonly lang: string
  readonly brief: string
}
interface Edit {
  readonly id: string
  readonly site: string
  readonly prompt: string
  readonly expect?: string
}
interface Site {
  readonly website_id: number
  readonly status: string
  readonly outcome: string | null
  readonly done: ReadonlyArray<string>
  readonly not_done: ReadonlyArray<{ readonly wish: string; readonly reason: string; readonly suggestion: string }>
  readonly needs_input: ReadonlyArray<string>
  readonly is_published: boolean
  readonly url: string
  readonly last_change: { readonly website_code_id: number }
}

const linesOf = <A>(file: string): ReadonlyArray<A> =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): A => JSON.parse(line))

/** Entries of all sites that an account may add in a day, less a few for what it did before. */
const entriesOfDay = 280
let calls = 0
const tokenNow = (): string => tokens[Math.min(tokens.length - 1, Math.floor(calls / entriesOfDay))] ?? ""

const call = async <A>(tool: string, parameters: object): Promise<A> => {
  const response = await fetch(`${gateway}/rest/v1/tools/${tool}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${tokenNow()}`, "Content-Type": "application/json" },
    body: JSON.stringify(parameters)
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${tool}: ${response.status} ${text.slice(0, 500)}`)
  const answer: { readonly result?: A } & A = JSON.parse(text)
  return answer.result ?? answer
}

const finished = async (id: number): Promise<Site> => {
  for (;;) {
    const site = await call<Site>("get_website", { website_id: id })
    if (!["queued", "running"].includes(site.status)) return site
    await setTimeout(200)
  }
}

/** What a page says, a line for each piece of text, with the addresses of its links. */
const textOf = (html: string): ReadonlyArray<string> =>
  html
    .replace(/<style[\s\S]*?<\/style>|<script[\s\S]*?<\/script>/g, " ")
    .replace(/<a [^>]*href="(mailto:|tel:|https:\/\/)([^"]*)"[^>]*>/g, "\n[$1$2]\n")
    .replace(/<[^>]+>/g, "\n")
    .replaceAll("&amp;", "&")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

const variablesOf = (html: string): string => /:root\{color-scheme[^}]*\}/.exec(html)?.[0] ?? ""

interface Code {
  readonly pages: ReadonlyArray<{ readonly path: string; readonly html: string }> | null
}

const pagesOf = async (site: Site): Promise<string> => {
  const code = await call<Code>("get_website_code", { website_code_id: site.last_change.website_code_id })
  return (code.pages ?? []).map(({ html }) => html).join("\n")
}

const servedOf = async ({ is_published, url }: Site): Promise<string> =>
  is_published ? (await fetch(url)).text().catch(() => "") : ""

const languages: { readonly [lang: string]: string } = { pt: "pt-br", en: "en-us", es: "es-es" }

const briefs = new Map(linesOf<Brief>(briefsFile).map((brief) => [brief.id, brief]))
const totals = { complete: 0, partial: 0, nothing_done: 0, other: 0 }

for (const edit of linesOf<Edit>(editsFile)) {
  const brief = briefs.get(edit.site)
  if (brief === undefined) throw new Error(`No brief is called ${edit.site}.`)
  const begun = await call<{ readonly website_id: number }>("register_website", {
    description: brief.brief,
    language: languages[brief.lang] ?? brief.lang
  })
  calls += 2
  const before = await finished(begun.website_id)
  const htmlBefore = await pagesOf(before)
  await call("change_website", { website_id: before.website_id, prompt: edit.prompt })
  const after = await finished(before.website_id)
  const htmlAfter = after.status === "finished" ? await pagesOf(after) : htmlBefore
  const [old, now] = [textOf(htmlBefore), textOf(htmlAfter)]
  const served = await servedOf(after)
  console.log(`\n${edit.id} on ${edit.site}: ${edit.prompt}${edit.expect === undefined ? "" : `   [${edit.expect}]`}`)
  console.log(`  ${after.outcome ?? after.status}, ${after.is_published ? "published" : "not published"}`)
  for (const done of after.done) console.log(`  done: ${done}`)
  for (const { reason, suggestion, wish } of after.not_done)
    console.log(`  not done: ${wish} | ${reason} ${suggestion}`)
  for (const question of after.needs_input) console.log(`  asks: ${question}`)
  for (const line of old.filter((each) => !now.includes(each))) console.log(`  - ${line}`)
  for (const line of now.filter((each) => !old.includes(each))) console.log(`  + ${line}`)
  if (variablesOf(htmlBefore) !== variablesOf(htmlAfter)) console.log(`  colours: ${variablesOf(htmlAfter)}`)
  const unseen = now.filter((line) => !line.startsWith("[") && served !== "" && !textOf(served).includes(line))
  if (unseen.length > 0) console.log(`  not on the served page: ${unseen.join(" | ")}`)
  if (after.outcome === null) totals.other++
  else if (after.outcome === "complete" || after.outcome === "partial" || after.outcome === "nothing_done")
    totals[after.outcome]++
  await call("archive_website", { website_id: before.website_id }).catch((error: unknown) => console.log(String(error)))
}
console.log(
  `\n${totals.complete} complete, ${totals.partial} in part, ${totals.nothing_done} not done, ${totals.other} failed otherwise`
)
