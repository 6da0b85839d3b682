import { mkdir } from "node:fs/promises"
import { Effect } from "effect"
import { writeSheet } from "../media/Sheets.ts"
import { browserOf, checkSite, pageOf, serveSites } from "../sites/CheckedSite.ts"
import { categories, lighthouse, nuErrors } from "../sites/Judges.ts"
import { siteMaterials } from "../sites/SiteMaterials.ts"

// Composes fifty sites by rules and checks them in Chromium at three widths: overflow, accessibility, HTML and links.
// Writes two contact sheets for a person to check: node --import tsx bench/checks/SitesCheck.ts [folder] [how many]. If
// JUDGES names a folder with Lighthouse and the Nu HTML Checker (see sites/Judges.ts), these check the sites too.

const [folder = "sheets", most = "50"] = process.argv.slice(2)
const judges = process.env["JUDGES"]
/** The sites that Lighthouse checks, which takes half a minute each. */
const mostLighthouse = 4
const leastScore = 95
await mkdir(folder, { recursive: true })

const check = Effect.gen(function* () {
  const served = yield* serveSites
  const checked = yield* Effect.provide(
    Effect.forEach(
      siteMaterials.slice(0, Number(most)),
      (material, index) =>
        Effect.tap(checkSite(served, index, material), ({ faults, site }) =>
          Effect.sync(() => {
            console.log(
              `${index} ${site.name} (${site.theme.layout}, ${site.pages.length} pages): ${faults.length} faults`
            )
            for (const fault of faults) console.log(`   ${fault}`)
          })
        ),
      { concurrency: 2 }
    ),
    browserOf(served)
  )
  if (judges === undefined) return { checked, judged: 0 }
  const pages = checked.flatMap(({ site }, index) =>
    site.pages.map((page) => [`${index}-${page.id}`, pageOf(site, page, served.originOf(index))] as const)
  )
  const errors = yield* Effect.promise(() => nuErrors(judges, new Map(pages)))
  console.log(`Nu: ${errors === undefined ? "cannot be run" : `${pages.length} pages, ${errors.length} errors`}`)
  for (const error of errors ?? []) console.log(`   ${error}`)
  let low = 0
  for (let index = 0; index < checked.length; index += Math.ceil(checked.length / mostLighthouse)) {
    const { lost, scores, url } = yield* Effect.promise(() =>
      lighthouse(judges, `${served.originOf(index)}/`, leastScore)
    )
    const scoreText = scores?.map((score, at) => `${categories[at]} ${Math.round(score)}`).join(", ") ?? "cannot be run"
    console.log(`Lighthouse, ${url}: ${scoreText}${lost.length === 0 ? "" : ` (${lost.join("; ")})`}`)
    if (scores?.every((score) => score >= leastScore) !== true) low++
  }
  return { checked, judged: (errors?.length ?? 1) + low }
}).pipe(Effect.scoped)

const { checked, judged } = await Effect.runPromise(check)
await writeSheet(
  `${folder}/sites.png`,
  checked.flatMap(({ pictures }) => pictures.slice(2, 3)),
  10,
  400
)
await writeSheet(
  `${folder}/sites-phone.png`,
  checked.flatMap(({ pictures }) => pictures.slice(0, 1)),
  10,
  400
)
const faults = checked.reduce((sum, site) => sum + site.faults.length, 0)
const looks = new Set(
  checked.map(({ site: { theme } }) => `${theme.layout} ${theme.brand} ${theme.palette} ${theme.typefaces}`)
)
console.log(`${checked.length} sites, ${looks.size} looks, ${faults} faults`)
if (faults + judged > 0) process.exitCode = 1
