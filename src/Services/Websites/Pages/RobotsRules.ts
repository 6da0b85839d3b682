/** The rules of a host's robots.txt for one crawler (RFC 9309). */
export type RobotsRules = ReadonlyArray<{ readonly isAllowed: boolean; readonly pattern: string }>

/** The product token that robots.txt files name this gateway by. */
export const crawlerToken = "prospecting-gateway"

/** Only this much of a robots.txt is read. The standard allows cutting off the rest. */
export const longestRobots = 500 * 1024

const unreserved = /^[A-Za-z0-9._~-]$/

/** Each byte of UTF-8 as addresses have it. */
const written: ReadonlyArray<string> = Array.from({ length: 256 }, (_, byte) =>
  byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
)

/** Byte by byte: of strangers' text, each character by itself would take several times as long. */
const encoded = (text: string): string => {
  if (/^[\x21-\x7e]*$/.test(text)) return text
  let made = ""
  for (const byte of Buffer.from(text)) made += written[byte] ?? ""
  return made
}

/** Each character written in one way: UTF-8 percent-encoded, what needs no encoding not encoded. */
const normalised = (text: string): string =>
  encoded(
    text.indexOf("%") < 0
      ? text
      : text.replace(/%[0-9a-f]{2}/gi, (code) => {
          const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
          return unreserved.test(character) ? character : code.toUpperCase()
        })
  )

const lineOf = (line: string): readonly [string, string] | undefined => {
  const colon = line.indexOf(":")
  if (colon < 0) return undefined
  const hash = line.indexOf("#")
  const told = hash < 0 ? line : line.slice(0, hash)
  return hash >= 0 && hash < colon
    ? undefined
    : [told.slice(0, colon).trim().toLowerCase(), told.slice(colon + 1).trim()]
}

/** Only its letters count: a version may follow. */
const tokenOf = (agent: string): string => /^[a-z_-]*/i.exec(agent)?.[0].toLowerCase() ?? ""

const linesInTurn = 2000

/** The rules of all groups that name `token`, else of those for everybody; pauses after every so many lines. */
export function* rulesInTurns(text: string, token: string): Generator<void, RobotsRules> {
  const own: Array<RobotsRules[number]> = []
  const common: Array<RobotsRules[number]> = []
  let isNamed = false
  let group: { isOwn: boolean; isCommon: boolean } = { isOwn: false, isCommon: false }
  let isInAgents = false
  for (const [index, line] of text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .entries()) {
    if (index % linesInTurn === linesInTurn - 1) yield
    const told = lineOf(line)
    if (told === undefined) continue
    const [key, value] = told
    if (key === "user-agent") {
      if (!isInAgents) group = { isOwn: false, isCommon: false }
      isInAgents = true
      if (value === "*") group.isCommon = true
      else if (tokenOf(value) === token) group.isOwn = isNamed = true
    } else if (key === "allow" || key === "disallow") {
      isInAgents = false
      // An empty rule says nothing.
      if (value === "") continue
      const rule = { isAllowed: key === "allow", pattern: normalised(value) }
      if (group.isOwn) own.push(rule)
      if (group.isCommon) common.push(rule)
    }
  }
  return isNamed ? own : common
}

/** The same in one go. */
export const robotsRules = (text: string, token: string): RobotsRules => {
  const reading = rulesInTurns(text, token)
  for (;;) {
    const { done, value } = reading.next()
    if (done === true) return value
  }
}

/** Whether a path fits a pattern, in which `*` is anything and a final `$` the end. */
export const robotsMatch = (pattern: string, path: string): boolean => {
  const isWhole = pattern.endsWith("$")
  // Most rules of most files end here, of tens of thousands where a host wishes so.
  if (!isWhole && !pattern.includes("*")) return path.startsWith(pattern)
  const [first = "", ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split("*")
  if (!path.startsWith(first)) return false
  const last = parts.pop()
  if (last === undefined) return path.length === first.length
  let at = first.length
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return isWhole ? path.length - last.length >= at && path.endsWith(last) : path.includes(last, at)
}

/** Whether the crawler may fetch this path with its query. The longest rule counts; of two, the one that allows. */
export const isAllowedByRobots = (rules: RobotsRules, pathAndQuery: string): boolean => {
  const path = normalised(pathAndQuery)
  if (path === "/robots.txt") return true
  let decision = { length: -1, isAllowed: true }
  for (const { isAllowed, pattern } of rules) {
    const { length } = pattern
    if (length < decision.length || (length === decision.length && !isAllowed)) continue
    if (robotsMatch(pattern, path)) decision = { length, isAllowed }
  }
  return decision.isAllowed
}
