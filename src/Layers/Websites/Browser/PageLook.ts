import { Effect, Either, Schema, type Scope } from "effect"
import { type Refused, refused, type Transient, transient } from "../../../Errors.ts"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import {
  type LookRequest,
  PageFacts,
  type PageView,
  type Viewport,
  Violation
} from "../../../Services/Websites/Pages/Browser.ts"
import type { Chromium } from "./Chromium.ts"
import type { FilteringProxy } from "./FilteringProxy.ts"
import { examinePage, readPage, settlePage } from "./PageReading.ts"

const notShown = transient("page_not_shown", "The page could not be shown in time.", 5)

const unreachable = (code: string): Refused =>
  refused(
    "page_unreachable",
    "The page could not be opened.",
    "Check that the address opens in a browser without signing in.",
    { browser_error: code }
  )

const notAPage = refused(
  "page_not_shown",
  "The address leads to a file or to nothing, not to a page.",
  "Give the address of a page that a browser shows."
)

const text = (value: unknown): string => (typeof value === "string" ? value : "")
const record = (value: unknown): { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null ? { ...value } : {}

/** Milliseconds. After this time, the page is examined even if it is still loading. */
const loadTime = 12_000
const quietTime = 350
/** The default time limit, because a page with an endless script does not answer. */
const answerTime = loadTime
const readTime = 4_000
const examineTime = 8_000

const decodeFacts = Schema.decodeUnknownEither(PageFacts)
const decodeViolations = Schema.decodeUnknownEither(Schema.Array(Violation))

/** Fails if the browser has ended or does not answer. Both mean that the page is abandoned. */
const asked = <A>(promise: () => Promise<A>): Effect.Effect<A, Transient> =>
  Effect.tryPromise({ try: promise, catch: () => notShown }).pipe(
    Effect.timeoutFail({ duration: answerTime, onTimeout: () => notShown })
  )

/** The tallest document that is pictured whole. */
const tallest = 6_000

/** The page's navigation, as the browser's events report it. */
interface PageLife {
  loaded: boolean
  movedAt: number
  url: string
  /** The address that was not reached. */
  wanted: string
}

/** Follows the page's navigation and closes its dialogs, until the scope ends. */
const followPage = (devTools: Chromium["devTools"], session: string, main: string, life: PageLife) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      devTools.listen(session, (method, params) => {
        if (method === "Page.loadEventFired") life.loaded = true
        else if (method === "Page.frameStartedNavigating" && params["frameId"] === main) {
          life.movedAt = performance.now()
          if (params["navigationType"] !== "sameDocument" && params["navigationType"] !== "historySameDocument") {
            life.loaded = false
          }
        } else if (method === "Page.frameNavigated") {
          const frame = record(params["frame"])
          if (frame["parentId"] === undefined) {
            life.movedAt = performance.now()
            life.url = text(frame["url"]) + text(frame["urlFragment"])
            // The address that the page failed to reach.
            life.wanted = text(frame["unreachableUrl"])
          }
        } else if (method === "Page.javascriptDialogOpening") {
          void devTools.send("Page.handleJavaScriptDialog", { accept: false }, session).catch(() => {})
        }
      })
    ),
    () => Effect.sync(() => devTools.forget(session))
  )

/** Loads a page in a separate browser context, which ends with the scope. Every connection goes through `proxy`. */
export const lookAt = (
  { devTools, kill }: Chromium,
  proxy: FilteringProxy,
  { page, picture, viewports }: LookRequest
): Effect.Effect<{ readonly url: string; readonly views: ReadonlyArray<PageView> }, Refused | Transient, Scope.Scope> =>
  Effect.gen(function* () {
    const browser = (method: string, params: { readonly [name: string]: unknown }) =>
      asked(() => devTools.send(method, params))
    const context = yield* Effect.acquireRelease(
      browser("Target.createBrowserContext", {
        disposeOnDetach: true,
        proxyServer: `http://127.0.0.1:${proxy.port}`,
        proxyBypassList: "<-loopback>"
      }),
      ({ browserContextId }) =>
        // A browser that cannot end a page is ended itself.
        browser("Target.disposeBrowserContext", { browserContextId }).pipe(
          Effect.timeoutFail({ duration: "3 seconds", onTimeout: () => notShown }),
          Effect.catchAll(() => Effect.sync(kill))
        )
    )
    const { browserContextId } = context
    yield* browser("Browser.setDownloadBehavior", { behavior: "deny", browserContextId })
    const target = yield* browser("Target.createTarget", { url: "about:blank", browserContextId })
    const attached = yield* browser("Target.attachToTarget", { targetId: target["targetId"], flatten: true })
    const session = text(attached["sessionId"])
    const send = (method: string, params: { readonly [name: string]: unknown } = {}) =>
      asked(() => devTools.send(method, params, session))

    const life: PageLife = { loaded: false, movedAt: 0, url: "about:blank", wanted: "" }
    const main = text(target["targetId"])
    yield* followPage(devTools, session, main, life)
    const measure = ({ height, width }: Viewport) =>
      send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false })
    yield* measure(viewports[0])
    yield* send("Page.enable")

    /** Returns why the address of the page, or the one it tried to open, was refused. */
    const refusal = (): Refused | undefined =>
      [life.wanted, life.url, "url" in page ? page.url : ""]
        .flatMap((url) => parsedUrl(url) ?? [])
        .map(({ hostname }) => proxy.refusalOf(hostname))
        .find((refused) => refused !== undefined)

    if ("url" in page) {
      const navigated = yield* send("Page.navigate", { url: page.url }).pipe(
        Effect.timeoutFail({ duration: loadTime, onTimeout: () => notShown })
      )
      const problem = text(navigated["errorText"])
      if (problem !== "") return yield* refusal() ?? (problem === "net::ERR_ABORTED" ? notAPage : unreachable(problem))
    } else {
      yield* send("Page.setDocumentContent", { frameId: main, html: page.html })
      life.loaded = true
      life.movedAt = performance.now()
    }

    /** Waits until the page has loaded and no longer changes its address, or until its time is up. */
    const settled = Effect.gen(function* () {
      const since = performance.now()
      const isQuiet = () => life.loaded && performance.now() - life.movedAt > quietTime
      while (!isQuiet() && performance.now() - since < loadTime) yield* Effect.sleep(40)
    })
    yield* settled

    if ("url" in page) {
      const isPage = /^https?:/.test(life.url)
      const why = isPage ? proxy.refusalOf(new URL(life.url).hostname) : refusal()
      if (why !== undefined || !isPage) return yield* why ?? unreachable("net::ERR_FAILED")
    }

    const evaluate = (expression: string, contextId: unknown, time: number) =>
      send("Runtime.evaluate", { expression, contextId, returnByValue: true, awaitPromise: true, timeout: time }).pipe(
        Effect.timeoutFail({ duration: time + 500, onTimeout: () => notShown }),
        Effect.map((answer) => record(answer["result"])["value"])
      )

    const view = (viewport: Viewport, isFirst: boolean): Effect.Effect<PageView, Refused | Transient> =>
      Effect.gen(function* () {
        if (!isFirst) yield* measure(viewport)
        // In an isolated world, changes that the page's scripts made to built-in functions have no effect.
        const world = yield* send("Page.createIsolatedWorld", { frameId: main, worldName: "reader" }).pipe(
          Effect.timeoutFail({ duration: readTime, onTimeout: () => notShown })
        )
        const contextId = world["executionContextId"]
        yield* Effect.ignore(evaluate(settlePage, contextId, 3_500))
        const read = decodeFacts(yield* evaluate(readPage, contextId, readTime))
        if (Either.isLeft(read)) return yield* notShown
        const facts = read.right
        // The picture is taken before the page is examined, which may use up the page's time.
        const height = Math.min(tallest, Math.max(viewport.height, facts.height))
        const clip = { x: 0, y: 0, width: viewport.width, height, scale: 1 }
        const shot =
          picture === "none"
            ? undefined
            : yield* send("Page.captureScreenshot", {
                format: "png",
                optimizeForSpeed: true,
                captureBeyondViewport: picture === "whole",
                ...(picture === "whole" ? { clip } : {})
              }).pipe(Effect.timeoutFail({ duration: "10 seconds", onTimeout: () => notShown }))
        const examined = yield* asked(examinePage).pipe(
          Effect.flatMap((script) => evaluate(script, contextId, examineTime)),
          Effect.either
        )
        const violations = Either.isRight(examined) ? decodeViolations(examined.right) : undefined
        return {
          viewport,
          facts,
          violations: violations !== undefined && Either.isRight(violations) ? violations.right : undefined,
          picture: shot === undefined ? undefined : Buffer.from(text(shot["data"]), "base64")
        }
      })

    const views: Array<PageView> = []
    for (const viewport of viewports) views.push(yield* view(viewport, views.length === 0))
    return { url: life.url, views }
  })
