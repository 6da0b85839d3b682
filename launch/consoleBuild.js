import { spawn } from "node:child_process"
import { createHash, randomUUID } from "node:crypto"
import { readdirSync, statSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

/**
 * The console's page, built by its own package. Like a build of the gateway, a built page is a folder named after its sources
 * that never changes, so that any number of processes can use one.
 */

const buildsKept = 3

/** Milliseconds after which a build that another process began is abandoned. */
const longestBuild = 60_000
const lookEvery = 100

/** The console cannot be built here. The message has the reason for the operator. */
export class CannotBuildConsole extends Error {}

const exists = (/** @type {string} */ file) => statSync(file, { throwIfNoEntry: false }) !== undefined

const isSource = (/** @type {string} */ file) => !/(^|[\\/])(node_modules|dist)([\\/]|$)/.test(file)

const sourcesIn = (/** @type {string} */ root) =>
  readdirSync(path.join(root, "console"), { withFileTypes: true })
    .filter(({ name }) => isSource(name))
    .flatMap((entry) =>
      entry.isFile()
        ? [path.join("console", entry.name)]
        : readdirSync(path.join(root, "console", entry.name), { recursive: true, withFileTypes: true })
            .filter((inner) => inner.isFile())
            .map((inner) => path.relative(root, path.join(inner.parentPath, inner.name)))
    )
    .filter(isSource)
    .sort()

/** A name for what the sources say. */
const fingerprintOf = async (/** @type {string} */ root) => {
  const files = [...sourcesIn(root), "package-lock.json", "launch/consoleBuild.js"]
  const contents = await Promise.all(files.map((file) => fs.readFile(path.join(root, file)).catch(() => "")))
  const hash = createHash("sha256")
  contents.forEach((content, index) => hash.update(`${files[index]}\0${content.length}\0`).update(content))
  return hash.digest("hex").slice(0, 16)
}

/** The build reads no secrets of the gateway, so it gets none. */
const environment = (/** @type {string} */ out) => ({
  ...Object.fromEntries(["PATH", "HOME", "TMPDIR", "TEMP", "TMP"].map((name) => [name, process.env[name] ?? ""])),
  NODE_ENV: "production",
  CONSOLE_OUT: out
})

/** Runs the package's own build. */
const runBuild = (/** @type {string} */ root, /** @type {string} */ out) =>
  new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
    const child = spawn(process.execPath, ["build.js"], {
      cwd: path.join(root, "console"),
      env: environment(out),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: longestBuild
    })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        output = `${output}${text}`.slice(-4000)
      })
    }
    child.on("error", (error) => reject(new CannotBuildConsole(error.message)))
    child.on("close", (code, signal) =>
      code === 0
        ? resolve()
        : reject(new CannotBuildConsole(`The build ended with ${code ?? signal}. ${output.trim()}`))
    )
  })

const compressed = /\.(?:html|js|css|svg|json|md|txt|webmanifest)$/

const withBrotli = promisify(brotliCompress)
const withGzip = promisify(gzip)

/** Puts a compressed copy next to each file of text, so that no gateway has to compress. */
const compress = async (/** @type {string} */ folder) => {
  const names = await fs.readdir(folder, { recursive: true })
  await Promise.all(
    names
      .filter((name) => compressed.test(name))
      .map(async (name) => {
        const file = path.join(folder, name)
        const text = await fs.readFile(file)
        const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
        await fs.writeFile(`${file}.br`, await withBrotli(text, { params }))
        await fs.writeFile(`${file}.gz`, await withGzip(text, { level: 9 }))
      })
  )
}

const isRunning = (/** @type {number} */ pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Whether the lock belongs to a process that is still at work. */
const isHeld = async (/** @type {string} */ lock) => {
  const pid = Number(await fs.readFile(lock, "utf8").catch(() => ""))
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  // The file is empty for a moment.
  return age < longestBuild && (pid === 0 ? age < 1000 : isRunning(pid))
}

/** Makes the folder in one process, while others wait for it. */
const buildOnce = async (/** @type {string} */ root, /** @type {string} */ target) => {
  const lock = `${target}.lock`
  await fs.mkdir(path.dirname(target), { recursive: true })
  for (;;) {
    if (exists(path.join(target, "index.html"))) return
    const isOurs = await fs.writeFile(lock, String(process.pid), { flag: "wx" }).then(
      () => true,
      (error) => {
        if (error.code !== "EEXIST") throw error
        return false
      }
    )
    if (isOurs) break
    if (await isHeld(lock)) await new Promise((resolve) => setTimeout(resolve, lookEvery))
    else await fs.rm(lock, { force: true })
  }
  const draft = `${target}-${randomUUID()}`
  try {
    await runBuild(root, draft)
    await compress(draft)
    await fs.rename(draft, target).catch((error) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error
    })
  } finally {
    await fs.rm(draft, { recursive: true, force: true }).catch(() => undefined)
    await fs.rm(lock, { force: true })
  }
}

/** Open pages still load parts of the page before the last one. */
const removeOldBuilds = async (/** @type {string} */ folder) => {
  const builds = (await fs.readdir(folder))
    .map((name) => path.join(folder, name))
    .map((build) => ({ build, changedAt: statSync(build, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.changedAt - a.changedAt)
  await Promise.all(builds.slice(buildsKept).map(({ build }) => fs.rm(build, { recursive: true, force: true })))
}

/**
 * The folder with the built page of a project, made when there is none. `isFixed` says that it never changes, as in an
 * installed package. Fails with `CannotBuildConsole`.
 */
export const builtConsole = async (/** @type {string} */ root) => {
  const packaged = path.join(root, "build", "console")
  if (exists(path.join(packaged, "index.html"))) return { folder: packaged, isFixed: true }
  if (!exists(path.join(root, "console", "build.js"))) {
    throw new CannotBuildConsole("This installation has neither the console nor its sources.")
  }
  const outputs = path.join(root, "dist", "console")
  const target = path.join(outputs, await fingerprintOf(root))
  if (!exists(path.join(target, "index.html"))) {
    await buildOnce(root, target).catch((error) => {
      throw error instanceof CannotBuildConsole ? error : new CannotBuildConsole(String(error))
    })
    await removeOldBuilds(outputs).catch(() => undefined)
  }
  return { folder: target, isFixed: false }
}
