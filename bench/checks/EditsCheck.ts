import { Schema } from "effect"
import type { Language } from "../../src/Services/Text/Language.ts"
import { changeByRules } from "../../src/Services/Websites/Edits/EditReader.ts"
import type { Site, SiteBlock } from "../../src/Services/Websites/Site.ts"
import { composeSite } from "../../src/Services/Websites/Writing/ComposeSite.ts"
import type { SiteMaterial } from "../../src/Services/Websites/Writing/SiteWriter.ts"
import { linesOf } from "./GatewayCalls.ts"

/**
 * Tests edits on sites made from their briefs, without a gateway, which takes seconds for hundreds. Prints what was
 * done, what was not, and each changed part of the site. `npm run check:edits -- [EDITS.jsonl [BRIEFS.jsonl]] [ID …]`. A person
 * has to read the listing. The figures count as wrong only what a machine can see: a number that no one wrote, and a change where
 * nothing is reported as done. A wish that the rest stays counts as done where it was kept.
 */

const parameters = process.argv.slice(2)
const isFile = (parameter: string): boolean => parameter.endsWith(".jsonl")
const [editsFile = "bench/content/corpus/edits.jsonl", briefsFile = "bench/content/corpus/briefs.jsonl"] =
  parameters.filter(isFile)
const ids = parameters.filter((parameter) => !isFile(parameter))

const Brief = Schema.Struct({ id: Schema.String, lang: Schema.String, brief: Schema.String })
const Edit = Schema.Struct({
  id: Schema.String,
  site: Schema.String,
  prompt: Schema.String,
  expect: Schema.optional(Schema.Unknown),
  /** How many things the prompt asks for. */
  wishes: Schema.optional(Schema.Number)
})

const languages: { readonly [lang: string]: readonly [site: string, owner: Language] } = {
  pt: ["pt-br", "pt-BR"],
  en: ["en-us", "en"],
  es: ["es-es", "es"]
}

const materialOf = ({ brief, lang }: typeof Brief.Type): SiteMaterial => {
  const [language, ownerLanguage] = languages[lang] ?? ["pt-br", "pt-BR"]
  return {
    type: "Website",
    language,
    ownerLanguage,
    description: brief,
    guidelines: "",
    businessName: null,
    storesData: false,
    facts: [],
    campaigns: []
  }
}

/** The comparable lines of a site: its look, its order, and each part of each section. */
const partsOf = (site: Site): ReadonlyArray<string> => [
  `name: ${site.name}`,
  `theme: ${JSON.stringify(site.theme)}`,
  ...site.pages.flatMap(({ blocks, title }) => [
    `page: ${title} | order: ${blocks.map(({ id }) => id).join(" ")}`,
    ...blocks.flatMap(linesOfBlock)
  ])
]

const linesOfBlock = (block: SiteBlock): ReadonlyArray<string> =>
  Object.entries(block).flatMap(([key, value]) =>
    Array.isArray(value)
      ? [
          `${block.id}.${key} order: ${value.map((item) => JSON.stringify(item).slice(0, 24)).join(" ")}`,
          ...value.map((item) => `${block.id}.${key}: ${JSON.stringify(item)}`)
        ]
      : [`${block.id}.${key}: ${JSON.stringify(value)}`]
  )

const briefs = new Map(linesOf(briefsFile, Brief).map((brief) => [brief.id, brief]))
const totals = { whole: 0, partly: 0, nothing: 0, wishes: 0, wishesDone: 0, wrong: 0 }

const numbersIn = (text: string): ReadonlySet<string> => new Set(text.match(/\d+/g) ?? [])

/** What a machine can see to be wrong. */
const faultsOf = (old: string, now: string, prompt: string, doneCount: number): ReadonlyArray<string> => {
  const numbers = new Set([...numbersIn(old), ...numbersIn(prompt)])
  const invented = [...numbersIn(now)].filter((number) => !numbers.has(number))
  return [
    ...(invented.length > 0 ? [`numbers that no one wrote: ${invented.join(", ")}`] : []),
    ...(doneCount === 0 && old !== now ? ["changed, and nothing is reported as done"] : [])
  ]
}

const textsShown = (site: Site): string => JSON.stringify(site.pages) + JSON.stringify(site.theme) + site.name

for (const edit of linesOf(editsFile, Edit)) {
  if (ids.length > 0 && !ids.includes(edit.id)) continue
  const brief = briefs.get(edit.site)
  if (brief === undefined) throw new Error(`No brief is called ${edit.site}.`)
  const material = materialOf(brief)
  const { site } = composeSite(material)
  const { report, site: after } = changeByRules(site, edit.prompt, material)
  const [old, now] = [partsOf(site), partsOf(after)]
  const { done, not_done: notDone } = report
  totals[notDone.length === 0 ? "whole" : done.length > 0 ? "partly" : "nothing"]++
  const faults = faultsOf(textsShown(site), textsShown(after), edit.prompt, done.length)
  if (faults.length > 0) totals.wrong++
  totals.wishes += edit.wishes ?? 0
  totals.wishesDone += Math.min(done.length, edit.wishes ?? 0)
  console.log(`\n${edit.id} on ${edit.site}: ${edit.prompt}`)
  if (edit.expect !== undefined) console.log(`  [${JSON.stringify(edit.expect)}]`)
  for (const fault of faults) console.log(`  WRONG: ${fault}`)
  for (const line of done) console.log(`  done: ${line}`)
  for (const { reason, wish } of notDone) console.log(`  not done: ${wish} | ${reason}`)
  for (const line of old.filter((each) => !now.includes(each))) console.log(`  - ${line}`)
  for (const line of now.filter((each) => !old.includes(each))) console.log(`  + ${line}`)
}
console.log(`\n${JSON.stringify(totals)}`)
