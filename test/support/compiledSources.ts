import { createHash } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build, type Plugin as Step } from "esbuild"
import type { Plugin } from "vitest/config"
import { program } from "../../launch/program.js"

/**
 * The sources as modules of JavaScript, a file for a file, that the test processes load as they load packages. To have
 * each brought over and evaluated by the test runner, in each process, takes a tenth of the whole run.
 */

const root = path.resolve(import.meta.dirname, "../..")
const sources = path.join(root, "src")

const ofSources = /((?:from|import)\s*\(?\s*")(\.[^"\n]+)\.(?:ts|json)"(?: with \{ type: "json" \})?/g

/** Modules name each other as they are called here; what stands beside one is read from the sources. */
const named: Step = {
  name: "named",
  setup: (compiling) =>
    compiling.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => ({
      contents: (await fs.readFile(file, "utf8"))
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(file).href))
        .replaceAll(ofSources, '$1$2.js"'),
      loader: "ts"
    }))
}

const compileInto = (folder: string) =>
  build({
    absWorkingDir: root,
    entryPoints: ["src/**/*.ts", "src/**/*.json", "package.json"],
    outbase: root,
    outdir: folder,
    platform: "node",
    target: "node20.19",
    format: "esm",
    sourcemap: "linked",
    sourcesContent: false,
    plugins: [named],
    logLevel: "error"
  })

const exists = (file: string): Promise<boolean> =>
  fs.access(file).then(
    () => true,
    () => false
  )

/** Beside the build of the same sources, made whole and once for it and for this way to make them. */
const compiledModules = async (): Promise<string> => {
  const { main } = await program()
  const way = createHash("sha256")
    .update(await fs.readFile(import.meta.filename))
    .digest("hex")
  const folder = path.join(path.dirname(fileURLToPath(main)), `modules-${way.slice(0, 12)}`)
  if (await exists(folder)) return folder
  const draft = await fs.mkdtemp(`${folder}-`)
  await compileInto(draft)
  // Another run was faster with the same.
  await fs.rename(draft, folder).catch(() => fs.rm(draft, { recursive: true, force: true }))
  return folder
}

/** Where they are by the addresses of files, for those that are loaded and not transformed. */
export const compiledSource = /\/dist\/\w+\/modules-\w+\//

/** Puts them in the place of the sources, but where these are watched, or cannot be compiled: a test says why. */
export const compiledSources = (): Plugin => {
  let modules: string | undefined
  return {
    name: "compiled sources",
    enforce: "pre",
    async configureServer({ config }) {
      if (config.server.watch === null) modules = await compiledModules().catch(() => undefined)
    },
    resolveId(name, importer) {
      if (modules === undefined || importer === undefined || !name.startsWith(".")) return
      const file = path.resolve(path.dirname(importer), name)
      if (!file.startsWith(sources + path.sep) || !file.endsWith(".ts")) return
      return path.join(modules, path.relative(root, file).replace(/\.ts$/, ".js"))
    }
  }
}
