import { Schema } from "effect"
import { asBrief, asPage, BlindPrompt, blindTotals } from "../content/BlindCorpus.ts"
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
 * it shows and may not. `npm run check:briefs -- [FILE …] [ID …]`: the files are JSON lines, in the form of the corpus or of
 * prompts that were written blind. A file whose name has "pages" is of capture pages. With ids it prints the whole sites too.
 */

const corpus = "bench/content/corpus"
const isFile = (argument: string): boolean => argument.endsWith(".jsonl")
const parameters = process.argv.slice(2).flatMap((argument) => argument.split(","))
const files = parameters.some(isFile) ? parameters.filter(isFile) : [`${corpus}/briefs.jsonl`, `${corpus}/pages.jsonl`]
const ids = parameters.filter((argument) => argument !== "-" && !isFile(argument))

const print = ({ id, invented, isPublished, missing, questions, right, site }: Verdict): void => {
  if (ids.length > 0 && !ids.includes(id)) return
  console.log(
    `${id}: ${isPublished ? "published" : `asked (${questions.join(", ")})`}, ${right.length} right, ${missing.length} missing, ${invented.length} invented`
  )
  for (const fact of missing) console.log(`  missing: ${fact}`)
  for (const fact of invented) console.log(`  invented: ${fact}`)
  for (const sentence of site.unclear ?? []) console.log(`  unclear: ${sentence}`)
  for (const sentence of site.unreadFields ?? []) console.log(`  fields: ${sentence}`)
  if (ids.length > 0) console.log(JSON.stringify(site, null, 1))
}

const isBlind = (file: string): boolean => {
  const [first = {}] = linesOf(file, Schema.Record({ key: Schema.String, value: Schema.Unknown }))
  return "must_show" in first
}

const verdictsOf = (file: string, isOfPages: boolean): ReadonlyArray<Verdict> =>
  isOfPages ? linesOf(file, WrittenPage).map(pageVerdict) : linesOf(file, WrittenBrief).map(briefVerdict)

for (const file of files) {
  const isOfPages = /pages[^/]*$/.test(file)
  if (isBlind(file)) {
    const played = linesOf(file, BlindPrompt).map((prompt) => ({
      prompt,
      verdict: isOfPages ? pageVerdict(asPage(prompt)) : briefVerdict(asBrief(prompt))
    }))
    for (const { prompt, verdict } of played) {
      if (!prompt.fit_to_publish && (ids.length === 0 || ids.includes(prompt.id)))
        console.log(`to ask: ${prompt.questions.join(" | ")}`)
      print(verdict)
    }
    console.log(`${file}: ${JSON.stringify(blindTotals(played))}\n`)
  } else {
    const verdicts = verdictsOf(file, isOfPages)
    for (const verdict of verdicts) print(verdict)
    console.log(`${file}: ${JSON.stringify(totalsOf(verdicts))}\n`)
  }
}
