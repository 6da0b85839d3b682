import { setTimeout } from "node:timers/promises"
import { Schema } from "effect"
import { linesOf, makeCall } from "./GatewayCalls.ts"

/**
 * Makes edits on a running gateway as an owner would, each on a new site made from its brief. Prints what was done,
 * what was not and why, and the differences on the page. `TOKEN=… npm run check:content -- EDITS [BRIEFS]`; both are
 * JSON-lines files: `{id, site, prompt}` and `{id, lang, brief}`. TOKEN may be a comma-separated list, because each
 * account may only make a limited number of sites per day.
 */

const [editsFile = "bench/content/corpus/edits.jsonl", briefsFile = "bench/content/corpus/briefs.jsonl"] =
  process.argv.slice(2)
const tokens = (process.env["TOKEN"] ?? "").split(",").filter((token) => token !== "")
if (tokens.length === 0) throw new Error("Set TOKEN to the token of an account.")

const Brief = Schema.Struct({ id: Schema.String, lang: Schema.String, brief: Schema.String })
const Edit = Schema.Struct({
  id: Schema.String,
  site: Schema.String,
  prompt: Schema.String,
  expect: Schema.optional(Schema.String)
})
const Registration = Schema.Struct({ website_id: Schema.Int })
const Site = Schema.Struct({
  website_id: Schema.Int,
  status: Schema.String,
  outcome: Schema.NullOr(Schema.Literal("complete", "partial", "nothing_done")),
  done: Schema.Array(Schema.String),
  not_done: Schema.Array(Schema.Struct({ wish: Schema.String, reason: Schema.String, suggestion: Schema.String })),
  needs_input: Schema.Array(Schema.String),
  is_published: Schema.Boolean,
  url: Schema.String,
  last_change: Schema.Struct({ website_code_id: Schema.Int })
})
const Code = Schema.Struct({ pages: Schema.NullOr(Schema.Array(Schema.Struct({ html: Schema.String }))) })

/** The new entries that an account may add to all sites in a day, with a margin for earlier ones. */
const entriesOfDay = 280
let calls = 0
const tokenNow = (): string => tokens[Math.min(tokens.length - 1, Math.floor(calls / entriesOfDay))] ?? ""

const call = makeCall(tokenNow)

const finished = async (id: number): Promise<typeof Site.Type> => {
  for (;;) {
    const site = await call("get_website", { website_id: id }, Site)
    if (!["queued", "running"].includes(site.status)) return site
    await setTimeout(200)
  }
}

/** The text of a page, one line per piece, with the addresses of its links. */
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

const pagesOf = async (site: typeof Site.Type): Promise<string> => {
  const code = await call("get_website_code", { website_code_id: site.last_change.website_code_id }, Code)
  return (code.pages ?? []).map(({ html }) => html).join("\n")
}

const servedOf = async ({ is_published, url }: typeof Site.Type): Promise<string> =>
  is_published ? (await fetch(url)).text().catch(() => "") : ""

const languages: { readonly [lang: string]: string } = { pt: "pt-br", en: "en-us", es: "es-es" }

const briefs = new Map(linesOf(briefsFile, Brief).map((brief) => [brief.id, brief]))
const totals = { complete: 0, partial: 0, nothing_done: 0, other: 0 }

for (const edit of linesOf(editsFile, Edit)) {
  const brief = briefs.get(edit.site)
  if (brief === undefined) throw new Error(`No brief is called ${edit.site}.`)
  const registration = await call(
    "register_website",
    { description: brief.brief, language: languages[brief.lang] ?? brief.lang },
    Registration
  )
  calls += 2
  const before = await finished(registration.website_id)
  const htmlBefore = await pagesOf(before)
  await call("change_website", { website_id: before.website_id, prompt: edit.prompt }, Registration)
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
  totals[after.outcome ?? "other"]++
  await call("archive_website", { website_id: before.website_id }, Schema.Unknown)
}
console.log(
  `\n${totals.complete} complete, ${totals.partial} in part, ${totals.nothing_done} not done, ${totals.other} failed otherwise`
)
