import { Clock, Effect, Either, Exit, Layer, Option, Schedule, Scope } from "effect"
import { transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import { siteHostOf } from "../../../Services/Text/Web/SiteHost.ts"
import { Browser, browserUnavailable, type LookRequest } from "../../../Services/Websites/Pages/Browser.ts"
import { FairSemaphore, withFairPermit } from "../../Platform/Fairness/FairSemaphore.ts"
import { destinationOf } from "../../Platform/Outbound/Destination.ts"
import { OutboundPolicy } from "../../Platform/Outbound/OutboundPolicy.ts"
import { overloaded } from "../../Platform/Postgres/Sql.ts"
import { Settings } from "../../Platform/Settings.ts"
import { loadBrowserSettings } from "./BrowserSettings.ts"
import { type Chromium, findChromium, launchChromium } from "./Chromium.ts"
import { makeFilteringProxy } from "./FilteringProxy.ts"
import { lookAt } from "./PageLook.ts"

/** A browser is replaced by a new one after it has served this many pages. */
const mostPages = 60
/** Milliseconds without a page after which the browser ends. */
const idleTime = 90_000

const tooLong = transient("page_not_shown", "The page could not be shown in time.", 5)

interface Running {
  readonly chromium: Chromium
  readonly scope: Scope.CloseableScope
  users: number
  pages: number
  lastUse: number
}

/** One Chromium for the process. The first page starts it, and it is stopped when it is no longer needed. */
const makeFleet = (program: string) =>
  Effect.gen(function* () {
    const own = yield* Effect.scope
    const starting = yield* Effect.makeSemaphore(1)
    let current: Running | undefined

    const end = ({ scope }: Running) => Scope.close(scope, Exit.void)

    const take = starting.withPermits(1)(
      Effect.gen(function* () {
        if (current !== undefined && (!current.chromium.isAlive() || current.pages >= mostPages)) {
          const last = current
          current = undefined
          if (last.users === 0) yield* end(last)
        }
        if (current === undefined) {
          const scope = yield* Scope.fork(own, own.strategy)
          const chromium = yield* Scope.extend(launchChromium(program), scope).pipe(
            Effect.tapError(() => Scope.close(scope, Exit.void))
          )
          current = { chromium, scope, users: 0, pages: 0, lastUse: 0 }
        }
        current.users++
        current.pages++
        return current
      })
    )

    const giveBack = (running: Running) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        running.users--
        running.lastUse = now
        return running !== current && running.users === 0 ? end(running) : Effect.void
      })

    const endIdle = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (current === undefined || current.users > 0 || now - current.lastUse < idleTime) return Effect.void
      const idle = current
      current = undefined
      return end(idle)
    })
    yield* Effect.forkScoped(Effect.repeat(starting.withPermits(1)(endIdle), Schedule.spaced("15 seconds")))
    return Effect.acquireRelease(take, giveBack)
  })

const unavailable = Browser.of({ mode: "unavailable", look: () => Effect.fail(browserUnavailable) })

const make = Effect.gen(function* () {
  const { pages, program } = yield* loadBrowserSettings
  const found = yield* findChromium(program)
  if (Option.isNone(found)) return unavailable
  const { baseUrl, host, port, siteDomain } = yield* Settings
  const { allowLoopback, resolve } = yield* OutboundPolicy
  const lease = yield* makeFleet(found.value)
  const turns = new FairSemaphore({
    slots: pages,
    perAccount: 1,
    waiting: 60,
    waitingPerAccount: 6,
    longestWait: 20_000
  })

  const listener = { host: host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host, port }
  const ownSite = (name: string) => (siteHostOf(name, siteDomain)._tag === "Gateway" ? undefined : listener)
  const isOwnPage = (url: URL): boolean =>
    url.protocol === "http:" &&
    ownSite(url.hostname) !== undefined &&
    (url.port === "" || url.port === new URL(baseUrl).port)

  const lookNow = (accountId: AccountId, request: LookRequest) =>
    Effect.suspend(() => {
      let hasDied = false
      return Effect.scoped(
        Effect.gen(function* () {
          const running = yield* Effect.catchAll(lease, () =>
            Effect.zipRight(Effect.logError("Chromium does not start."), browserUnavailable)
          )
          const proxy = yield* makeFilteringProxy({ accountId, allowLoopback, resolve, ownSite })
          return yield* Effect.tapError(lookAt(running.chromium, proxy, request), () =>
            Effect.sync(() => {
              hasDied = !running.chromium.isAlive()
            })
          )
        })
        // Another page, opened before or at the same time, may have crashed the browser, so the page is tried once
        // more.
      ).pipe(Effect.retry({ times: 1, while: () => hasDied }))
    })

  const look = Effect.fn("Browser.look")(function* (accountId: AccountId, request: LookRequest) {
    if ("url" in request.page) {
      const { url } = request.page
      const parsed = parsedUrl(url)
      const isOwn = parsed !== undefined && isOwnPage(parsed)
      const checked = destinationOf(url, { allowHttp: true }, allowLoopback || isOwn)
      if (Either.isLeft(checked)) return yield* checked.left
    }
    return yield* withFairPermit(
      turns,
      accountId,
      lookNow(accountId, request).pipe(
        Effect.timeoutFail({
          duration: `${25 + 10 * request.viewports.length} seconds`,
          onTimeout: () => tooLong
        })
      )
    ).pipe(Effect.catchTag("Overloaded", () => Effect.fail(overloaded())))
  })

  return Browser.of({ mode: "live", look })
})

/** Provides the machine's Chromium, if there is one. */
export const BrowserChromium = Layer.scoped(Browser, make)
