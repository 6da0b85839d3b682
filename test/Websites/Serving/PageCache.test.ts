import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { Settings } from "../../../src/Layers/Platform/Settings.ts"
import { PageCache, PageCacheLive } from "../../../src/Layers/Websites/Serving/Caching/PageCache.ts"
import { type PublishedRow, publishedSite } from "../../../src/Layers/Websites/Serving/PublishedSitesPostgres.ts"
import { AccountId } from "../../../src/Services/Accounts/Ids.ts"
import { WebsiteCodeId, WebsiteId } from "../../../src/Services/Websites/Ids.ts"
import { SitePictures } from "../../../src/Services/Websites/SitePictures.ts"
import { testSettings } from "../../support/servers/TestServer.ts"
import { clinicSite } from "./servedSites.ts"

const row: PublishedRow = {
  name: "sorriso",
  accountId: AccountId.make(1),
  websiteId: WebsiteId.make(1),
  codeId: WebsiteCodeId.make(1),
  movedTo: null,
  isGivenUp: false,
  isSuspended: false,
  type: "Website",
  title: "Clínica Sorriso",
  isRestricted: false,
  restriction: "",
  storesData: true,
  analytics: null,
  ads: null,
  pixel: null,
  timeZone: "America/Sao_Paulo"
}

describe("a page that is rendered", () => {
  it.effect("comes to whoever waits for it when the one who asked first has gone", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const found = yield* Deferred.make<ReadonlyMap<string, string>>()
      let looks = 0
      const pictures = SitePictures.of({
        make: () => Effect.dieMessage("not asked"),
        bytes: () => Effect.dieMessage("not asked"),
        urls: () =>
          Effect.suspend(() => {
            looks++
            return Effect.zipRight(Deferred.succeed(asked, undefined), Deferred.await(found))
          })
      })
      const pages = yield* Effect.provide(
        PageCache,
        Layer.provide(
          PageCacheLive,
          Layer.merge(Layer.succeed(SitePictures, pictures), Layer.succeed(Settings, testSettings))
        )
      )
      const site = clinicSite()
      const [page] = site.pages
      if (page === undefined) return assert.fail("a site without a page")
      const render = pages.render(row, publishedSite(row, site), page, "")
      const first = yield* Effect.fork(render)
      yield* Deferred.await(asked)
      const second = yield* Effect.fork(render)
      yield* Effect.yieldNow()
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(first)))
      const third = yield* Effect.fork(render)
      yield* Effect.yieldNow()
      yield* Deferred.succeed(found, new Map())
      const answers = yield* Effect.all([Fiber.join(second), Fiber.join(third)])
      assert.strictEqual(answers[0], answers[1])
      assert.isAbove(answers[0].size, 500)
      assert.strictEqual(looks, 1)
      assert.strictEqual(pages.known(row, page, ""), answers[0])
    })
  )
})
