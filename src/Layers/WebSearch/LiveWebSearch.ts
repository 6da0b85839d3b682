import { Clock, Effect } from "effect"
import { parsedUrl } from "../../Services/Core/ParsedUrl.ts"
import { OutboundHttp, type OutboundResponse } from "../../Services/Outbound/OutboundHttp.ts"
import { PageUnreadable, WebSearch, WebSearchFailed } from "../../Services/WebSearch/WebSearch.ts"
import { jsonOf } from "../Platform/AnswerPaths.ts"
import { makeThreadPool } from "../Platform/Threads/ThreadPool.ts"
import type { PageText } from "./PageText.ts"
import type { PageBytes } from "./PageWorker.ts"
import { failureOf, searchEngines } from "./SearchEngines.ts"
import type { EngineSettings } from "./WebSearchSettings.ts"

const engineTimeout = "8 seconds"
const longestAnswer = 2 * 1024 * 1024
const pageTime = 10_000
const longestPage = 3 * 1024 * 1024
const mostRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])
const readable = /^(?:text\/html|application\/xhtml\+xml|text\/plain)\b/

const pageHeaders = {
  accept: "text/html, application/xhtml+xml, text/plain;q=0.8",
  "accept-language": "pt-BR, en, es"
}

interface FetchedPage {
  readonly answer: OutboundResponse
  /** Where the redirects led. */
  readonly url: string
}

/** The engine that the operator chose, and the pages that it names: public addresses alone. */
export const makeLiveWebSearch = (settings: EngineSettings) =>
  Effect.gen(function* () {
    const http = yield* OutboundHttp
    const crew = yield* makeThreadPool<PageBytes, PageText>({
      program: new URL("./startPageWorker.js", import.meta.url),
      heapMegabytes: 192,
      size: 2,
      timeout: "3 seconds"
    })
    const engine = searchEngines[settings.engine]

    /** Each address on the way is checked like the first one. */
    const fetchPage = (url: string, left: number, deadline: number): Effect.Effect<FetchedPage, PageUnreadable> =>
      Effect.gen(function* () {
        const time = deadline - (yield* Clock.currentTimeMillis)
        if (time <= 0) return yield* new PageUnreadable()
        const answer = yield* Effect.mapError(
          http.request({
            method: "GET",
            url,
            headers: pageHeaders,
            maxResponseBytes: longestPage,
            allowHttp: true,
            timeout: time
          }),
          () => new PageUnreadable()
        )
        const { location } = answer.headers
        if (!redirects.has(answer.status) || location === undefined) return { answer, url }
        const next = parsedUrl(location, url)
        if (left === 0 || next === undefined) return yield* new PageUnreadable()
        return yield* fetchPage(next.href, left - 1, deadline)
      })

    return WebSearch.of({
      mode: "live",
      find: Effect.fn("WebSearch.find")(function* (query, { count, language }) {
        const answer = yield* http
          .request({
            ...engine.request(settings, { query, count, language }),
            timeout: engineTimeout,
            maxResponseBytes: longestAnswer,
            // The operator chose the address: SearXNG may run on the next machine.
            allowNonPublic: true
          })
          .pipe(
            Effect.catchTags({
              Refused: () => new WebSearchFailed({ reason: "request_rejected" }),
              OutboundFailure: ({ reason }) =>
                new WebSearchFailed({ reason: reason === "timed_out" ? "timed_out" : "unavailable" })
            })
          )
        if (answer.status !== 200)
          return yield* new WebSearchFailed({ reason: failureOf(settings.engine, answer.status) })
        const hits = engine.hits(jsonOf(answer.body))
        return hits === undefined ? yield* new WebSearchFailed({ reason: "answer_unreadable" }) : hits.slice(0, count)
      }),

      open: Effect.fn("WebSearch.open")(function* (address) {
        const deadline = (yield* Clock.currentTimeMillis) + pageTime
        const { answer, url } = yield* fetchPage(address, mostRedirects, deadline)
        const contentType = answer.headers["content-type"] ?? "text/html"
        if (answer.status !== 200 || !readable.test(contentType)) return yield* new PageUnreadable()
        const bytes = new ArrayBuffer(answer.body.length)
        new Uint8Array(bytes).set(answer.body)
        const page = yield* Effect.mapError(crew.ask({ bytes, contentType }, [bytes]), () => new PageUnreadable())
        if (page.passages.length === 0) return yield* new PageUnreadable()
        return { ...page, url, title: page.title === "" ? new URL(url).hostname : page.title }
      })
    })
  })
