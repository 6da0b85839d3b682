import { Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import { type Timestamp, toMillis } from "../Core/Timestamp.ts"
import * as Task from "../Jobs/Task.ts"
import type { LeadId } from "../Leads/Ids.ts"
import { say } from "../Messages/Messages.ts"
import type { Language } from "../Text/Language.ts"
import { clip, tidyText } from "../Text/PlainText.ts"
import type { ChangesSince } from "./ReportModel.ts"

/** Finds the accounts in which it is morning. */
export const queueDailyReports = Task.make("queue_daily_reports", { payload: Schema.Struct({}), maxAttempts: 3 })

/** Mails the account a report of its local day. */
export const mailDailyReport = Task.make("mail_daily_report", {
  sends: "email",
  payload: Schema.Struct({ accountId: AccountId, day: Schema.String }),
  maxAttempts: 10
})

/** The hour of the account's day in which yesterday's report is sent. */
export const reportHour = 8

const locales: { readonly [L in Language]: string } = { "pt-BR": "pt-BR", en: "en-US", es: "es-419" }

const maximumNamed = 10

const nameOf = (text: string): string => clip(tidyText(text).replace(/\s+/g, " ").trim(), 100)

/** A lead as one line, with the time by the account's clock and the page that shows what can be done. */
const leadLine = (
  lead: { readonly lead_id: LeadId; readonly name: string; readonly company: string | null },
  at: Timestamp | null,
  { language, linkTo, timeZone }: ReportReader
): string => {
  const name = nameOf(lead.name)
  const who = lead.company === null ? name : `${name} (${nameOf(lead.company)})`
  const link = linkTo(lead.lead_id)
  if (at === null) return say(language, "daily_report.item", { who, link })
  const time = new Intl.DateTimeFormat(locales[language], { timeStyle: "short", timeZone }).format(toMillis(at))
  return say(language, "daily_report.item_at", { who, time, link })
}

/** A heading and a list of leads. Empty without leads. */
const listOf = (
  heading: "daily_report.interested_head" | "daily_report.review_head",
  lines: ReadonlyArray<string>,
  totalCount: number,
  language: Language
): ReadonlyArray<string> => {
  if (lines.length === 0) return []
  const rest = totalCount - lines.length
  return [
    [say(language, heading), ...lines, ...(rest > 0 ? [say(language, "daily_report.more", { count: rest })] : [])].join(
      "\n"
    )
  ]
}

/** For whom the report is written. */
export interface ReportReader {
  readonly language: Language
  readonly timeZone: string
  /** The page that shows a lead and what can be done. */
  readonly linkTo: (leadId: LeadId) => string
}

/** The mail. Undefined for a day without events and without anything that waits. `day` is `YYYY-MM-DD`. */
export const dailyReport = (
  day: string,
  changes: Pick<
    ChangesSince,
    "activity_summary" | "funnel_progress" | "new_interested_leads" | "outcomes" | "meetings" | "pending_human_review"
  >,
  reader: ReportReader
): { readonly subject: string; readonly text: string } | undefined => {
  const { language } = reader
  const { activity_summary: activity, funnel_progress: funnel, meetings, outcomes } = changes
  const waiting = changes.pending_human_review
  const figures = [
    activity.new_leads,
    activity.emails_sent,
    activity.email_replies,
    activity.chatapp_sent,
    activity.chatapp_replies,
    funnel.reached_confirmed,
    funnel.became_interested,
    meetings.booked,
    meetings.cancelled,
    outcomes.won_count
  ]
  if (figures.every((figure) => figure === 0)) return undefined
  const date = new Intl.DateTimeFormat(locales[language], { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`)
  )
  const value = new Intl.NumberFormat(locales[language], { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(
    outcomes.total_deal_value_brl
  )
  const lines = [
    `${say(language, "daily_report.new_leads")}: ${activity.new_leads}`,
    `${say(language, "daily_report.emails")}: ${activity.emails_sent} / ${activity.email_replies}`,
    `${say(language, "daily_report.chats")}: ${activity.chatapp_sent} / ${activity.chatapp_replies}`,
    `${say(language, "daily_report.confirmed")}: ${funnel.reached_confirmed}`,
    `${say(language, "daily_report.interested")}: ${funnel.became_interested}`,
    say(language, "daily_report.meetings", meetings),
    say(language, "daily_report.won", { count: outcomes.won_count, value }),
    ...(waiting.total_count === 0 ? [] : [`${say(language, "daily_report.review")}: ${waiting.total_count}`])
  ]
  const { items, total_count } = changes.new_interested_leads
  const interested = items.slice(0, maximumNamed).map((item) => leadLine(item, item.became_interested_at, reader))
  const inReview = waiting.items.slice(0, maximumNamed).map((item) => leadLine(item, null, reader))
  return {
    subject: say(language, "daily_report.subject", { day: date }),
    text: [
      say(language, "daily_report.head", { day: date }),
      lines.join("\n"),
      ...listOf("daily_report.interested_head", interested, total_count, language),
      ...listOf("daily_report.review_head", inReview, waiting.total_count, language),
      say(language, "daily_report.footer")
    ].join("\n\n")
  }
}
