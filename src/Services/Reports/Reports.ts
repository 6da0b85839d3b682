import { Context, Effect } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type {
  ChangesSince,
  ChatAppPerformance,
  Grouping,
  IndustryFunnel,
  LeadVolumeEstimate,
  MessagePerformance,
  MetricsByStateAndIndustry,
  OptimizationRun,
  ProspectingReport,
  TimelineBucket,
  TrendDay
} from "./ReportModel.ts"
import type { Bucket } from "./ReportWindow.ts"

/** Support requests that were answered since a time. The room Support implements it. */
export class AnsweredSupport extends Context.Reference<AnsweredSupport>()("AnsweredSupport", {
  defaultValue: (): {
    readonly since: (from: Timestamp) => Effect.Effect<ChangesSince["support_answered"], Transient, Caller>
  } => ({ since: () => Effect.succeed([]) })
}) {}

/** `campaign` is a name or an id, as in `CampaignLookup`. Undefined means the whole account. */
type OfCampaign = { readonly campaign: string | undefined }
type InWindow = OfCampaign & { readonly days: number }

/**
 * Reports on prospecting. A lead's figures count for its present campaign. Windows are whole days of the account's time
 * zone up to now, so the same figure is equal in every report.
 */
export class Reports extends Context.Tag("Reports")<
  Reports,
  {
    readonly messages: (
      options: InWindow & { readonly groupBy: Grouping }
    ) => Effect.Effect<MessagePerformance, NotFound | Transient, Caller>
    readonly chats: (
      options: InWindow & { readonly groupBy: Grouping }
    ) => Effect.Effect<ChatAppPerformance, NotFound | Transient, Caller>
    readonly trends: (
      options: InWindow
    ) => Effect.Effect<
      { readonly timeZone: string; readonly trends: ReadonlyArray<TrendDay> },
      NotFound | Transient,
      Caller
    >
    readonly timeline: (
      options: InWindow & { readonly bucket: Bucket }
    ) => Effect.Effect<
      { readonly timeZone: string; readonly buckets: ReadonlyArray<TimelineBucket> },
      NotFound | Transient,
      Caller
    >
    readonly industries: (options: OfCampaign) => Effect.Effect<IndustryFunnel, NotFound | Transient, Caller>
    readonly metrics: (options: InWindow) => Effect.Effect<MetricsByStateAndIndustry, NotFound | Transient, Caller>
    readonly summary: (options: OfCampaign) => Effect.Effect<ProspectingReport, NotFound | Transient, Caller>
    readonly optimizations: (
      options: OfCampaign & { readonly page: number; readonly pageSize: number }
    ) => Effect.Effect<
      { readonly runs: ReadonlyArray<OptimizationRun>; readonly total: number },
      NotFound | Transient,
      Caller
    >
    readonly volume: Effect.Effect<LeadVolumeEstimate, Transient, Caller>
    readonly changesSince: (from: Timestamp) => Effect.Effect<ChangesSince, Refused | Transient, Caller>
  }
>() {}
