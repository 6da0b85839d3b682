import Bowser from "bowser"
import { isbot } from "isbot"

export interface Browser {
  readonly isBot: boolean
  /** `desktop`, `mobile`, `tablet` or `other`. */
  readonly device: string
}

const bot: Browser = { isBot: true, device: "other" }
const devices = new Set(["desktop", "mobile", "tablet"])

const read = (userAgent: string): Browser => {
  if (isbot(userAgent)) return bot
  const type = Bowser.parse(userAgent).platform.type ?? ""
  return { isBot: false, device: devices.has(type) ? type : "other" }
}

const longestUserAgent = 500
const mostKept = 2000

/**
 * Makes a function that parses `User-Agent` headers. Results are cached, because most visitors have one of a few
 * browsers.
 */
export const makeBrowsers = (): ((userAgent: string | undefined) => Browser) => {
  const kept = new Map<string, Browser>()
  return (userAgent) => {
    if (userAgent === undefined || userAgent.trim() === "" || userAgent.length > longestUserAgent) return bot
    const known = kept.get(userAgent)
    if (known !== undefined) return known
    const browser = read(userAgent)
    if (kept.size >= mostKept) kept.clear()
    kept.set(userAgent, browser)
    return browser
  }
}

/** True if a browser prefetches the page for a visit that may never come. */
export const isPrefetch = (headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }): boolean =>
  ["sec-purpose", "purpose", "x-purpose", "x-moz"].some((name) => {
    const value = headers[name]
    return typeof value === "string" && /prefetch|prerender|preview/i.test(value)
  })

/**
 * Makes a filter against clients that send far more requests than people do. Its memory is fixed: it has counts of the
 * last minute in two rows of cells, and the smaller of the two counts applies.
 */
export const makeFloodGuard = (most: number, now: () => number) => {
  const cells = 1 << 16
  const rows = [new Uint16Array(cells), new Uint16Array(cells)] as const
  let since = now()
  /** `hash` has at least 8 hexadecimal digits. Answers whether it is more than `most` in this minute. */
  return (hash: string): boolean => {
    const at = now()
    if (at - since >= 60_000 || at < since) {
      for (const row of rows) row.fill(0)
      since = at
    }
    let fewest = Number.POSITIVE_INFINITY
    for (const [index, row] of rows.entries()) {
      const cell = Number.parseInt(hash.slice(4 * index, 4 * index + 4), 16)
      const count = Math.min((row[cell] ?? 0) + 1, 65_535)
      row[cell] = count
      fewest = Math.min(fewest, count)
    }
    return fewest > most
  }
}
