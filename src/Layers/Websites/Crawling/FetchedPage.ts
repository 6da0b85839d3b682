import { promisify } from "node:util"
import * as zlib from "node:zlib"
import { Clock, Effect, Predicate } from "effect"
import { type Refused, refused, type Transient } from "../../../Errors.ts"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import { fetchFailure } from "../../../Services/Outbound/FetchedUrl.ts"
import { OutboundFailure, OutboundHttp, type OutboundResponse } from "../../../Services/Outbound/OutboundHttp.ts"
import { decodedSlices } from "../../../Services/Text/Web/PageCharset.ts"
import {
  disallowedByRobots,
  longestPage,
  pageNotText,
  pageTooLarge
} from "../../../Services/Websites/Pages/PageCrawler.ts"
import {
  crawlerToken,
  isAllowedByRobots,
  longestRobots,
  type RobotsRules,
  rulesInTurns
} from "../../../Services/Websites/Pages/RobotsRules.ts"
import { yieldToEventLoop } from "../../Platform/Fairness/EventLoop.ts"
import { Settings } from "../../Platform/Settings.ts"

export interface FetchedPage {
  readonly finalUrl: string
  readonly status: number
  readonly contentType: string
  readonly text: string
  /** The size as it was received, in bytes. */
  readonly sizeBytes: number
}

const wholeTime = 20_000
const mostRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])
const readable = /^(?:text\/|application\/(?:xhtml\+xml|xml|json|ld\+json|rss\+xml|atom\+xml)\b)/i

/** Milliseconds for which a host's robots.txt is cached, and the number of hosts. */
const rulesAge = 15 * 60_000
const mostHosts = 500
/** The most rules that are cached for all hosts together, about 20 MB. One file may have tens of thousands. */
const mostRules = 200_000

const unpackers: { readonly [encoding: string]: (bytes: Uint8Array) => Promise<Uint8Array> } = {
  gzip: (bytes) => promisify(zlib.gunzip)(bytes, { maxOutputLength: longestPage }),
  deflate: (bytes) => promisify(zlib.inflate)(bytes, { maxOutputLength: longestPage }),
  br: (bytes) =>
    promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress)(bytes, {
      maxOutputLength: longestPage
    })
}

const unreadable = new OutboundFailure({ reason: "response_unreadable", mayHaveArrived: true })

/** Decompresses the body. It never becomes larger than a page may be. */
const unpacked = ({ body, headers }: OutboundResponse): Effect.Effect<Uint8Array, Refused | OutboundFailure> => {
  const encodings = (headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((encoding) => encoding.trim().replace(/^x-gzip$/, "gzip"))
    .filter((encoding) => encoding !== "" && encoding !== "identity")
  if (encodings.length > 2) return Effect.fail(unreadable)
  return Effect.reduce(encodings.reverse(), body, (bytes, encoding) => {
    const unpack = Object.hasOwn(unpackers, encoding) ? unpackers[encoding] : undefined
    return unpack === undefined
      ? Effect.fail(unreadable)
      : Effect.tryPromise({
          try: () => unpack(bytes),
          catch: (error) =>
            Predicate.hasProperty(error, "code") && error.code === "ERR_BUFFER_TOO_LARGE" ? pageTooLarge : unreadable
        })
  })
}

/**
 * Decodes the text of the page, without characters that the database cannot store. Other calls are answered while it is
 * decoded.
 */
const textOf = (bytes: Uint8Array, contentType: string): Effect.Effect<string> =>
  Effect.gen(function* () {
    const pieces: Array<string> = []
    for (const slice of decodedSlices(bytes, contentType)) {
      pieces.push(slice.includes("\0") ? slice.split("\0").join("\uFFFD") : slice)
      yield* yieldToEventLoop
    }
    return pieces.join("").toWellFormed()
  })

const tooManyRedirects = refused(
  "too_many_redirects",
  "The URL redirects again and again.",
  "Give the address that the redirects lead to."
)

/** Makes the function that fetches a page as robots.txt allows it, each address on the way checked like the first. */
export const makeFetchPage = Effect.gen(function* () {
  const http = yield* OutboundHttp
  const { baseUrl } = yield* Settings
  const rulesOfHosts = new Map<string, { readonly rules: RobotsRules; readonly until: number }>()

  const get = (url: string, deadline: number, accept: string, maxResponseBytes: number) =>
    Effect.gen(function* () {
      const time = deadline - (yield* Clock.currentTimeMillis)
      if (time <= 0) return yield* new OutboundFailure({ reason: "timed_out", mayHaveArrived: false })
      return yield* http.request({
        method: "GET",
        url,
        headers: {
          accept,
          "accept-encoding": "gzip, br, deflate",
          "user-agent": `Mozilla/5.0 (compatible; ${crawlerToken}/1.0; +${baseUrl})`
        },
        timeout: time,
        maxResponseBytes,
        allowHttp: true,
        mayBeEncoded: true
      })
    })

  /** Returns the target of a redirect; undefined if the answer is not a redirect. */
  const nextOf = ({ headers, status }: OutboundResponse, from: string): string | undefined => {
    const { location } = headers
    return redirects.has(status) && location !== undefined ? parsedUrl(location, from)?.href : undefined
  }

  const readRules = (
    url: string,
    deadline: number,
    left: number
  ): Effect.Effect<RobotsRules, Refused | Transient | OutboundFailure> =>
    Effect.gen(function* () {
      const answer = yield* get(url, deadline, "text/plain", longestRobots).pipe(
        // By the standard, the rest of a long robots.txt is ignored. A host that excludes all robots does so at the
        // beginning.
        Effect.catchIf(
          (error) => error._tag === "OutboundFailure" && error.reason === "response_too_large",
          () => Effect.succeed<OutboundResponse>({ status: 404, headers: {}, body: new Uint8Array() })
        )
      )
      const next = nextOf(answer, url)
      if (next !== undefined) return left === 0 ? [] : yield* readRules(next, deadline, left - 1)
      // The rules are unknown, so nothing is allowed.
      if (answer.status >= 500) return [{ isAllowed: false, pattern: "/" }]
      if (answer.status < 200 || answer.status >= 300) return []
      const text = new TextDecoder().decode((yield* unpacked(answer)).subarray(0, longestRobots))
      const reading = rulesInTurns(text, crawlerToken)
      for (;;) {
        const { done, value } = reading.next()
        if (done === true) return value
        yield* yieldToEventLoop
      }
    })

  const forgetOldest = (): void => {
    let kept = 0
    for (const { rules } of rulesOfHosts.values()) kept += rules.length
    for (const [origin, { rules }] of rulesOfHosts) {
      if (rulesOfHosts.size <= mostHosts && kept <= mostRules) return
      rulesOfHosts.delete(origin)
      kept -= rules.length
    }
  }

  const rulesOf = (origin: string, deadline: number) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const known = rulesOfHosts.get(origin)
      if (known !== undefined && known.until > now) return known.rules
      const rules = yield* readRules(`${origin}/robots.txt`, deadline, mostRedirects)
      rulesOfHosts.delete(origin)
      rulesOfHosts.set(origin, { rules, until: now + rulesAge })
      forgetOldest()
      return rules
    })

  const follow = (
    url: string,
    deadline: number,
    left: number
  ): Effect.Effect<FetchedPage, Refused | Transient | OutboundFailure> =>
    Effect.gen(function* () {
      const address = parsedUrl(url)
      if (address !== undefined && /^https?:/.test(url)) {
        const { origin, pathname, search } = address
        const rules = yield* rulesOf(origin, deadline)
        if (!isAllowedByRobots(rules, `${pathname}${search}`)) return yield* disallowedByRobots
      }
      const answer = yield* get(url, deadline, "text/html, application/xhtml+xml, text/*;q=0.8", longestPage)
      const next = nextOf(answer, url)
      if (next !== undefined) {
        return left === 0 ? yield* tooManyRedirects : yield* follow(next, deadline, left - 1)
      }
      const contentType = answer.headers["content-type"] ?? "text/html"
      if (!readable.test(contentType)) return yield* pageNotText(contentType)
      const bytes = yield* unpacked(answer)
      return {
        finalUrl: url,
        status: answer.status,
        contentType: contentType.slice(0, 200),
        text: yield* textOf(bytes, contentType),
        sizeBytes: bytes.length
      }
    })

  return (url: string): Effect.Effect<FetchedPage, Refused | Transient> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => follow(url, now + wholeTime, mostRedirects)).pipe(
      Effect.catchTag("OutboundFailure", (failure) => Effect.fail(fetchFailure(failure, pageTooLarge)))
    )
})
