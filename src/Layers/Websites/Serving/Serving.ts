import { Effect, Layer, Schema } from "effect"
import * as Task from "../../../Services/Jobs/Task.ts"
import { recurring } from "../../Platform/Jobs/Recurring.ts"
import { handle } from "../../Platform/Jobs/TaskHandler.ts"
import { TrafficCounterPostgres } from "../Traffic/TrafficCounter.ts"
import { VisitorSalts, VisitorSaltsPostgres } from "../Traffic/VisitorSalts.ts"
import { accessCodeTask, SiteAccess, SiteAccessPostgres } from "./Access/SiteAccess.ts"
import { PageAnswersLive, PageCacheLive } from "./Caching/PageCache.ts"
import { HitsLive } from "./Hits.ts"
import { PublishedSitesPostgres } from "./PublishedSitesPostgres.ts"
import { SiteReportsPostgres } from "./Reports/SiteReports.ts"
import { SiteAssetsLive } from "./SiteAssets.ts"
import { SiteVisitorsLive } from "./SiteVisitors.ts"

/** The services that serve sites and count their visits. */
export const ServingLive = Layer.mergeAll(
  PublishedSitesPostgres,
  Layer.provideMerge(PageAnswersLive, PageCacheLive),
  SiteAssetsLive,
  SiteAccessPostgres,
  SiteReportsPostgres,
  HitsLive
).pipe(
  Layer.provideMerge(Layer.merge(SiteVisitorsLive, TrafficCounterPostgres)),
  Layer.provideMerge(VisitorSaltsPostgres)
)

const forgetVisitors = Task.make("forget_visitors", { payload: Schema.Struct({}), maxAttempts: 3 })

const forgetting = handle(forgetVisitors, () =>
  Effect.zipRight(
    Effect.flatMap(VisitorSalts, ({ forget }) => forget),
    Effect.flatMap(SiteAccess, ({ forget }) => forget)
  )
)

export const servingTasks = [accessCodeTask, forgetting]

/** A day's salt is deleted soon after the day. Visitors can then no longer be distinguished. */
export const servingRecurring = recurring("forget_visitors", "11 * * * *", forgetVisitors, {})
