import type { IncomingMessage, ServerResponse } from "node:http"
import { Cause, Effect, Either, Exit, Option, Runtime } from "effect"
import type { RequestRefused, Transient } from "../../../Errors.ts"
import { AccountSettings } from "../../../Services/Accounts/AccountSettings.ts"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import { siteOrigin } from "../../../Services/Text/Web/SiteHost.ts"
import { variantFor } from "../../../Services/Websites/Forms/SiteForms.ts"
import type { Site, SitePage } from "../../../Services/Websites/Site.ts"
import { type CachedAnswer, sendCached } from "../../Platform/Http/Answers/CachedAnswer.ts"
import { type BodyOptions, readBody, takeBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import type { LaneOptions } from "../../Platform/Http/Server.ts"
import { Settings } from "../../Platform/Settings.ts"
import { loginAnswer, redirectToLogin } from "./Access/AccessPages.ts"
import { SiteAccess } from "./Access/SiteAccess.ts"
import { isPerVisitor, PageCache } from "./Caching/PageCache.ts"
import { Hits, hitPicture } from "./Hits.ts"
import { defectAnswer, noSuchPage, refusalAnswer, troubleAnswer } from "./PlainAnswers.ts"
import { privacyPage } from "./PrivacyPage.ts"
import { type PublishedRow, publishedSite, SiteLooks } from "./PublishedSitesPostgres.ts"
import { reportAnswer, SiteReports } from "./Reports/SiteReports.ts"
import { sendSiteAnswer } from "./SendSiteAnswer.ts"
import { SiteAssets } from "./SiteAssets.ts"
import { robotsTxt, sitemapXml } from "./SiteFiles.ts"
import { type SiteAnswer, SiteContexts, type SiteRequest, SiteRoutes } from "./SiteRoute.ts"
import { type SiteVisitor, SiteVisitors } from "./SiteVisitors.ts"

/** The most bytes of a visitor's request. */
export const bodyLimit = 64 * 1024

/** A request to the host of a published site. */
export interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly row: PublishedRow
  readonly path: string
  /** The part of the address after the question mark. */
  readonly query: string
}

/** True for paths of a restricted site that need no session. */
const isOpenToAll = (path: string): boolean =>
  path === "/_/login" || path === "/_/report" || path === "/robots.txt" || path.startsWith("/_/font/")

const noContent: SiteAnswer = { status: 204, headers: { "Cache-Control": "no-store" }, body: "" }

const pictureAnswer: SiteAnswer = {
  status: 200,
  headers: { "Content-Type": "image/gif", "Cache-Control": "no-store" },
  body: hitPicture
}

const notAllowed: SiteAnswer = { ...refusalAnswer(405, "Use GET or HEAD."), headers: { Allow: "GET, HEAD" } }

const refusedAnswer = ({ error, status }: RequestRefused): SiteAnswer => refusalAnswer(status, error)

/**
 * True if the page of another site sent the request. A request without an origin was not sent by a page, or by one that
 * hides its origin.
 */
const isForeign = ({ headers: { host, origin } }: IncomingMessage): boolean =>
  origin !== undefined && origin !== "null" && parsedUrl(origin)?.host !== (host ?? "").toLowerCase()

const formIn = (body: Buffer): URLSearchParams => new URLSearchParams(body.toString("utf8"))

const isAnswered = (answer: SiteAnswer | CachedAnswer): answer is CachedAnswer => "forms" in answer

const makeServingServices = ({ bodyBudget, isDraining }: LaneOptions) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const looks = yield* SiteLooks
    const pages = yield* PageCache
    const assets = yield* SiteAssets
    const access = yield* SiteAccess
    const reports = yield* SiteReports
    const visitors = yield* SiteVisitors
    const hits = yield* Hits
    const routes = yield* SiteRoutes
    const contexts = yield* SiteContexts
    const accounts = yield* AccountSettings
    const run = Runtime.runCallback(yield* Effect.withTracerEnabled(Effect.runtime<never>(), false))
    return {
      access,
      accounts,
      assets,
      bodyBudget,
      contexts,
      hits,
      isDraining,
      looks,
      pages,
      reports,
      routes,
      run,
      settings,
      visitors
    }
  })
type ServingServices = Effect.Effect.Success<ReturnType<typeof makeServingServices>>

const pageOf = (site: Site, path: string): SitePage | undefined =>
  site.pages.find((page) => page.path.length === path.length - 1 && path.endsWith(page.path))

const makeRequests = ({ bodyBudget }: ServingServices) => {
  const bodyOptions = (request: IncomingMessage): BodyOptions => ({
    limit: bodyLimit,
    budget: bodyBudget,
    tenant: bodyBudget.anonymous(request)
  })

  const bodyOf = ({ request, response }: Visit) => readBody(request, response, bodyOptions(request))

  const formOf = (visit: Visit) =>
    visit.request.method === "POST" ? Effect.map(bodyOf(visit), formIn) : Effect.succeed(new URLSearchParams())

  const requestOf = (visit: Visit, site: Site, visitor: SiteVisitor): SiteRequest => {
    const { path, query, request, row } = visit
    return {
      site: publishedSite(row, site),
      method: request.method === "POST" ? "POST" : request.method === "HEAD" ? "HEAD" : "GET",
      path,
      query: new URLSearchParams(query),
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value])
      ),
      network: visitor.network,
      visitor: visitor.hash,
      body: bodyOf(visit)
    }
  }

  return { bodyOptions, formOf, requestOf }
}
type Requests = ReturnType<typeof makeRequests>

/** Answers the addresses that every site has. */
const makeOwnAnswers = ({ access, accounts, hits, looks, reports }: ServingServices, { formOf }: Requests) => {
  /** Answers the routes for counting views, signing in and reporting abuse. */
  const ownAnswer = Effect.fnUntraced(function* (visit: Visit, site: Site, visitor: SiteVisitor) {
    const { path, query, request, row } = visit
    switch (path) {
      case "/_/hit": {
        if (request.method !== "POST") return notAllowed
        hits.view(request, row, site, visitor, { form: yield* formOf(visit) })
        return noContent
      }
      case "/_/hit.gif": {
        hits.view(request, row, site, visitor, { query: new URLSearchParams(query) })
        return pictureAnswer
      }
      case "/_/login":
        return row.isRestricted
          ? yield* loginAnswer(access, row, publishedSite(row, site), visitor, {
              method: request.method ?? "GET",
              query: new URLSearchParams(query),
              form: yield* formOf(visit)
            })
          : noSuchPage(site)
      case "/_/privacy":
        return request.method === "GET" || request.method === "HEAD"
          ? privacyPage(publishedSite(row, site), yield* accounts.legalIdentity(row.accountId))
          : notAllowed
      case "/_/report":
        return yield* reportAnswer(reports, publishedSite(row, site), visitor, {
          method: request.method ?? "GET",
          form: yield* formOf(visit)
        })
    }
    return undefined
  })

  /** Files that are made from the site's contents. */
  const fixedAnswer = ({ path, row }: Visit, site: Site, origin: string): SiteAnswer | undefined => {
    switch (path) {
      case "/robots.txt":
        return robotsTxt(origin, row.isRestricted)
      case "/sitemap.xml":
        return sitemapXml(origin, site, looks.writtenOn(row.codeId))
      case "/favicon.ico":
        return { ...noContent, headers: { "Cache-Control": "public, max-age=86400" } }
    }
    return undefined
  }

  return { fixedAnswer, ownAnswer }
}

const makeAnswer = (services: ServingServices, requests: Requests) => {
  const { assets, contexts, hits, looks, pages, routes, settings, visitors } = services
  const { requestOf } = requests
  const { fixedAnswer, ownAnswer } = makeOwnAnswers(services, requests)

  const pageAnswer = (visit: Visit, site: Site, page: SitePage, visitor: SiteVisitor) => {
    const published = publishedSite(visit.row, site)
    const variant = variantFor(page, visitor.hash)
    if (!isPerVisitor(page, variant)) return pages.render(visit.row, published, page, variant)
    const request = requestOf(visit, site, visitor)
    return Effect.flatMap(contexts.of(request, page.id, variant), (context) =>
      pages.fill({ request, pageId: page.id, variant, context, status: 200, mode: "served" })
    )
  }

  /** Answers all requests that are not answered from a cache. */
  const answer = (visit: Visit): Effect.Effect<SiteAnswer | CachedAnswer, Transient | RequestRefused> =>
    Effect.gen(function* () {
      const { path, request, row } = visit
      const isPost = request.method === "POST"
      const site = yield* looks.site(row)
      const visitor = yield* visitors.of(request, row)
      const own = yield* ownAnswer(visit, site, visitor)
      if (own !== undefined) return own
      const route = routes.find(({ matches }) => matches(path))
      if (route !== undefined) return yield* route.answer(requestOf(visit, site, visitor))
      if (isPost) return notAllowed
      const page = pageOf(site, path)
      if (page !== undefined) {
        if (request.method === "GET") hits.asked(request, row)
        return yield* pageAnswer(visit, site, page, visitor)
      }
      const origin = siteOrigin(settings, row.name)
      const fixed = fixedAnswer(visit, site, origin)
      if (fixed !== undefined) return fixed
      const asset = yield* assets.get(row, path, Effect.succeed(publishedSite(row, site)))
      if (Option.isSome(asset)) return asset.value
      // People add a slash at the end of an address, so it redirects to the page.
      if (path.endsWith("/") && path !== "/" && pageOf(site, path.slice(0, -1)) !== undefined) {
        return { status: 301, headers: { Location: `${origin}${path.slice(0, -1)}` }, body: "" }
      }
      return noSuchPage(site)
    })

  return answer
}

/** Makes the functions that send answers, and runs the parts that need a fiber. */
const makeSending = (services: ServingServices, requests: Requests) => {
  const { isDraining, run } = services
  const answer = makeAnswer(services, requests)

  const send = ({ request, response }: Visit, answer: SiteAnswer): void =>
    sendSiteAnswer(request, response, answer, isDraining())

  const respond = (visit: Visit, exit: Exit.Exit<SiteAnswer | CachedAnswer, Transient | RequestRefused>): void => {
    if (Exit.isSuccess(exit)) {
      if (isAnswered(exit.value)) sendCached(visit.request, visit.response, exit.value, 200, isDraining())
      else send(visit, exit.value)
      return
    }
    const failure = Option.getOrUndefined(Cause.failureOption(exit.cause))
    if (failure === undefined) send(visit, defectAnswer)
    else send(visit, failure._tag === "Transient" ? troubleAnswer : refusedAnswer(failure))
  }

  const logged = ({ row }: Visit, cause: Cause.Cause<Transient | RequestRefused>): Effect.Effect<void> =>
    Option.isNone(Cause.failureOption(cause)) && !Cause.isInterruptedOnly(cause)
      ? Effect.annotateLogs(Effect.logError("a site's page failed"), {
          website_id: row.websiteId,
          cause: describeCause(cause)
        })
      : Effect.void

  const inFiber = (visit: Visit): void => {
    const cancel = run(
      Effect.tapErrorCause(answer(visit), (cause) => logged(visit, cause)),
      { onExit: (exit) => respond(visit, exit) }
    )
    visit.response.once("close", () => {
      if (!visit.response.writableEnded) cancel()
    })
  }

  return { inFiber, logged, respond, send }
}
type Sending = ReturnType<typeof makeSending>

/** Answers without a fiber. */
const makeFastAnswers = (
  { assets, hits, looks, pages, run, visitors }: ServingServices,
  { bodyOptions }: Requests,
  { logged, respond }: Sending
) => {
  const countView = (visit: Visit, site: Site, visitor: SiteVisitor, body: Buffer): Exit.Exit<SiteAnswer> => {
    try {
      hits.view(visit.request, visit.row, site, visitor, { form: formIn(body) })
      return Exit.succeed(noContent)
    } catch (bug) {
      const cause = Cause.die(bug)
      run(logged(visit, cause))
      return Exit.failCause(cause)
    }
  }

  /**
   * Counts a view that a page reported. No fiber is needed if the site and the day's salt are cached. Returns whether
   * it was counted.
   */
  const isTold = (visit: Visit): boolean => {
    const { path, request, response, row } = visit
    const site = path === "/_/hit" ? looks.known(row.codeId) : undefined
    const visitor = site === undefined ? undefined : visitors.known(request, row)
    if (site === undefined || visitor === undefined) return false
    takeBody(request, response, bodyOptions(request), (body) =>
      respond(visit, Either.isLeft(body) ? Exit.fail(body.left) : countView(visit, site, visitor, body.right))
    )
    return true
  }

  /** A page that is the same for everybody and that was rendered before, or a file. */
  const ready = ({ path, request, row }: Visit): CachedAnswer | undefined => {
    const asset = assets.known(row, path)
    if (asset !== undefined) return asset
    const site = looks.known(row.codeId)
    const page = site === undefined ? undefined : pageOf(site, path)
    if (page === undefined) return undefined
    let variant = "a"
    if (page.variants.length > 0) {
      const visitor = visitors.known(request, row)
      if (visitor === undefined) return undefined
      variant = variantFor(page, visitor.hash)
    }
    if (isPerVisitor(page, variant)) return undefined
    const kept = pages.known(row, page, variant)
    if (kept !== undefined && request.method === "GET") hits.asked(request, row)
    return kept
  }

  return { isTold, ready }
}

/** Answers requests to published sites. Cached answers that are the same for every visitor are sent without a fiber. */
export const makeSiteServing = (options: LaneOptions) =>
  Effect.map(makeServingServices(options), (services) => {
    const { access, isDraining } = services
    const requests = makeRequests(services)
    const sending = makeSending(services, requests)
    const { inFiber, send } = sending
    const { isTold, ready } = makeFastAnswers(services, requests, sending)

    return (visit: Visit): void => {
      const { path, request, response, row } = visit
      if (row.isRestricted && !isOpenToAll(path) && !access.isOpen(request.headers, row)) {
        const isPage = request.method !== "POST" && !path.startsWith("/_/")
        send(
          visit,
          isPage
            ? redirectToLogin(visit.query === "" ? path : `${path}?${visit.query}`)
            : refusalAnswer(403, "Sign in first.")
        )
        return
      }
      if (request.method === "POST") {
        if (isForeign(request)) send(visit, refusalAnswer(403, "This was sent from another site."))
        else if (!isTold(visit)) inFiber(visit)
        return
      }
      const kept = ready(visit)
      if (kept === undefined) inFiber(visit)
      else sendCached(request, response, kept, 200, isDraining())
    }
  })
