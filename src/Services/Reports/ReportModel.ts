import { Schema } from "effect"
import { CampaignId } from "../Campaigns/Ids.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { LeadId, LeadStatus, PipelineState } from "../Leads/Ids.ts"
import { MeetingId, MeetingStatus } from "../Meetings/Ids.ts"

const count = Schema.Int
const rate = Schema.NullOr(Schema.Number).annotations({ description: "In percent; null where nothing was sent." })
/** The whole that a rate is a share of. */
const base = <const Base extends string>(name: Base) =>
  Schema.Literal(name).annotations({ description: "The figure of which the rates are shares." })
const day = Schema.String.pipe(Schema.pattern(/^\d{4}-\d{2}-\d{2}$/))
const campaign = Schema.NullOr(Schema.String)

export const messageTypes = ["first_contact", "follow_up", "response", "direct", "user_written"] as const

export const groupings = ["campaign", "type", "both"] as const
export type Grouping = (typeof groupings)[number]

const group = {
  campaign_id: Schema.NullOr(CampaignId),
  campaign_name: campaign,
  message_type: Schema.NullOr(Schema.Literal(...messageTypes))
}

export const MessagePerformance = Schema.Struct({
  days: count,
  group_by: Schema.Literal(...groupings),
  total_sent: count,
  replied: count.annotations({ description: "Sent e-mails that got at least one reply, whenever it came." }),
  reply_rate_pct: rate,
  reply_rate_base: base("emails_sent"),
  breakdown: Schema.Array(Schema.Struct({ ...group, sent: count, replied: count, reply_rate_pct: rate }))
})
export type MessagePerformance = typeof MessagePerformance.Type

export const ChatAppPerformance = Schema.Struct({
  days: count,
  group_by: Schema.Literal(...groupings),
  sent: count,
  leads_messaged: count,
  leads_replied: count.annotations({ description: "How many of the leads messaged in the window replied." }),
  lead_reply_rate_pct: rate,
  reply_rate_base: base("leads_messaged"),
  breakdown: Schema.Array(
    Schema.Struct({ ...group, sent: count, leads_messaged: count, leads_replied: count, lead_reply_rate_pct: rate })
  )
})
export type ChatAppPerformance = typeof ChatAppPerformance.Type

export const TrendDay = Schema.Struct({
  date: day,
  leads_generated: count.annotations({ description: "Leads that the platform acquired by itself." }),
  emails_sent: count,
  replies_received: count,
  confirmed: count,
  interested: count,
  chatapp_sent: count,
  chatapp_replies_received: count
})
export type TrendDay = typeof TrendDay.Type
export const PerformanceTrends = Schema.Struct({
  days: count,
  time_zone: Schema.String,
  trends: Schema.Array(TrendDay).annotations({ description: "One for each day, oldest first; the last is today." })
})

export const TimelineBucket = Schema.Struct({
  bucket_start: day,
  cold: count,
  confirmed: count,
  interested: count,
  closed: count
})
export type TimelineBucket = typeof TimelineBucket.Type
export const FunnelTimeline = Schema.Struct({
  days: count,
  bucket: Schema.Literal("day", "week"),
  time_zone: Schema.String,
  buckets: Schema.Array(TimelineBucket).annotations({ description: "Newest first; a week begins on Monday." }),
  note: Schema.String
})

export const IndustryFunnel = Schema.Struct({
  grouped_by: Schema.Literal("cnae_division", "industry"),
  rate_base: base("contacted"),
  industries: Schema.Array(
    Schema.Struct({
      code: Schema.NullOr(Schema.String),
      name: Schema.String,
      total_leads: count,
      contacted: count,
      replied: count,
      interested: count.annotations({ description: "Leads that became interested, whatever their status is now." }),
      closed: count,
      won: count,
      reply_rate_pct: rate,
      interest_rate_pct: rate
    })
  )
})
export type IndustryFunnel = typeof IndustryFunnel.Type

const metrics = {
  new_leads: count,
  emails_sent: count,
  responses: count,
  chatapp_sent: count,
  chatapp_responses: count,
  aware: count,
  interested: count,
  confirmed_aware_interested_or_taken_over: count,
  referrals: count,
  meetings_booked: count,
  meetings_cancelled: count,
  meetings_held: count,
  meetings_no_show: count
}
export const metricNames = Object.keys(metrics) as ReadonlyArray<keyof typeof metrics>
export type Metrics = { readonly [K in keyof typeof metrics]: number }

const GroupMetrics = Schema.Struct({ name: Schema.String, is_unspecified: Schema.Boolean, ...metrics })
const Best = Schema.Struct({
  metric: Schema.String,
  name: Schema.String,
  value: count,
  rate_pct: Schema.NullOr(Schema.Number).annotations({
    description:
      "Of meetings_cancelled (share of the booked meetings) and meetings_no_show (share of the meetings that were held or missed), which are best where the rate is lowest."
  })
})

export const MetricsByStateAndIndustry = Schema.Struct({
  days: count,
  by_state: Schema.Array(GroupMetrics),
  by_industry: Schema.Array(GroupMetrics),
  best_state: Schema.Array(Best).annotations({
    description:
      "The best group for each metric that is not zero. Of cancelled and missed meetings: the lowest rate among groups with at least 20 meetings."
  }),
  best_industry: Schema.Array(Best)
})
export type MetricsByStateAndIndustry = typeof MetricsByStateAndIndustry.Type

export const ProspectingReport = Schema.Struct({
  total_leads: count,
  leads_by_status: Schema.Array(Schema.Struct({ status: LeadStatus, count })),
  pipeline: Schema.Struct({
    states: Schema.Array(Schema.Struct({ state: PipelineState, count })),
    contacted: count,
    replied: count,
    won: count,
    lost: count,
    gave_up: count
  }),
  emails_sent: count,
  emails_replied: count,
  reply_rate_pct: rate,
  reply_rate_base: base("emails_sent"),
  chatapp_sent: count,
  chatapp_responses: count,
  leads_talked_to_on_chatapp: count.annotations({ description: "Leads who wrote on the messaging app." })
})
export type ProspectingReport = typeof ProspectingReport.Type

export const OptimizationRun = Schema.Struct({
  optimization_id: Schema.Int,
  campaign_id: Schema.NullOr(CampaignId),
  campaign_name: campaign,
  ran_at: Timestamp,
  outcome: Schema.Literal("changed", "kept", "undone"),
  changes: Schema.Array(
    Schema.Struct({
      setting: Schema.String,
      from: Schema.NullOr(Schema.String),
      to: Schema.NullOr(Schema.String),
      how_to_undo: Schema.String
    })
  ),
  reasons: Schema.Array(Schema.String)
})
export type OptimizationRun = typeof OptimizationRun.Type

const Volume = Schema.Struct({ median: count, top: count })
const Volumes = Schema.Struct({ per_week: Volume, per_month: Volume })
export const LeadVolumeEstimate = Schema.Struct({
  benchmark: Schema.Literal("Similar", "Global").annotations({
    description: "Similar: paying customers that target the same sectors; Global: all of them."
  }),
  new_leads: Schema.NullOr(Volumes),
  confirmed_replies: Schema.NullOr(Volumes),
  interested_leads: Schema.NullOr(Volumes),
  messages_sent: Schema.NullOr(Volumes),
  reason: Schema.NullOr(Schema.String).annotations({ description: "Why there are no ranges; null if there are." }),
  as_of: Schema.NullOr(Timestamp)
})
export type LeadVolumeEstimate = typeof LeadVolumeEstimate.Type

const LeadRef = { lead_id: LeadId, name: Schema.String, company: Schema.NullOr(Schema.String), campaign_name: campaign }
export const ChangesSince = Schema.Struct({
  since: Timestamp,
  until: Timestamp,
  activity_summary: Schema.Struct({
    new_leads: count,
    emails_sent: count,
    email_replies: count,
    chatapp_sent: count,
    chatapp_replies: count
  }),
  funnel_progress: Schema.Struct({ reached_confirmed: count, became_interested: count }),
  new_interested_leads: Schema.Struct({
    total_count: count,
    items: Schema.Array(Schema.Struct({ ...LeadRef, became_interested_at: Timestamp }))
  }),
  outcomes: Schema.Struct({
    won_count: count,
    lost_count: count,
    gave_up_count: count,
    total_deal_value_brl: Schema.Number,
    won_items: Schema.Array(
      Schema.Struct({ ...LeadRef, deal_value_brl: Schema.NullOr(Schema.Number), won_at: Timestamp })
    )
  }),
  meetings: Schema.Struct({
    booked: count,
    cancelled: count,
    held: count,
    no_show: count,
    items: Schema.Array(
      Schema.Struct({
        meeting_id: MeetingId,
        lead_id: LeadId,
        lead_name: Schema.String,
        status: MeetingStatus,
        starts_at: Timestamp
      })
    )
  }),
  pending_human_review: Schema.Struct({
    total_count: count,
    items: Schema.Array(
      Schema.Struct({ ...LeadRef, reason: Schema.NullOr(Schema.String), review_requested_at: Schema.NullOr(Timestamp) })
    )
  }),
  support_answered: Schema.Array(
    Schema.Struct({ message: Schema.String, answer: Schema.String, answered_at: Timestamp })
  ),
  campaign_performance_changes: Schema.Array(
    Schema.Struct({
      campaign_id: Schema.NullOr(CampaignId),
      campaign_name: campaign,
      reply_rate_base: base("emails_sent"),
      before: Schema.Struct({ sent: count, replied: count, reply_rate_pct: Schema.Number }),
      after: Schema.Struct({ sent: count, replied: count, reply_rate_pct: Schema.Number }),
      change_percentage_points: Schema.Number
    })
  ),
  optimizer_adjustments: Schema.Struct({
    total_count: count,
    returned_count: count,
    truncated: Schema.Boolean,
    items: Schema.Array(OptimizationRun)
  })
})
export type ChangesSince = typeof ChangesSince.Type
