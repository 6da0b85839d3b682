import { Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"
import { say } from "../Messages/Messages.ts"
import type { Language } from "../Text/Language.ts"
import { clip, tidyText } from "../Text/PlainText.ts"
import type { ChangesSince } from "./ReportModel.ts"

/** Finds the accounts in which it is morning. */
export const queueDailyReports = Task.make("queue_daily_reports", { payload: Schema.Struct({}), maxAttempts: 3 })

/** Mails the account a report of the day, by its own calendar. */
export const mailDailyReport = Task.make("mail_daily_report", {
  payload: Schema.Struct({ accountId: AccountId, day: Schema.String }),
  maxAttempts: 10
})

/** The hour of the account's day in which yesterday's report is sent. */
export const reportHour = 8

const locales: { readonly [L in Language]: string } = { "pt-BR": "pt-BR", en: "en-US", es: "es-419" }

const maximumNamed = 10

const nameOf = (text: string): string => clip(tidyText(text).replace(/\s+/g, " ").trim(), 100)

/** The mail. Undefined for a day without events and without anything that waits. `day` is `YYYY-MM-DD`. */
export const dailyReport = (
  day: string,
  changes: Pick<
    ChangesSince,
    "activity_summary" | "funnel_progress" | "new_interested_leads" | "outcomes" | "meetings" | "pending_human_review"
  >,
  language: Language
): { readonly subject: string; readonly text: string } | undefined => {
  const { activity_summary: activity, funnel_progress: funnel, meetings, outcomes } = changes
  const waiting = changes.pending_human_review.total_count
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
  const { items, total_count } = changes.new_interested_leads
  const itemLines = items.slice(0, maximumNamed).map(({ company, name }) => {
    const shownName = nameOf(name)
    return `- ${company === null ? shownName : `${shownName} (${nameOf(company)})`}`
  })
  const lines = [
    `${say(language, "daily_report.new_leads")}: ${activity.new_leads}`,
    `${say(language, "daily_report.emails")}: ${activity.emails_sent} / ${activity.email_replies}`,
    `${say(language, "daily_report.chats")}: ${activity.chatapp_sent} / ${activity.chatapp_replies}`,
    `${say(language, "daily_report.confirmed")}: ${funnel.reached_confirmed}`,
    `${say(language, "daily_report.interested")}: ${funnel.became_interested}`,
    say(language, "daily_report.meetings", meetings),
    say(language, "daily_report.won", { count: outcomes.won_count, value }),
    ...(waiting === 0 ? [] : [`${say(language, "daily_report.review")}: ${waiting}`])
  ]
  const rest = total_count - itemLines.length
  const interested =
    itemLines.length === 0
      ? []
      : [
          [
            say(language, "daily_report.interested_head"),
            ...itemLines,
            ...(rest > 0 ? [say(language, "daily_report.more", { count: rest })] : [])
          ].join("\n")
        ]
  return {
    subject: say(language, "daily_report.subject", { day: date }),
    text: [
      say(language, "daily_report.head", { day: date }),
      lines.join("\n"),
      ...interested,
      say(language, "daily_report.footer")
    ].join("\n\n")
  }
}
