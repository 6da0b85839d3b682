import { mkdir } from "node:fs/promises"
import { Effect } from "effect"
import { writeSheet } from "./media/Sheets.ts"
import { browserOf, checkSite, serveSites } from "./sites/CheckedSite.ts"
import { siteMaterials } from "./sites/SiteMaterials.ts"

// Composes fifty sites by rules and looks at them in Chromium at three widths: overflow, accessibility, HTML, links. Writes two
// contact sheets, to be looked at: node --import tsx bench/SitesCheck.ts [folder] [how many]

const [folder = "sheets", most = "50"] = process.argv.slice(2)
await mkdir(folder, { recursive: true })

const check = Effect.gen(function* () {
  const served = yield* serveSites
  return yield* Effect.provide(
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
}).pipe(Effect.scoped)

const checked = await Effect.runPromise(check)
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
if (faults > 0) process.exitCode = 1
