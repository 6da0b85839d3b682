import { createHash } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build, type Plugin as Step } from "esbuild"
import type { Plugin } from "vitest/config"
import { program } from "../../launch/program.js"

/**
 * Compiles the sources to JavaScript modules, one per file, which the test processes load like packages. Letting the
 * test runner transform and evaluate them in each process would take a tenth of the whole run.
 */

const root = path.resolve(import.meta.dirname, "../..")
const sources = path.join(root, "src")

const ofSources = /((?:from|import)\s*\(?\s*")(\.[^"\n]+)\.(?:ts|json)"(?: with \{ type: "json" \})?/g

/** Modules keep their names and import each other. Files next to a module are read from the sources. */
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

/** Next to the build of the same sources. It is made once for each state of the sources and of this code. */
const compiledModules = async (): Promise<string> => {
  const { main } = await program()
  const way = createHash("sha256")
    .update(await fs.readFile(import.meta.filename))
    .digest("hex")
  const folder = path.join(path.dirname(fileURLToPath(main)), `modules-${way.slice(0, 12)}`)
  if (await exists(folder)) return folder
  const draft = await fs.mkdtemp(`${folder}-`)
  await compileInto(draft)
  // Another run made the same folder first.
  await fs.rename(draft, folder).catch(() => fs.rm(draft, { recursive: true, force: true }))
  return folder
}

/** The compiled modules by file path, which are loaded without a transformation. */
export const compiledSource = /\/dist\/\w+\/modules-\w+\//

/**
 * Replaces the sources by the compiled modules, unless they are watched or cannot be compiled. A test then reports why.
 */
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
