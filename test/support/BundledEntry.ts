import * as fs from "node:fs/promises"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { Effect } from "effect"
import { build, type Plugin } from "esbuild"
import { inject } from "vitest"

/** Programs that tests run in processes of their own. */
const programs = [
  "Ads/doomedAds",
  "Calendar/doomedCalendar",
  "Companies/doomedCompanyWorker",
  "Connections/refreshingWorker",
  "Crm/doomedCrmWorker",
  "Jobs/doomedWorker",
  "Mail/doomedMailer",
  "Outreach/doomedTouchWorker",
  "Platform/EmbeddedPostgres/otherGateway",
  "Reports/doomedRollUp"
] as const

const tests = path.resolve(import.meta.dirname, "..")

/** Of what packages in the old format expect around them. */
const banner =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url); ' +
  "const __filename = import.meta.filename; const __dirname = import.meta.dirname;"

/** Files that stand beside a module are read from there. */
const ownPlaces: Plugin = {
  name: "own places",
  setup: (bundling) =>
    bundling.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path: file }) => ({
      contents: (await fs.readFile(file, "utf8")).replaceAll(
        "import.meta.url",
        JSON.stringify(pathToFileURL(file).href)
      ),
      loader: "ts"
    }))
}

const bundleAll = (folder: string) =>
  build({
    entryPoints: programs.map((name) => ({ in: path.join(tests, `${name}.ts`), out: name })),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20",
    format: "esm",
    // Asked for by packages in cases that do not come up.
    external: ["pg-native", "typescript"],
    banner: { js: banner },
    minifyWhitespace: true,
    lineLimit: 400,
    plugins: [ownPlaces],
    logLevel: "error"
  })

const exists = (file: string): Promise<boolean> =>
  fs.access(file).then(
    () => true,
    () => false
  )

const pause = () => new Promise((resolve) => setTimeout(resolve, 50))

/** Made together by the first test file of the run that needs one, since they share nearly all; the others wait for it. */
const madeIn = async (folder: string): Promise<void> => {
  const made = path.join(folder, "made")
  const failed = path.join(folder, "failed")
  const isFirst = await fs.mkdir(path.join(folder, "making")).then(
    () => true,
    () => false
  )
  if (isFirst) {
    await bundleAll(folder).catch(async (error: unknown) => {
      await fs.writeFile(failed, "")
      throw error
    })
    await fs.writeFile(made, "")
  }
  while (!(await exists(made))) {
    if (await exists(failed)) throw new Error("The programs of the tests could not be bundled.")
    await pause()
  }
}

/** The program bundled with all that it imports, so that it starts in a third of the time; answers its path. */
export const bundledEntry = (name: (typeof programs)[number]) =>
  Effect.promise(async () => {
    const folder = inject("bundles")
    await madeIn(folder)
    return path.join(folder, `${name}.mjs`)
  })
