import * as path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { sourcePlace } from "./sourceLines.js"

const position = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/

const mostCached = 10_000
/**
 * Places in the sources by their place in the program.
 *
 * @type {Map<string, string>}
 */
const sourcePlaces = new Map()

const lookUp = (
  /** @type {string} */ programPlace,
  /** @type {string} */ address,
  /** @type {string} */ line,
  /** @type {string} */ column
) => {
  try {
    const file = fileURLToPath(address)
    const place = sourcePlace(file, Number(line), Number(column))
    if (place === undefined) return programPlace
    return `${pathToFileURL(path.resolve(path.dirname(file), place.source)).href}:${place.line}:${place.column}`
  } catch {
    // If the build is gone or has no index, the place in the program is better than none.
    return programPlace
  }
}

/** A frame of a stack with the place in the sources. */
const inSources = (/** @type {string} */ frame, /** @type {string} */ build) =>
  frame.replace(position, (place, address, line, column) => {
    if (!address.startsWith(build)) return place
    const sourcePosition = sourcePlaces.get(place) ?? lookUp(place, address, line, column)
    if (sourcePlaces.size >= mostCached) sourcePlaces.clear()
    sourcePlaces.set(place, sourcePosition)
    return sourcePosition
  })

/**
 * Makes stacks of errors name the sources of the build. Node reads the stack of each error that ends a stream, so this must
 * be cheap.
 */
export const showSources = (/** @type {URL} */ build) => {
  Error.prepareStackTrace = (error, frames) =>
    [String(error), ...frames.map((frame) => `    at ${inSources(String(frame), build.href)}`)].join("\n")
}
