import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Context, Deferred, Effect, FiberId, Layer } from "effect"
import type { Transient } from "../../../../Errors.ts"
import { siteOrigin } from "../../../../Services/Text/Web/SiteHost.ts"
import type { PublishedSite } from "../../../../Services/Websites/PublishedSites.ts"
import type { SiteBlock, SitePage } from "../../../../Services/Websites/Site.ts"
import { SitePictures } from "../../../../Services/Websites/SitePictures.ts"
import { type CachedAnswer, cachedText } from "../../../Platform/Http/Answers/CachedAnswer.ts"
import { Settings } from "../../../Platform/Settings.ts"
import { blocksShown, renderPage } from "../../Design/Page.ts"
import { pagePolicy } from "../PagePolicy.ts"
import type { PublishedRow } from "../PublishedSitesPostgres.ts"
import { commonHeaders } from "../SendSiteAnswer.ts"
import { noContext, PageAnswers, type PageContext, type RenderedPage, type SiteAnswer } from "../SiteRoute.ts"
import { BoundedCache } from "./BoundedCache.ts"

/** The size limit of the cache of rendered pages, in bytes. */
const mostKept = 48 * 1024 * 1024

/** A page with missing pictures is rendered again after a while, because they may be finished. */
const incompleteMillis = 5_000

const isOfVisitors = ({ _tag }: SiteBlock): boolean => _tag === "Form" || _tag === "Records"

/** True if each rendering of the page is different. */
export const isPerVisitor = (page: SitePage, variant: string): boolean => blocksShown(page, variant).some(isOfVisitors)

interface Kept {
  readonly answer: CachedAnswer
  /** The time until which the page is valid, in Unix milliseconds. */
  readonly until: number
}

/**
 * Returns the cache key: everything that a rendering depends on. A published version of a site never changes under its
 * id.
 */
const keyOf = (row: PublishedRow, page: SitePage, variant: string): string =>
  `${row.codeId}\n${page.id}\n${variant}\n${row.name}\n${row.isRestricted ? 1 : 0}\n${row.analytics ?? ""}\n${row.ads ?? ""}\n${row.pixel ?? ""}`

/** The site's pages as they are served. */
export class PageCache extends Context.Tag("PageCache")<
  PageCache,
  {
    /** Returns a page that is the same for all visitors, if it is cached. */
    readonly known: (row: PublishedRow, page: SitePage, variant: string) => CachedAnswer | undefined
    readonly render: (
      row: PublishedRow,
      site: PublishedSite,
      page: SitePage,
      variant: string
    ) => Effect.Effect<CachedAnswer, Transient>
    /** The page for one visitor, as a route or the page's own address answers it. */
    readonly fill: (page: RenderedPage) => Effect.Effect<SiteAnswer, Transient>
  }
>() {}

const compress = promisify(gzip)

const make = Effect.gen(function* () {
  const { baseUrl, siteDomain } = yield* Settings
  const pictures = yield* SitePictures
  const clock = yield* Effect.clock
  const kept = new BoundedCache<string, Kept>(mostKept)
  const rendering = new Map<string, Deferred.Deferred<CachedAnswer, Transient>>()

  const html = (
    { accountId, isRestricted, name, site, tracking, websiteId }: PublishedSite,
    pageId: string,
    variant: string,
    context: PageContext,
    mode: RenderedPage["mode"]
  ) =>
    Effect.map(pictures.urls(accountId, websiteId, site), (digests) => ({
      isComplete: digests.size >= new Set(site.pictures.map(({ id }) => id)).size,
      text: renderPage(site, pageId, {
        ...context,
        origin: siteOrigin({ baseUrl, siteDomain }, name),
        pictureUrl: (id) => {
          const digest = digests.get(id)
          return digest === undefined ? undefined : `/_/picture/${digest}.webp`
        },
        variant,
        tracking,
        beacon: true,
        mode,
        privacyUrl: "/_/privacy",
        reportUrl: "/_/report",
        isUnlisted: isRestricted
      })
    }))

  const headersOf = (
    { isRestricted, site, tracking }: PublishedSite,
    mode: RenderedPage["mode"],
    isForOne: boolean
  ) => ({
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": pagePolicy(site.theme, tracking, mode),
    ...(mode === "embed" ? {} : { "X-Frame-Options": "DENY" }),
    "Cache-Control": isForOne || isRestricted ? "private, no-store" : "no-cache",
    ...(isRestricted ? { "X-Robots-Tag": "noindex" } : {})
  })

  const render = (site: PublishedSite, page: SitePage, variant: string, key: string) =>
    Effect.gen(function* () {
      const { isComplete, text } = yield* html(site, page.id, variant, noContext, "served")
      const answer = yield* cachedText(text, { ...commonHeaders, ...headersOf(site, "served", false) })
      const until = isComplete ? Number.POSITIVE_INFINITY : clock.unsafeCurrentTimeMillis() + incompleteMillis
      kept.set(key, { answer, until }, answer.size)
      return answer
    })

  return PageCache.of({
    known: (row, page, variant) => {
      const key = keyOf(row, page, variant)
      const found = kept.get(key)
      if (found === undefined) return undefined
      if (found.until > clock.unsafeCurrentTimeMillis()) return found.answer
      kept.delete(key)
      return undefined
    },
    // Concurrent requests wait for the same rendering, which continues if the first client disconnects.
    render: (row, site, page, variant) =>
      Effect.suspend(() => {
        const key = keyOf(row, page, variant)
        const running = rendering.get(key)
        if (running !== undefined) return Deferred.await(running)
        const made = Deferred.unsafeMake<CachedAnswer, Transient>(FiberId.none)
        rendering.set(key, made)
        const work = Effect.ensuring(
          render(site, page, variant, key),
          Effect.sync(() => rendering.delete(key))
        )
        return Effect.zipRight(Effect.forkDaemon(Effect.intoDeferred(work, made)), Deferred.await(made))
      }),
    fill: ({ context, headers: added = {}, mode, pageId, request, status, variant }) =>
      Effect.gen(function* () {
        const { text } = yield* html(request.site, pageId, variant, context, mode)
        const headers = { ...headersOf(request.site, mode, true), Vary: "Accept-Encoding, Cookie", ...added }
        const accepted = (request.headers["accept-encoding"] ?? "").slice(0, 500)
        if (!/\bgzip\b(?!\s*;\s*q=0)/i.test(accepted)) return { status, headers, body: text }
        const body = yield* Effect.promise(() => compress(text, { level: 4 }))
        return { status, headers: { ...headers, "Content-Encoding": "gzip" }, body }
      })
  })
})

export const PageCacheLive = Layer.effect(PageCache, make)

/** Provides the rendering of pages to routes of other parts. */
export const PageAnswersLive = Layer.effect(
  PageAnswers,
  Effect.map(PageCache, ({ fill }) => ({ render: fill }))
)
