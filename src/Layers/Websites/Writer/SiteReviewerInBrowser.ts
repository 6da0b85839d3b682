import { Effect, Either, Layer, Schema } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { PictureEncoder } from "../../../Services/Media/PictureEncoder.ts"
import { LanguageModel } from "../../../Services/Models/LanguageModel.ts"
import { DelimiterWord } from "../../../Services/Text/PromptDelimiter.ts"
import { Browser } from "../../../Services/Websites/Pages/Browser.ts"
import type { Site, SitePage } from "../../../Services/Websites/Site.ts"
import { reviewPicturePrompt } from "../../../Services/Websites/Writing/SiteByModel.ts"
import { faultsIn, reviewedAt, type SeenSite, SiteReviewer } from "../../../Services/Websites/Writing/SiteReview.ts"
import { renderPage } from "../Design/Page.ts"
import { plainContext } from "../Design/RenderContext.ts"

/** The longer side, in pixels, of pictures for a model. */
const longestSeen = 1568

const MarkedPicture = Schema.Struct({
  mark: Schema.Number.pipe(Schema.between(0, 10)),
  remarks: Schema.Array(Schema.String.pipe(Schema.maxLength(300))).pipe(Schema.maxItems(6))
})

const stands = { wide: "1200 800", square: "960 960", tall: "800 1200" } as const

/** Returns a placeholder of the same size. Pictures are generated only after a site is chosen. */
const standIn = (site: Site, pictureId: string): string | undefined => {
  const shape = site.pictures.find(({ id }) => id === pictureId)?.shape
  if (shape === undefined) return undefined
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${stands[shape]}"><rect width="100%" height="100%" fill="${site.theme.brand}"/></svg>`
  return `data:image/svg+xml;base64,${Buffer.from(drawn).toString("base64")}`
}

/** Returns the page as visitors will see it, in one document without external files. */
const documentOf = (site: Site, page: SitePage): string =>
  renderPage(site, page.id, { ...plainContext("export"), pictureUrl: (id) => standIn(site, id) })

const make = Effect.gen(function* () {
  const browser = yield* Browser
  const model = yield* LanguageModel
  const encoder = yield* PictureEncoder
  const words = yield* DelimiterWord

  /** Asks a model to judge the picture; undefined if there is no model, or its answer is unusable. */
  const marked = (accountId: AccountId, site: Site, picture: Uint8Array) =>
    Effect.gen(function* () {
      const jpeg = yield* encoder.jpeg(accountId, picture, longestSeen)
      return yield* model.generate({
        prompt: reviewPicturePrompt(yield* words.next, site, jpeg),
        schema: MarkedPicture,
        maxOutputTokens: 1000,
        timeout: "60 seconds",
        purpose: "review_website",
        inSandbox: Effect.dieMessage("The sandbox is not asked.")
      })
    }).pipe(Effect.either, Effect.map(Either.getOrUndefined))

  const look = (accountId: AccountId, site: Site, pages: "home" | "all") =>
    Effect.gen(function* () {
      const shown = pages === "home" ? site.pages.slice(0, 1) : site.pages
      const views = yield* Effect.forEach(shown, (page, index) =>
        Effect.map(
          browser.look(accountId, {
            page: { html: documentOf(site, page) },
            viewports: reviewedAt,
            picture: model.mode === "live" && index === 0 ? "view" : "none"
          }),
          (looked) => ({ page, views: looked.views })
        )
      )
      const picture = views[0]?.views.at(-1)?.picture
      const seen = picture === undefined ? undefined : yield* marked(accountId, site, picture)
      return {
        faults: views.flatMap(({ page, views: all }) => all.flatMap((view) => faultsIn(page.id, view))),
        mark: seen?.value.mark,
        remarks: seen?.value.remarks ?? [],
        usage: seen?.usage
      } satisfies SeenSite
    }).pipe(Effect.either, Effect.map(Either.getOrUndefined))

  return SiteReviewer.of({
    look: (accountId, site, pages) =>
      browser.mode === "unavailable" ? Effect.succeed(undefined) : look(accountId, site, pages)
  })
})

/** Reviews candidates in the machine's browser. If a model is live, it judges the picture too. */
export const SiteReviewerInBrowser = Layer.effect(SiteReviewer, make)
