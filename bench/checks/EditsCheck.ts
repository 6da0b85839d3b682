import { Schema } from "effect"
import type { Language } from "../../src/Services/Text/Language.ts"
import { changeByRules } from "../../src/Services/Websites/Edits/EditReader.ts"
import type { Site, SiteBlock } from "../../src/Services/Websites/Site.ts"
import { composeSite } from "../../src/Services/Websites/Writing/ComposeSite.ts"
import type { SiteMaterial } from "../../src/Services/Websites/Writing/SiteWriter.ts"
import { linesOf } from "./GatewayCalls.ts"

/**
 * Tests edits on sites made from their briefs, without a gateway, which takes seconds for hundreds. Prints what was
 * done, what was not, and each changed part of the site. `npm run check:edits -- EDITS BRIEFS [ID …]`.
 */

const [editsFile = "bench/content/corpus/edits.jsonl", briefsFile = "bench/content/corpus/briefs.jsonl", ...ids] =
  process.argv.slice(2)

const Brief = Schema.Struct({ id: Schema.String, lang: Schema.String, brief: Schema.String })
const Edit = Schema.Struct({
  id: Schema.String,
  site: Schema.String,
  prompt: Schema.String,
  expect: Schema.optional(Schema.Unknown)
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
const totals = { whole: 0, partly: 0, nothing: 0 }

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
  console.log(`\n${edit.id} on ${edit.site}: ${edit.prompt}`)
  if (edit.expect !== undefined) console.log(`  [${JSON.stringify(edit.expect)}]`)
  for (const line of done) console.log(`  done: ${line}`)
  for (const { reason, wish } of notDone) console.log(`  not done: ${wish} | ${reason}`)
  for (const line of old.filter((each) => !now.includes(each))) console.log(`  - ${line}`)
  for (const line of now.filter((each) => !old.includes(each))) console.log(`  + ${line}`)
}
console.log(`\n${JSON.stringify(totals)}`)
