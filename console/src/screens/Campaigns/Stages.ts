import type { AnswerOf } from "../../calls/Tools.ts"
import type { Texts } from "../../i18n/Messages.tsx"
import type { Stage } from "./Funnel.tsx"

/** Returns how many leads of a report have reached each stage. */
export const stagesOf = (report: AnswerOf<"get_prospecting_report">, { t }: Texts): ReadonlyArray<Stage> => {
  const countOf = (...statuses: ReadonlyArray<string>) =>
    report.leads_by_status.reduce((sum, { count, status }) => (statuses.includes(status) ? sum + count : sum), 0)
  return [
    { id: "leads", text: t("campaigns.stage.leads"), count: report.total_leads },
    { id: "contacted", text: t("campaigns.stage.contacted"), count: report.pipeline.contacted },
    { id: "replied", text: t("campaigns.stage.replied"), count: report.pipeline.replied },
    { id: "interested", text: t("campaigns.stage.interested"), count: countOf("Interested", "Closed") },
    { id: "won", text: t("campaigns.stage.won"), count: report.pipeline.won }
  ]
}
