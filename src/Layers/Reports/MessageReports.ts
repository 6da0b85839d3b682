import type { SqlClient } from "@effect/sql/SqlClient"
import { Array, Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import {
  type ChatAppPerformance,
  type Grouping,
  type MessagePerformance,
  messageTypes
} from "../../Services/Reports/ReportModel.ts"
import { percent } from "../../Services/Reports/ReportWindow.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { everyKind } from "./DayFacts.ts"
import { type FigureRow, figures, sumOf, type Window } from "./Figures.ts"

type MessageType = (typeof messageTypes)[number] | null

const isMessageType = (key: string): key is (typeof messageTypes)[number] => messageTypes.some((type) => type === key)
const typeOf = (key: string): MessageType => (isMessageType(key) ? key : null)

/** The figures of one campaign, one kind of message, or one combination of both. */
interface Group {
  readonly campaign_id: CampaignId | null
  readonly message_type: MessageType
  readonly rows: ReadonlyArray<FigureRow>
}

const groupsOf = (rows: ReadonlyArray<FigureRow>, groupBy: Grouping): ReadonlyArray<Group> => {
  const groups = Array.groupBy(
    rows,
    ({ campaign_id, key }) => `${groupBy === "type" ? "" : (campaign_id ?? "")} ${groupBy === "campaign" ? "" : key}`
  )
  return Object.values(groups).map((members) => {
    const [first] = members
    const message_type = groupBy === "campaign" ? null : typeOf(first.key)
    return { campaign_id: groupBy === "type" ? null : first.campaign_id, message_type, rows: members }
  })
}

const lastCampaign = Number.MAX_SAFE_INTEGER

/** Sorts groups by messages sent. Rows without campaign or kind come last. */
const sortedGroups = <A extends Omit<Group, "rows"> & { readonly sent: number }>(groups: ReadonlyArray<A>) =>
  groups.toSorted(
    (a, b) =>
      b.sent - a.sent ||
      (a.campaign_id ?? lastCampaign) - (b.campaign_id ?? lastCampaign) ||
      ((a.message_type ?? "~") < (b.message_type ?? "~") ? -1 : 1)
  )

const campaignNames = (sql: SqlClient, { accountId }: Window, groups: ReadonlyArray<Group>) =>
  Effect.gen(function* () {
    const ids = [...new Set(groups.flatMap(({ campaign_id }) => campaign_id ?? []))]
    if (ids.length === 0) return new Map<CampaignId | null, string>()
    const rows = yield* sql<{ readonly campaign_id: CampaignId; readonly name: string }>`
      select c.campaign_id, c.name from campaign c where c.account_id = ${accountId} and c.campaign_id = any (${ids})`
    return new Map<CampaignId | null, string>(rows.map(({ campaign_id, name }) => [campaign_id, name]))
  })

const sinceDay = (first: string) => ({ first, last: "9999-12-31" })

/** Sent mail, and how much of it was answered, by campaign and kind. The window begins with a day. */
export const messagePerformance = (
  sql: SqlClient,
  window: Window,
  { days, firstDay, groupBy }: { readonly days: number; readonly firstDay: string; readonly groupBy: Grouping }
): Effect.Effect<MessagePerformance, Transient> =>
  Effect.gen(function* () {
    const rows = yield* figures(sql, window, ["emails_sent", "emails_answered"], { campaign: true }, sinceDay(firstDay))
    const groups = groupsOf(rows, groupBy)
    const names = yield* campaignNames(sql, window, groups)
    const sent = sumOf(rows, "emails_sent")
    const replied = sumOf(rows, "emails_answered")
    return {
      days,
      group_by: groupBy,
      total_sent: sent,
      replied,
      reply_rate_pct: percent(replied, sent),
      reply_rate_base: "emails_sent" as const,
      breakdown: sortedGroups(
        groups.map(({ campaign_id, message_type, rows }) => {
          const sent = sumOf(rows, "emails_sent")
          const replied = sumOf(rows, "emails_answered")
          const campaign_name = names.get(campaign_id) ?? null
          return { campaign_id, campaign_name, message_type, sent, replied, reply_rate_pct: percent(replied, sent) }
        })
      )
    }
  }).pipe(fromSql())

/** Messages on the messaging app, the leads that got them, and how many of these replied. */
export const chatAppPerformance = (
  sql: SqlClient,
  window: Window,
  { days, firstDay, groupBy }: { readonly days: number; readonly firstDay: string; readonly groupBy: Grouping }
): Effect.Effect<ChatAppPerformance, Transient> =>
  Effect.gen(function* () {
    const all = yield* figures(
      sql,
      window,
      ["chatapp_sent", "chatapp_messaged", "chatapp_replied"],
      { campaign: true },
      sinceDay(firstDay)
    )
    const figuresOf = (rows: ReadonlyArray<FigureRow>, isLead: (row: FigureRow) => boolean) => {
      const leads_messaged = sumOf(rows, "chatapp_messaged", isLead)
      const leads_replied = sumOf(rows, "chatapp_replied", isLead)
      return {
        sent: sumOf(rows, "chatapp_sent"),
        leads_messaged,
        leads_replied,
        lead_reply_rate_pct: percent(leads_replied, leads_messaged)
      }
    }
    // A lead that got messages of two kinds counts once in its campaign.
    const ofAllKinds = ({ key }: FigureRow) => key === everyKind
    const groups =
      groupBy === "campaign"
        ? groupsOf(all, groupBy)
        : groupsOf(
            all.filter((row) => !ofAllKinds(row)),
            groupBy
          )
    const names = yield* campaignNames(sql, window, groups)
    return {
      days,
      group_by: groupBy,
      ...figuresOf(all, ofAllKinds),
      reply_rate_base: "leads_messaged" as const,
      breakdown: sortedGroups(
        groups.map(({ campaign_id, message_type, rows }) => ({
          campaign_id,
          campaign_name: names.get(campaign_id) ?? null,
          message_type,
          ...figuresOf(rows, groupBy === "campaign" ? ofAllKinds : () => true)
        }))
      )
    }
  }).pipe(fromSql())
