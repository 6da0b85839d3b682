import { Effect, Schema } from "effect"
import { Timestamp } from "../../Services/Core/Timestamp.ts"
import {
  ChangesSince,
  ChatAppPerformance,
  FunnelTimeline,
  groupings,
  IndustryFunnel,
  LeadVolumeEstimate,
  MessagePerformance,
  MetricsByStateAndIndustry,
  OptimizationRun,
  PerformanceTrends,
  ProspectingReport
} from "../../Services/Reports/ReportModel.ts"
import { Reports } from "../../Services/Reports/Reports.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const campaign = Param.optional(
  Param.text("Name or numeric id of a campaign; without it the whole account.", { maxLength: 200 })
)
const days = Param.withDefault(
  Param.integer("How many days, including today, by the account's calendar.", { minimum: 1, maximum: 365 }),
  30
)
const groupBy = Param.withDefault(Param.oneOf(groupings, "How the breakdown is grouped; both is a matrix."), "both")

const estimateLeadVolume = Tool.make("estimate_lead_volume", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Shows what paying customers typically achieve in 30 days: new leads, confirmed replies, interested leads and messages sent, each from the median to the top tenth, per week and per month. It compares customers that target the same sectors if there are enough, else all. Updated weekly and rounded. With too few customers there are no ranges, but the reason.",
  parameters: {},
  returns: LeadVolumeEstimate,
  example: {},
  run: Effect.fnUntraced(function* () {
    return yield* (yield* Reports).volume
  })
})

const getFunnelByIndustry = Tool.make("get_funnel_by_industry", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Shows the progress of leads by sector: how many there are, and how many were contacted, replied, became interested, were closed and won. By CNAE division for accounts in Brazil, by the companies' industry elsewhere.",
  parameters: { campaign },
  returns: IndustryFunnel,
  errors: { NotFound: ["campaign_not_found"] },
  example: { campaign: "Clínicas odontológicas" },
  run: Effect.fnUntraced(function* ({ campaign }) {
    return yield* (yield* Reports).industries({ campaign })
  })
})

const getFunnelTimeline = Tool.make("get_funnel_timeline", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Counts the leads that entered each stage, by day or by week, newest first, including empty ones. A lead counts once per stage, when it first entered it; cold is when it was registered.",
  parameters: {
    days,
    bucket: Param.withDefault(Param.oneOf(["day", "week"], "Days, or weeks that begin on Monday."), "day"),
    campaign
  },
  returns: FunnelTimeline,
  errors: { NotFound: ["campaign_not_found"] },
  example: { days: 14, bucket: "week" },
  run: Effect.fnUntraced(function* ({ bucket, campaign, days }) {
    const { buckets, timeZone } = yield* (yield* Reports).timeline({ campaign, days, bucket })
    return {
      days,
      bucket,
      time_zone: timeZone,
      buckets,
      note: "closed is an approximation: leads with a final outcome or the status Closed."
    }
  })
})

const getMessagePerformance = Tool.make("get_message_performance", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Shows how many of the e-mails sent in the window were answered, in total and by campaign, kind of message or both. A mail counts as answered once, at any time of the reply; automatic answers are no replies.",
  parameters: { days, campaign, group_by: groupBy },
  returns: MessagePerformance,
  errors: { NotFound: ["campaign_not_found"] },
  example: { days: 30, group_by: "type" },
  run: Effect.fnUntraced(function* ({ campaign, days, group_by }) {
    return yield* (yield* Reports).messages({ campaign, days, groupBy: group_by })
  })
})

const getChatAppMessagePerformance = Tool.make("get_chatapp_message_performance", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Shows how many of the leads who got messages on the messaging app in the window replied, in total and by campaign, kind of message or both. A lead counts in each group from which it got a message.",
  parameters: { days, campaign, group_by: groupBy },
  returns: ChatAppPerformance,
  errors: { NotFound: ["campaign_not_found"] },
  example: { days: 30 },
  run: Effect.fnUntraced(function* ({ campaign, days, group_by }) {
    return yield* (yield* Reports).chats({ campaign, days, groupBy: group_by })
  })
})

const getMetricsByStateAndIndustry = Tool.make("get_metrics_by_state_and_industry", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Compares states and sectors over the window: new leads, messages and replies on both channels, stages entered, referrals and meetings, with the best group for each figure. Leads whose state or sector is unknown are in a separate group that is never the best.",
  parameters: { days, campaign },
  returns: MetricsByStateAndIndustry,
  errors: { NotFound: ["campaign_not_found"] },
  example: { days: 30 },
  run: Effect.fnUntraced(function* ({ campaign, days }) {
    return yield* (yield* Reports).metrics({ campaign, days })
  })
})

const getPerformanceTrends = Tool.make("get_performance_trends", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Counts the results of prospecting by day: new leads, mail and messages sent, replies, and leads that were first confirmed or became interested. Oldest day first, including empty ones.",
  parameters: { days, campaign },
  returns: PerformanceTrends,
  errors: { NotFound: ["campaign_not_found"] },
  example: { days: 14 },
  run: Effect.fnUntraced(function* ({ campaign, days }) {
    const { timeZone, trends } = yield* (yield* Reports).trends({ campaign, days })
    return { days, time_zone: timeZone, trends }
  })
})

const getProspectingReport = Tool.make("get_prospecting_report", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Sums up prospecting since its beginning: leads by status and pipeline state, how many were contacted, replied, were won and lost, mail sent with its reply rate, and messages on the messaging app.",
  parameters: { campaign },
  returns: ProspectingReport,
  errors: { NotFound: ["campaign_not_found"] },
  example: {},
  run: Effect.fnUntraced(function* ({ campaign }) {
    return yield* (yield* Reports).summary({ campaign })
  })
})

const listProspectingOptimizations = Tool.make("list_prospecting_optimizations", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Lists the runs of the optimizer, newest first: what it changed, from what to what, why, and how to undo it, or that it changed nothing.",
  parameters: { campaign, ...Param.pages() },
  returns: Schema.Struct({
    optimizations: Schema.Array(OptimizationRun),
    page: Schema.Int,
    page_size: Schema.Int,
    total: Schema.Int
  }),
  errors: { NotFound: ["campaign_not_found"] },
  example: { page: 0, page_size: 20 },
  run: Effect.fnUntraced(function* ({ campaign, page, page_size }) {
    const { runs, total } = yield* (yield* Reports).optimizations({ campaign, page, pageSize: page_size })
    return { optimizations: runs, page, page_size, total }
  })
})

const whatChangedSince = Tool.make("what_changed_since", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Shows what happened from a date (midnight UTC) to now: messages and replies, stages reached, new interested leads, outcomes, meetings, answered support requests, campaigns whose reply rate changed by three points or more, and what the optimizer adjusted. It also lists the leads that wait for a review now.",
  parameters: { since_date: Param.date("The first day, as YYYY-MM-DD.") },
  returns: ChangesSince,
  errors: { Refused: ["since_date_to_come"] },
  example: { since_date: "2026-01-01" },
  run: Effect.fnUntraced(function* ({ since_date }) {
    return yield* (yield* Reports).changesSince(Timestamp.make(`${since_date.trim()}T00:00:00Z`))
  })
})

export const ReportsGroup = Tool.group("Reports", "Results of prospecting, in numbers.", [
  getProspectingReport,
  getPerformanceTrends,
  getFunnelTimeline,
  getFunnelByIndustry,
  getMetricsByStateAndIndustry,
  getMessagePerformance,
  getChatAppMessagePerformance,
  whatChangedSince,
  listProspectingOptimizations,
  estimateLeadVolume
])
