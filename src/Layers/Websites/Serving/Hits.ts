import type { IncomingMessage } from "node:http"
import { Context, Effect, Layer } from "effect"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import type { Site } from "../../../Services/Websites/Site.ts"
import { type ToldView, viewOf } from "../../../Services/Websites/Traffic/Visit.ts"
import { TrafficCounter } from "../Traffic/TrafficCounter.ts"
import { makeFloodGuard } from "../Traffic/Visitors.ts"
import type { PublishedRow } from "./PublishedSitesPostgres.ts"
import { type SiteVisitor, SiteVisitors } from "./SiteVisitors.ts"

/** The most views of a visitor in a minute that count. More are not a person's. */
export const mostOfVisitor = 30

/** The counting picture for browsers without scripts: one transparent pixel. */
export const hitPicture = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")

const ofForm = (form: URLSearchParams): ToldView => ({
  path: (form.get("path") ?? "").slice(0, 200),
  query: form.get("query") ?? "",
  referrer: form.get("referrer") ?? "",
  variant: (form.get("variant") ?? "").slice(0, 60)
})

/**
 * Completes a view that was reported by the counting picture. The Referer header has what the picture's address does
 * not say.
 */
const ofPicture = (query: URLSearchParams, referer: string | undefined): ToldView => {
  const page = referer !== undefined && referer.length <= 4096 ? parsedUrl(referer) : undefined
  return { ...ofForm(query), query: page?.search ?? "", referrer: "" }
}

/** Counts the views that pages report. */
export class Hits extends Context.Tag("Hits")<
  Hits,
  {
    /** Counts a view that a page's beacon or its counting picture reported. */
    readonly view: (
      request: IncomingMessage,
      row: PublishedRow,
      site: Site,
      visitor: SiteVisitor,
      told: { readonly form: URLSearchParams } | { readonly query: URLSearchParams }
    ) => void
    /** Records a request for a page. It is counted only if a program or a prefetch made it. */
    readonly asked: (request: IncomingMessage, row: PublishedRow) => void
  }
>() {}

const make = Effect.gen(function* () {
  const counter = yield* TrafficCounter
  const visitors = yield* SiteVisitors
  const clock = yield* Effect.clock
  const isFlood = makeFloodGuard(mostOfVisitor, () => clock.unsafeCurrentTimeMillis())

  return Hits.of({
    view: (request, row, site, visitor, told) => {
      const { device, isBot } = visitors.browserOf(request)
      if (isBot || visitors.isAhead(request)) return
      const parts = viewOf("form" in told ? ofForm(told.form) : ofPicture(told.query, request.headers.referer), {
        site,
        ownHost: (request.headers.host ?? "").replace(/:\d+$/, "").toLowerCase(),
        device
      })
      if (parts === undefined) return
      const { accountId, websiteId } = row
      const { day, hash } = visitor
      if (isFlood(hash)) counter.botHit({ accountId, websiteId, day })
      else counter.view({ accountId, websiteId, day, visitor: hash, parts })
    },
    asked: (request, row) => {
      if (!visitors.browserOf(request).isBot && !visitors.isAhead(request)) return
      const { accountId, websiteId } = row
      counter.botHit({ accountId, websiteId, day: visitors.dayOf(row) })
    }
  })
})

export const HitsLive = Layer.effect(Hits, make)
