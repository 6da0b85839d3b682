import { once } from "node:events"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Effect } from "effect"
import { build, type Plugin } from "esbuild"
import { inject } from "vitest"
import { asScript, inAscii } from "../../launch/program.js"
import { keepCode } from "../../launch/startProgram.js"

/** Programs that tests run in separate processes. */
const programs = [
  "Ads/crashingAdsProcess",
  "Calendar/doomedCalendar",
  "Companies/doomedCompanyWorker",
  "Connections/refreshingWorker",
  "Crm/support/doomedCrmWorker",
  "Jobs/doomedWorker",
  "Mail/doomedMailer",
  "Outreach/support/doomedTouchWorker",
  "Platform/EmbeddedPostgres/otherGateway",
  "Reports/doomedRollUp"
] as const

const tests = path.resolve(import.meta.dirname, "..")

/** Files next to a module are read from their original folder. */
const ownPlaces: Plugin = {
  name: "own places",
  setup: (bundling) =>
    bundling.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path: file }) => ({
      contents: inAscii(await fs.readFile(file, "utf8")).replaceAll(
        "import.meta.url",
        JSON.stringify(pathToFileURL(file).href)
      ),
      loader: "ts"
    }))
}

/** These do nothing without an order. */
const ordered = programs.filter((name) => /^(?:Ads|Calendar|Companies|Crm|Jobs|Mail|Outreach)\//.test(name))

/**
 * One script for all programs, so that its compiled code is cached. It runs the program named after the # in its
 * address. Without a name, it loads what most programs need.
 */
const oneOfAll = `
const programs = {
"": () => Promise.all([${ordered.map((name) => `import("./${name}.ts")`).join()}]),
${programs.map((name) => `"#${name}": () => import("./${name}.ts")`).join(",\n")}
}
void programs[new URL(import.meta.url).hash]?.()
`

const scriptIn = (folder: string) => pathToFileURL(path.join(folder, "programs.js"))

const bundleAll = async (folder: string) => {
  const script = scriptIn(folder)
  await build({
    stdin: { contents: oneOfAll, resolveDir: tests, loader: "ts" },
    outfile: fileURLToPath(script),
    bundle: true,
    platform: "node",
    target: "node20",
    ...asScript,
    // Identifies the program that was started.
    banner: { js: `${asScript.banner.js} const started = process.argv[1];` },
    define: { ...asScript.define, "import.meta.filename": "started" },
    // Packages only need these in cases that do not occur.
    external: ["pg-native", "typescript"],
    minifyWhitespace: true,
    lineLimit: 400,
    plugins: [ownPlaces],
    logLevel: "error"
  })
  const starter = pathToFileURL(path.resolve(tests, "../launch/startProgram.js")).href
  for (const name of programs) {
    const entry = path.join(folder, `${name}.mjs`)
    await fs.mkdir(path.dirname(entry), { recursive: true })
    await fs.writeFile(
      entry,
      `import { startProgram } from "${starter}"\nstartProgram(new URL("${script.href}#${name}"))\n`
    )
  }
  const keeping = keepCode(script, [], [])
  if (keeping !== undefined) await once(keeping, "exit")
}

const exists = (file: string): Promise<boolean> =>
  fs.access(file).then(
    () => true,
    () => false
  )

const pause = () => new Promise((resolve) => setTimeout(resolve, 50))

/**
 * The first test file of the run that needs a bundle makes all of them, because they share most code. The others wait
 * for it.
 */
const madeIn = async (folder: string): Promise<void> => {
  const marker = path.join(folder, "made")
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
    await fs.writeFile(marker, "")
  }
  while (!(await exists(marker))) {
    if (await exists(failed)) throw new Error("The programs of the tests could not be bundled.")
    await pause()
  }
}

/** Returns the path of the bundled program, which starts in a third of the time. */
export const bundledEntry = (name: (typeof programs)[number]) =>
  Effect.promise(async () => {
    const folder = inject("bundles")
    await madeIn(folder)
    return path.join(folder, `${name}.mjs`)
  })
