import { isAscii } from "node:buffer"
import { spawn } from "node:child_process"
import { createHash, randomUUID } from "node:crypto"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import vm from "node:vm"

/**
 * A program is one script of several megabytes. Parsing and compiling it takes half of a start, so the compiled code is
 * cached next to it.
 */

/** Identifies the runtime and its flags. Any other runtime or flags would reject the cached code. */
const runtimeOf = (/** @type {ReadonlyArray<string>} */ flags) =>
  createHash("sha256")
    .update(JSON.stringify([process.version, process.arch, flags, process.env["NODE_OPTIONS"] ?? ""]))
    .digest("hex")
    .slice(0, 16)

const codeOf = (/** @type {string} */ file, /** @type {ReadonlyArray<string>} */ flags = process.execArgv) =>
  `${file}.${runtimeOf(flags)}.code`

const readIfThere = (/** @type {string} */ file) => {
  try {
    return fs.readFileSync(file)
  } catch {
    return undefined
  }
}

const removed = (/** @type {string} */ file) => {
  try {
    fs.rmSync(file, { force: true })
  } catch {
    // Where nothing can be written, it stays.
  }
}

/** Of a byte for a character, where all are of ASCII, which the compiler sees to: that is read at once, and half as large. */
const textOf = (/** @type {string} */ file) => {
  const bytes = fs.readFileSync(file)
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8")
}

/** Runs the program in `main`, and answers its script. */
const run = (/** @type {URL} */ main) => {
  const file = fileURLToPath(main)
  const cachedData = readIfThere(codeOf(file))
  const script = new vm.Script(textOf(file), {
    filename: main.href,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData })
  })
  // The cache is damaged, for example after a crash of the machine. A later start makes it again.
  if (script.cachedDataRejected === true) removed(codeOf(file))
  const module = { exports: {} }
  script.runInThisContext()(module.exports, createRequire(main), module, file, path.dirname(file), main.href)
  return script
}

/** Runs the program in `main`. */
export const startProgram = (/** @type {URL} */ main) => {
  run(main)
}

/** Runs the program in `main`, and keeps the code when the process ends: of all functions that were called. */
export const startAndKeep = (/** @type {URL} */ main) => {
  const script = run(main)
  process.once("exit", () => {
    const file = codeOf(fileURLToPath(main))
    const draft = `${file}-${randomUUID()}`
    try {
      fs.writeFileSync(draft, script.createCachedData())
      fs.renameSync(draft, file)
    } catch {
      // Where nothing can be written, each start takes the time.
      removed(draft)
    }
  })
}

const canBeWritten = (/** @type {string} */ folder) => {
  try {
    fs.accessSync(folder, fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

const lowestPriority = 19

const giveWay = (/** @type {number} */ pid) => {
  try {
    os.setPriority(pid, lowestPriority)
  } catch {
    // It has ended, or the system has no priorities.
  }
}

/**
 * Starts a separate process that caches the code of the program in `main` for processes with these `flags`. The program
 * must end by itself when it gets `args`. Does nothing if the cache exists or cannot be written.
 */
export const keepCode = (
  /** @type {URL} */ main,
  /** @type {ReadonlyArray<string>} */ args,
  /** @type {ReadonlyArray<string>} */ flags = process.execArgv
) => {
  const file = fileURLToPath(main)
  if (fs.existsSync(codeOf(file, flags)) || !canBeWritten(path.dirname(file))) return undefined
  const keeper = path.join(import.meta.dirname, "keepCode.js")
  const child = spawn(process.execPath, [...flags, keeper, main.href, ...args], {
    stdio: "ignore",
    detached: true
  })
  // It must not slow down the start that it is for.
  if (child.pid !== undefined) giveWay(child.pid)
  // Where no process can be had, each start takes the time.
  return child.on("error", () => undefined)
}
