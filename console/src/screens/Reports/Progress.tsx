import { useTool } from "../../calls/Queries.ts"
import { StackedBars } from "../../charts/StackedBars.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Funnel } from "../Campaigns/Funnel.tsx"
import { stagesOf } from "../Campaigns/Stages.ts"
import { ReportCard } from "./ReportCard.tsx"
import type { ReportSearch } from "./ReportSearch.ts"
import { dayInWords } from "./Sheet.ts"

type Of = Pick<ReportSearch, "campaign"> & { readonly days: number }

/** Shows how many of all leads have reached each stage. */
export const WholeFunnel = ({ campaign }: Pick<ReportSearch, "campaign">) => {
  const texts = useTexts()
  const { t } = texts
  const report = useTool("get_prospecting_report", campaign === undefined ? {} : { campaign }, { keepsLast: true })
  return (
    <ReportCard
      title={t("reports.funnel")}
      note={t("reports.sinceBeginning")}
      file="funnel"
      of={report}
      sheet={(answer) => ({
        columns: [{ text: t("reports.stage") }, { text: t("reports.column.total_leads"), hasBar: true }],
        rows: stagesOf(answer, texts).map(({ count, text }) => [text, count])
      })}
      chart={(answer) => <Funnel label={t("reports.funnel")} stages={stagesOf(answer, texts)} />}
    />
  )
}

const stages = ["confirmed", "interested", "closed"] as const
/** Up to here, single days are shown. */
const mostDays = 31

/** Shows how many leads entered each stage, by day or by week. */
export const StageTimeline = ({ campaign, days }: Of) => {
  const texts = useTexts()
  const { t } = texts
  const bucket = days > mostDays ? "week" : "day"
  const timeline = useTool(
    "get_funnel_timeline",
    { days, bucket, ...(campaign === undefined ? {} : { campaign }) },
    { keepsLast: true }
  )
  return (
    <ReportCard
      title={t("reports.stages")}
      file="stages"
      of={timeline}
      sheet={({ buckets }) => ({
        columns: [
          { text: t("reports.day") },
          { text: t("reports.figure.leads") },
          ...stages.map((id) => ({ text: t(`campaigns.stage.${id}`) }))
        ],
        rows: buckets.map((row) => [row.bucket_start.slice(0, 10), row.cold, ...stages.map((id) => row[id])])
      })}
      chart={({ buckets }) => {
        const ordered = buckets.toReversed()
        return (
          <StackedBars
            label={t("reports.stages.label")}
            labels={ordered.map(({ bucket_start }) => dayInWords(bucket_start, texts))}
            series={stages.map((id) => ({
              id,
              text: t(`campaigns.stage.${id}`),
              values: ordered.map((row) => row[id])
            }))}
          />
        )
      }}
    />
  )
}
