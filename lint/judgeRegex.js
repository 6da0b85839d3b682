import { check } from "recheck"
import { attacksOn, lengths } from "./regexAttacks.js"

/** Processor time that a harmless expression may take for a text, in milliseconds. */
const longestMillis = 100

/** The longest processor time for one of the texts, in milliseconds; the better of two runs counts. */
const slowest = (/** @type {RegExp} */ regex) => {
  const once = (/** @type {string} */ text) => {
    const start = process.cpuUsage()
    regex.lastIndex = 0
    regex.test(text)
    return process.cpuUsage(start).user / 1000
  }
  let longest = 0
  for (const length of lengths) {
    for (const text of attacksOn(regex.source, length)) {
      const first = once(text)
      longest = Math.max(longest, first > longestMillis / 4 ? Math.min(first, once(text)) : first)
      if (longest > longestMillis) return longest
    }
  }
  return longest
}

/** The source and the flags of an expression as written; a template gets a word in each gap. */
const partsOf = (/** @type {string} */ text) => {
  const literal = /^\/([^]*)\/([a-z]*)$/.exec(text)
  if (literal !== null) return [literal[1] ?? "", literal[2] ?? ""]
  const [, template, flags = ""] = /^(?:new )?RegExp\(\s*`([^]*)`(?:,\s*"([a-z]*)")?\s*,?\s*\)$/.exec(text) ?? []
  return template === undefined
    ? undefined
    : [template.replace(/\$\{[^}]*\}/g, "(?:[a-z]{2,9})").replace(/\\([\\`])/g, "$1"), flags]
}

/**
 * Judges an expression as written: `linear` is proved; `attacked` was undecided in that time (milliseconds), and no
 * attack text was slow. Anything else must be rewritten or judged by hand.
 *
 * @returns {Promise<"linear" | "attacked" | string>}
 */
export const judge = async (/** @type {string} */ text, /** @type {number} */ timeout) => {
  const [source = "", flags = ""] = partsOf(text) ?? []
  if (source === "") return "put together while the gateway runs"
  const verdict = await check(source, flags, { timeout })
  if (verdict.status === "safe") return "linear"
  if (verdict.status === "vulnerable") return verdict.complexity.type
  const millis = slowest(new RegExp(source, flags))
  return millis < longestMillis ? "attacked" : `undecided, ${Math.round(millis)} ms for a text that was tried`
}
