import { Clock, Effect } from "effect"
import { parsedUrl } from "../../Services/Core/Outside/ParsedUrl.ts"
import { OutboundHttp, type OutboundResponse } from "../../Services/Outbound/OutboundHttp.ts"
import { PageUnreadable, WebSearch, WebSearchFailed } from "../../Services/WebSearch/WebSearch.ts"
import { makeProviderClient } from "../Platform/Outbound/ProviderClient.ts"
import { makeThreadPool } from "../Platform/Threads/ThreadPool.ts"
import type { PageText } from "./PageText.ts"
import type { PageBytes } from "./PageWorker.ts"
import { credentialsOf, searchEngines, searchFailure } from "./SearchEngines.ts"
import type { EngineSettings } from "./WebSearchSettings.ts"

const engineTimeout = "8 seconds"
const largestAnswerBytes = 2 * 1024 * 1024
const pageTimeoutMillis = 10_000
const largestPageBytes = 3 * 1024 * 1024
const maximumRedirects = 5
const redirectStatuses = new Set([301, 302, 303, 307, 308])
const readableTypes = /^(?:text\/html|application\/xhtml\+xml|text\/plain)\b/

const pageHeaders = {
  accept: "text/html, application/xhtml+xml, text/plain;q=0.8",
  "accept-language": "pt-BR, en, es"
}

interface FetchedPage {
  readonly answer: OutboundResponse
  /** The address after redirects. */
  readonly url: string
}

/** Searches with the operator's engine, and reads the pages that it finds. Pages must have public addresses. */
export const makeLiveWebSearch = (settings: EngineSettings) =>
  Effect.gen(function* () {
    const http = yield* OutboundHttp
    const pool = yield* makeThreadPool<PageBytes, PageText>({
      program: new URL("./startPageWorker.js", import.meta.url),
      heapMegabytes: 192,
      size: 2,
      timeout: "3 seconds"
    })
    const engine = searchEngines[settings.engine]
    const client = makeProviderClient({
      name: settings.engine,
      baseUrl: settings.url,
      transport: http.request,
      isOperators: true,
      headers: credentialsOf(settings),
      timeout: engineTimeout,
      maxResponseBytes: largestAnswerBytes
    })

    /** Follows redirects one by one, so that every address is checked. */
    const fetchPage = (
      url: string,
      redirectsLeft: number,
      deadline: number
    ): Effect.Effect<FetchedPage, PageUnreadable> =>
      Effect.gen(function* () {
        const timeLeft = deadline - (yield* Clock.currentTimeMillis)
        if (timeLeft <= 0) return yield* new PageUnreadable()
        const answer = yield* Effect.mapError(
          http.request({
            method: "GET",
            url,
            headers: pageHeaders,
            maxResponseBytes: largestPageBytes,
            allowHttp: true,
            timeout: timeLeft
          }),
          () => new PageUnreadable()
        )
        const { location } = answer.headers
        if (!redirectStatuses.has(answer.status) || location === undefined) return { answer, url }
        const next = parsedUrl(location, url)
        if (redirectsLeft === 0 || next === undefined) return yield* new PageUnreadable()
        return yield* fetchPage(next.href, redirectsLeft - 1, deadline)
      })

    return WebSearch.of({
      mode: "live",
      find: Effect.fn("WebSearch.find")(function* (query, { count, language }) {
        const answer = yield* Effect.mapError(
          client.send(engine.request({ query, count, language })),
          (failure) => new WebSearchFailed({ reason: searchFailure(settings.engine, failure) })
        )
        const hits = engine.hits(answer.json)
        return hits === undefined ? yield* new WebSearchFailed({ reason: "answer_unreadable" }) : hits.slice(0, count)
      }),

      open: Effect.fn("WebSearch.open")(function* (address) {
        const deadline = (yield* Clock.currentTimeMillis) + pageTimeoutMillis
        const { answer, url } = yield* fetchPage(address, maximumRedirects, deadline)
        const contentType = answer.headers["content-type"] ?? "text/html"
        if (answer.status !== 200 || !readableTypes.test(contentType)) return yield* new PageUnreadable()
        const bytes = new ArrayBuffer(answer.body.length)
        new Uint8Array(bytes).set(answer.body)
        const page = yield* Effect.mapError(pool.ask({ bytes, contentType }, [bytes]), () => new PageUnreadable())
        if (page.passages.length === 0) return yield* new PageUnreadable()
        return { ...page, url, title: page.title === "" ? new URL(url).hostname : page.title }
      })
    })
  })
