import { createHash, randomUUID } from "node:crypto"
import { readdirSync, statSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { indexOfLines } from "./sourceLines.js"

/**
 * The gateway compiled to JavaScript. A build is a folder named after the sources it was made of and its programs never
 * change, so that any number of processes can use one, or make the same one at once.
 */

const root = fileURLToPath(new URL("..", import.meta.url))
const outputs = path.join(root, "dist")
const buildsKept = 5

/** The gateway cannot be compiled here; the message says what to do. */
export class CannotCompile extends Error {}

const codeOf = (/** @type {unknown} */ error) =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined

const unwritable = new Set(["EROFS", "EACCES", "EPERM", "ENOTDIR", "EEXIST", "ENOSPC", "EDQUOT"])

const explained = (/** @type {unknown} */ error) => {
  const code = codeOf(error)
  if (code !== undefined && unwritable.has(code)) {
    return `The gateway is compiled when it first starts, and ${outputs} cannot be written to (${code}). Make it writable, or run "npm run build" beforehand as a user who may.`
  }
  if (code === "ERR_MODULE_NOT_FOUND") return 'The compiler is not installed: run "npm ci".'
  return `The gateway could not be compiled. ${error instanceof Error ? error.message : String(error)}`
}

/** Holds the build of a package, which has no sources and no compiler. */
const packaged = path.join(root, "build")

/** Whether this is an installed package rather than a checkout. */
const isPackage = () => statSync(path.join(packaged, "Main.js"), { throwIfNoEntry: false }) !== undefined

const sourceFiles = () =>
  readdirSync(path.join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort()

/** What a build depends on: the sources, the packages that become part of it, and how it is made. */
const ingredients = (/** @type {ReadonlyArray<string>} */ sources) => [
  ...sources,
  "package.json",
  "package-lock.json",
  "launch/program.js",
  "launch/sourceLines.js"
]

const digest = (/** @type {import("node:crypto").Hash} */ hash) => hash.digest("hex").slice(0, 16)

/** A name for what the files say. */
const fingerprintOf = async (/** @type {ReadonlyArray<string>} */ files) => {
  const contents = await Promise.all(files.map((file) => fs.readFile(path.join(root, file)).catch(() => "")))
  const hash = createHash("sha256")
  contents.forEach((content, index) => hash.update(`${files[index]}\0${content.length}\0`).update(content))
  return digest(hash)
}

/** Nanoseconds since the last change of a file before its time can be trusted: a second change could have the same time. */
const settled = 2_000_000_000n

/**
 * A digest of the change times of the files, which programs cannot set. While it is the same, no file has to be read.
 * Undefined if a file changed just now.
 */
const stampOf = (/** @type {ReadonlyArray<string>} */ files) => {
  const hash = createHash("sha256")
  let newest = 0n
  for (const file of files) {
    const stat = statSync(path.join(root, file), { bigint: true, throwIfNoEntry: false })
    if (stat === undefined) continue
    hash.update(`${file}\0${stat.ino}\0${stat.size}\0${stat.mtimeNs}\0${stat.ctimeNs}\0`)
    if (stat.ctimeNs > newest) newest = stat.ctimeNs
  }
  return newest + settled < BigInt(Date.now()) * 1_000_000n ? digest(hash) : undefined
}

/** Lies in a build, and names when the files that it was last found for had been changed. */
const stampFile = "stamp"

/** The build that was last found for files of this stamp. */
const stamped = async (/** @type {string} */ stamp) => {
  for (const name of await fs.readdir(outputs).catch(() => [])) {
    const build = path.join(outputs, name)
    if ((await fs.readFile(path.join(build, stampFile), "utf8").catch(() => "")) === stamp) return build
  }
  return undefined
}

/** Whole at once; where it cannot be written, the next start reads the files again. */
const putStamp = async (/** @type {string} */ build, /** @type {string} */ stamp) => {
  const draft = path.join(build, `${stampFile}-${randomUUID()}`)
  await fs.writeFile(draft, stamp)
  await fs.rename(draft, path.join(build, stampFile))
}

const slashed = (/** @type {string} */ file) => file.replaceAll("\\", "/")

/** Packages that a start loads: hundreds of small files, which take longer to find and open than to run. */
const loadedAtStart =
  /^(effect|@brazilian-utils\/[^/]+|@effect\/[^/]+|@formatjs\/[^/]+|bowser|countries-and-timezones|csv-parse|fastest-levenshtein|graphile-worker|htmlparser2|ical\.js|iconv-lite|imapflow|intl-messageformat|ipaddr\.js|isbot|libphonenumber-js|mailauth|mailparser|nodemailer|oauth4webapi|pg|pg-copy-streams|prom-client|rrule-temporal|yauzl|yazl)(\/|$)/

/** Optional imports of these packages that the gateway never reaches. */
const neverAsked = /^(bufferutil|pg-native|typescript|utf-8-validate)$/

/** What these load at once, large, for a part of theirs that the gateway does not use: calls go by the runtime's fetch. */
const neverUsed = /^undici$/

/**
 * Packages of the start become part of the program, with what they import in turn; the others are imported where they
 * are installed.
 *
 * @type {import("esbuild").Plugin}
 */
const packages = {
  name: "packages",
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ importer, kind, path: name }) => {
      if (kind === "entry-point") return
      if (neverUsed.test(name) && importer.includes("platform-node")) return { path: name, namespace: "unused" }
      const isOwn = importer.includes("node_modules") ? !neverAsked.test(name) : loadedAtStart.test(name)
      return isOwn && !name.startsWith("node:") ? undefined : { path: name, external: true }
    })
    build.onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "module.exports = {}", loader: "js" }))
  }
}

/** A thread is a module, with what packages in the old format expect around them. */
const asModule = /** @type {const} */ ({
  format: "esm",
  splitting: true,
  banner: {
    js:
      'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url); ' +
      "const __filename = import.meta.filename; const __dirname = import.meta.dirname;"
  }
})

/** The gateway is a script, since only what was made of scripts can be kept; `startProgram` calls it with these. */
export const asScript = /** @type {const} */ ({
  format: "cjs",
  banner: { js: "(function (exports, require, module, __filename, __dirname, programUrl) {" },
  footer: { js: "})" },
  define: { "import.meta.url": "programUrl" }
})

/** A script of ASCII is read without being decoded: in its strings and expressions, letters are as good by their numbers. */
export const inAscii = (/** @type {string} */ text) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/**
 * Modules find their assets by relative addresses, so in the build each keeps the address of its source.
 *
 * @returns {import("esbuild").Plugin}
 */
const addresses = (/** @type {string} */ build, /** @type {string} */ folder) => ({
  name: "addresses",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const text = await fs.readFile(file, "utf8")
      const address = slashed(path.relative(folder, path.join(build, path.relative(root, file))))
      const sourceUrl = `new URL(${JSON.stringify(address)}, import.meta.url).href`
      return { contents: inAscii(text).replaceAll("import.meta.url", sourceUrl), loader: "ts" }
    })
  }
})

/** Compiles the program that begins at `source`, a file below the root, to `target`, a file below `build`. */
const bundle = async (
  /** @type {string} */ build,
  /** @type {string} */ source,
  /** @type {string} */ target,
  /** @type {typeof asModule | typeof asScript} */ kind
) => {
  const esbuild = await import("esbuild")
  const file = path.join(build, target)
  const folder = path.dirname(file)
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [{ in: source, out: path.basename(file, ".js") }],
    outdir: folder,
    bundle: true,
    ...kind,
    platform: "node",
    target: "node20.19",
    plugins: [packages, addresses(build, folder)],
    // Half of the text is read in two thirds of the time; places in the sources are looked up by line, so it has lines.
    minifyWhitespace: true,
    lineLimit: 400,
    legalComments: "none",
    sourcemap: "linked",
    sourcesContent: false,
    logLevel: "silent"
  })
}

const indexMaps = async (/** @type {string} */ build) => {
  for (const name of await fs.readdir(build, { recursive: true })) {
    if (!name.endsWith(".js.map")) continue
    const map = path.join(build, name)
    await fs.writeFile(map.replace(/map$/, "lines"), indexOfLines(await fs.readFile(map)))
  }
}

/** A worker thread starts from JavaScript: each has a starter among the sources, in whose place its program is put. */
const workerStart = /start(\w+Worker)\.js$/

const compile = async (/** @type {ReadonlyArray<string>} */ sources, /** @type {string} */ target) => {
  const draft = `${target}-${randomUUID()}`
  try {
    await fs.mkdir(draft, { recursive: true })
    await Promise.all([
      bundle(draft, "src/Main.ts", "Main.js", asScript),
      ...sources
        .filter((file) => workerStart.test(file))
        .map((file) => bundle(draft, file.replace(workerStart, "$1.ts"), file, asModule)),
      ...sources
        .filter((file) => !/\.[jt]s$/.test(file))
        .map((file) => fs.cp(path.join(root, file), path.join(draft, file)))
    ])
    await indexMaps(draft)
    await fs.rename(draft, target).catch((error) => {
      // Another process was faster with the same build.
      if (codeOf(error) !== "ENOTEMPTY" && codeOf(error) !== "EEXIST") throw error
    })
  } finally {
    await fs.rm(draft, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Other folders, such as that of the console's page, are not removed with old builds. */
const isBuild = (/** @type {string} */ name) => /^[0-9a-f]{16}/.test(name)

/** Gateways may still run on builds of yesterday's sources, and load parts of them late: the newest stay. */
const removeOldBuilds = async () => {
  const folders = await Promise.all(
    (await fs.readdir(outputs)).filter(isBuild).map(async (name) => {
      const folder = path.join(outputs, name)
      const stat = await fs.stat(folder).catch(() => undefined)
      return { folder, changedAt: stat?.mtimeMs ?? 0 }
    })
  )
  const old = folders.sort((a, b) => b.changedAt - a.changedAt).slice(buildsKept)
  await Promise.all(old.map(({ folder }) => fs.rm(folder, { recursive: true, force: true })))
}

/**
 * Names the build that a run of tests has made, so that each of its hundreds of threads need not look at all sources. Of
 * this project alone: tests start others too.
 */
const builtForTests = () => {
  const build = process.env["GATEWAY_TEST_BUILD"]
  return build !== undefined && path.dirname(build) === outputs ? build : undefined
}

const programIn = (/** @type {string} */ build) => {
  const at = (/** @type {string} */ file) => pathToFileURL(path.join(build, file))
  return {
    main: at("Main.js"),
    compiled: (/** @type {string} */ source) => at(path.relative(root, fileURLToPath(source)))
  }
}

/** The build of the sources as they are, made when there is none. Fails with `CannotCompile`. */
export const program = async () => {
  const testBuild = builtForTests()
  if (testBuild !== undefined) return programIn(testBuild)
  if (isPackage()) return programIn(packaged)
  const sources = sourceFiles()
  const files = ingredients(sources)
  // Taken before the files are read, so that a change during the build gives another stamp.
  const stamp = stampOf(files)
  const build =
    (stamp === undefined ? undefined : await stamped(stamp)) ?? path.join(outputs, await fingerprintOf(files))
  const isMade = () =>
    fs.access(path.join(build, "Main.js")).then(
      () => true,
      () => false
    )
  if (!(await isMade())) {
    await compile(sources, build).catch((error) => {
      throw new CannotCompile(explained(error))
    })
    await removeOldBuilds().catch(() => undefined)
  }
  if (stamp !== undefined && (await stamped(stamp)) === undefined) await putStamp(build, stamp).catch(() => undefined)
  return programIn(build)
}
