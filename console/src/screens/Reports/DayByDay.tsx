import type { UseQueryResult } from "@tanstack/react-query"
import { useState } from "react"
import type { AnswerOf } from "../../calls/Tools.ts"
import { StackedBars } from "../../charts/StackedBars.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { bucketSum, bucketsOf, type Day } from "./Figures.ts"
import { ReportCard } from "./ReportCard.tsx"
import { dayInWords } from "./Sheet.ts"

const groups = {
  replies: {
    replies_received: (day: Day) => day.replies_received,
    chatapp_replies_received: (day: Day) => day.chatapp_replies_received
  },
  sent: {
    emails_sent: (day: Day) => day.emails_sent,
    chatapp_sent: (day: Day) => day.chatapp_sent
  },
  progress: {
    confirmed: (day: Day) => day.confirmed,
    interested: (day: Day) => day.interested
  },
  leads: { leads_generated: (day: Day) => day.leads_generated }
} as const

type Group = keyof typeof groups
const groupNames: ReadonlyArray<Group> = ["replies", "sent", "progress", "leads"]

const columns = [
  "leads_generated",
  "emails_sent",
  "replies_received",
  "chatapp_sent",
  "chatapp_replies_received",
  "confirmed",
  "interested"
] as const

/** Figures for each day, or for each week of a long period. */
export const DayByDay = ({
  days,
  query
}: {
  readonly days: number
  readonly query: UseQueryResult<AnswerOf<"get_performance_trends">>
}) => {
  const texts = useTexts()
  const { t } = texts
  const [group, setGroup] = useState<Group>("replies")
  return (
    <ReportCard
      title={t("reports.daily")}
      file="day-by-day"
      of={query}
      tools={
        <div className="segmented report-choice" role="group" aria-label={t("reports.daily.show")}>
          {groupNames.map((name) => (
            <button key={name} type="button" aria-pressed={group === name} onClick={() => setGroup(name)}>
              {t(`reports.daily.${name}`)}
            </button>
          ))}
        </div>
      }
      sheet={({ trends }) => ({
        columns: [{ text: t("reports.day") }, ...columns.map((name) => ({ text: t(`reports.series.${name}`) }))],
        rows: trends
          .slice(-days)
          .toReversed()
          .map((day) => [day.date, ...columns.map((name) => day[name])])
      })}
      chart={({ trends }) => {
        const buckets = bucketsOf(trends.slice(-days))
        return (
          <StackedBars
            label={t("reports.daily.label", { what: t(`reports.daily.${group}`) })}
            labels={buckets.map(({ start }) => dayInWords(start, texts))}
            series={columns
              .flatMap((name) => {
                const read = Object.entries(groups[group]).find(([key]) => key === name)?.[1]
                return read === undefined ? [] : [{ name, read }]
              })
              .map(({ name, read }) => ({
                id: name,
                text: t(`reports.series.${name}`),
                values: buckets.map((bucket) => bucketSum(bucket, read))
              }))}
          />
        )
      }}
    />
  )
}
