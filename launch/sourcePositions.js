import { readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import * as path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/** @type {Map<string, SourceMap | undefined>} */
const maps = new Map()

/** Milliseconds that maps are kept after a stack was asked for: they are much larger than their files. */
const keptFor = 10_000
/** @type {NodeJS.Timeout | undefined} */
let forgetting

const mapOf = (/** @type {string} */ file) => {
  if (!maps.has(file)) {
    try {
      maps.set(file, new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8"))))
    } catch {
      maps.set(file, undefined)
    }
  }
  return maps.get(file)
}

const forgetMapsLater = () => {
  clearTimeout(forgetting)
  forgetting = setTimeout(() => maps.clear(), keptFor).unref()
}

const position = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/

/** A frame of a stack with the place in the sources; maps are read when a stack is first asked for. */
const inSources = (/** @type {string} */ frame, /** @type {string} */ build) =>
  frame.replace(position, (found, address, line, column) => {
    if (!address.startsWith(build)) return found
    forgetMapsLater()
    const file = fileURLToPath(address)
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (entry === undefined || !("originalSource" in entry)) return found
    const source = pathToFileURL(path.resolve(path.dirname(file), entry.originalSource))
    return `${source.href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })

/** From here on the stacks of errors name the sources of what was compiled into the folder `build`. */
export const showSources = (/** @type {URL} */ build) => {
  Error.prepareStackTrace = (error, frames) =>
    [String(error), ...frames.map((frame) => `    at ${inSources(String(frame), build.href)}`)].join("\n")
}
