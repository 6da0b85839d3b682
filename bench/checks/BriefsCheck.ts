import {
  briefVerdict,
  pageVerdict,
  totalsOf,
  type Verdict,
  WrittenBrief,
  WrittenPage
} from "../content/BriefVerdict.ts"
import { linesOf } from "./GatewayCalls.ts"

/**
 * Reads briefs and prompts of capture pages, without a gateway, and prints of each stated fact whether the site has it, and what
 * it shows and may not. `npm run check:briefs -- BRIEFS PAGES [ID …]`; both may be lists with commas. With ids it prints the
 * whole sites too.
 */

const corpus = "bench/content/corpus"
const [briefsFiles = `${corpus}/briefs.jsonl`, pagesFiles = `${corpus}/pages.jsonl`, ...ids] = process.argv.slice(2)

const filesOf = (list: string): ReadonlyArray<string> => list.split(",").filter((file) => file !== "" && file !== "-")

const print = ({ id, invented, isPublished, missing, questions, right, site }: Verdict): void => {
  if (ids.length > 0 && !ids.includes(id)) return
  console.log(
    `${id}: ${isPublished ? "published" : `asked (${questions.join(", ")})`}, ${right.length} right, ${missing.length} missing, ${invented.length} invented`
  )
  for (const fact of missing) console.log(`  missing: ${fact}`)
  for (const fact of invented) console.log(`  invented: ${fact}`)
  for (const sentence of site.unclear ?? []) console.log(`  unclear: ${sentence}`)
  if (ids.length > 0) console.log(JSON.stringify(site, null, 1))
}

const played = (name: string, verdicts: ReadonlyArray<Verdict>): void => {
  for (const verdict of verdicts) print(verdict)
  if (verdicts.length > 0) console.log(`${name}: ${JSON.stringify(totalsOf(verdicts))}\n`)
}

played(
  "briefs",
  filesOf(briefsFiles).flatMap((file) => linesOf(file, WrittenBrief).map(briefVerdict))
)
played(
  "pages",
  filesOf(pagesFiles).flatMap((file) => linesOf(file, WrittenPage).map(pageVerdict))
)
