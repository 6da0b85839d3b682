import { Clock, Effect, Layer } from "effect"
import { type NotFound, notFound, type Refused, type Transient } from "../../Errors.ts"
import { captureFigures, type VariantCount } from "../../Services/CapturePages/CaptureFigures.ts"
import {
  type CapturePageId,
  CapturePages,
  type CapturePageView,
  daysOfFigures
} from "../../Services/CapturePages/CapturePages.ts"
import { embedSnippet, embedUrl } from "../../Services/CapturePages/EmbedSnippet.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { firstVariant } from "../../Services/Websites/Forms/SiteForms.ts"
import { SiteRecords } from "../../Services/Websites/Forms/SiteRecords.ts"
import { WebsiteTraffic } from "../../Services/Websites/Traffic/WebsiteTraffic.ts"
import { type BegunCode, Websites, type WebsiteView } from "../../Services/Websites/Websites.ts"

const dayMillis = 86_400_000

const pageNotFound = (id: CapturePageId) => notFound("lead capture page", "lead_capture_page_id", id)

/** Converts errors of websites. A website that is not a capture page counts as missing. */
const asPage =
  (id: CapturePageId) =>
  <A, R>(effect: Effect.Effect<A, NotFound | Refused | Transient, R>) =>
    Effect.catchTag(effect, "NotFound", () => pageNotFound(id))

const begun = ({ codeId, jobId, websiteId }: BegunCode) => ({ pageId: websiteId, codeId, jobId })

const viewOf = (site: WebsiteView, figures: ReturnType<typeof captureFigures>): CapturePageView => ({
  lead_capture_page_id: site.website_id,
  title: site.title,
  description: site.description,
  language: site.language,
  status: site.status,
  progress: site.progress,
  failure_reason: site.failure_reason,
  failure_detail: site.failure_detail,
  job_id: site.job_id,
  outcome: site.outcome,
  done: site.done,
  not_done: site.not_done,
  needs_input: site.needs_input,
  is_published: site.is_published,
  suspended_reason: site.suspended_reason,
  url: site.url,
  embed_url: embedUrl(site.url),
  embed_snippet: embedSnippet(site),
  editor_url: site.editor_url,
  preview_url: site.preview_url,
  ...figures,
  created_at: site.created_at,
  updated_at: site.updated_at
})

const make = Effect.gen(function* () {
  const websites = yield* Websites
  const records = yield* SiteRecords
  const traffic = yield* WebsiteTraffic
  const type = "LeadCapturePage"

  /** Reads the views of each opening of the page. A page with one opening has only that one. */
  const viewsOf = Effect.fnUntraced(function* (id: CapturePageId) {
    // The page was archived after it was listed.
    const counted = yield* traffic
      .of(id, daysOfFigures)
      .pipe(Effect.catchTag("NotFound", () => Effect.succeed(undefined)))
    if (counted === undefined) return []
    const byVariant = counted.variants.map(({ variant, views }): VariantCount => ({ variant, count: views }))
    const told = byVariant.reduce((sum, { count }) => sum + count, 0)
    return [...byVariant, { variant: firstVariant, count: Math.max(0, counted.views - told) }]
  })

  return CapturePages.of({
    create: ({ description, language }) =>
      Effect.map(
        websites.register({
          description,
          language,
          type,
          generation: "Fast",
          storesData: false,
          isRestricted: false,
          copyFrom: undefined,
          businessName: undefined
        }),
        begun
      ),

    change: (id, prompt) =>
      websites
        .change(id, { prompt, storesData: false, startsAnew: false, reasoning: "Fast", generation: "Fast" }, type)
        .pipe(Effect.map(begun), asPage(id)),

    archive: (id) => Effect.catchTag(websites.archive(id, type), "NotFound", () => pageNotFound(id)),

    list: Effect.gen(function* () {
      const pages = yield* websites.list(type)
      const since = fromMillis((yield* Clock.currentTimeMillis) - daysOfFigures * dayMillis).slice(0, 10)
      const sent = yield* records.byVariant(since)
      return yield* Effect.forEach(
        pages,
        (page) =>
          Effect.map(viewsOf(page.website_id), (views) => {
            const own = sent.filter(({ websiteId }) => websiteId === page.website_id)
            const shown = own.filter(({ isShown }) => isShown).map(({ variant }) => variant)
            const counts = own.map(({ submissions, variant }): VariantCount => ({ variant, count: submissions }))
            return viewOf(page, captureFigures(shown, views, counts))
          }),
        { concurrency: 5 }
      )
    })
  })
})

export const CapturePagesLive = Layer.effect(CapturePages, make)
