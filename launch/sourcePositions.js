import * as path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { sourcePlace } from "./sourceLines.js"

const position = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/

const mostKnown = 10_000
/**
 * By the place in the program.
 *
 * @type {Map<string, string>}
 */
const known = new Map()

const lookUp = (
  /** @type {string} */ found,
  /** @type {string} */ address,
  /** @type {string} */ line,
  /** @type {string} */ column
) => {
  try {
    const file = fileURLToPath(address)
    const place = sourcePlace(file, Number(line), Number(column))
    if (place === undefined) return found
    return `${pathToFileURL(path.resolve(path.dirname(file), place.source)).href}:${place.line}:${place.column}`
  } catch {
    // A folder that was made otherwise, or is gone: the place in the program is better than none.
    return found
  }
}

/** A frame of a stack with the place in the sources. */
const inSources = (/** @type {string} */ frame, /** @type {string} */ build) =>
  frame.replace(position, (found, address, line, column) => {
    if (!address.startsWith(build)) return found
    const told = known.get(found) ?? lookUp(found, address, line, column)
    if (known.size >= mostKnown) known.clear()
    known.set(found, told)
    return told
  })

/**
 * From here on the stacks of errors name the sources of what was compiled into the folder `build`. Also Node looks at the
 * stack of each error that ends a stream, so that it must cost next to nothing.
 */
export const showSources = (/** @type {URL} */ build) => {
  Error.prepareStackTrace = (error, frames) =>
    [String(error), ...frames.map((frame) => `    at ${inSources(String(frame), build.href)}`)].join("\n")
}
