import "../Campaigns/campaigns.css"
import "./reports.css"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useTool } from "../../calls/Queries.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Page } from "../../parts/Page.tsx"
import { DayByDay } from "./DayByDay.tsx"
import { FigureTiles } from "./FigureTiles.tsx"
import { Learnings } from "./Learnings.tsx"
import { Outcomes } from "./Outcomes.tsx"
import { StageTimeline, WholeFunnel } from "./Progress.tsx"
import { defaultPeriod, parseReportSearch, periods } from "./ReportSearch.ts"
import { ByMessage, BySector, ByState } from "./Segments.tsx"

/** The results of prospecting in a period. Each report is a chart or a table, and can be saved. */
export const ReportsScreen = () => {
  const { t } = useTexts()
  const search = useSearch({ from: "/shell/reports" })
  const navigate = useNavigate()
  const days = search.days ?? defaultPeriod
  const of = search.campaign === undefined ? {} : { campaign: search.campaign }
  const campaigns = useTool("list_campaigns", { page_size: 100 })
  // The period before is read with it, to compare both.
  const trends = useTool("get_performance_trends", { days: 2 * days, ...of }, { keepsLast: true })
  return (
    <Page title={t("reports.title")} lead={t("reports.lead")}>
      <div className="filters report-filters">
        <nav className="chips" aria-label={t("reports.period")}>
          {periods.map((period) => (
            <Link
              key={period}
              to="/reports"
              search={parseReportSearch({ ...search, days: period })}
              activeOptions={{ exact: true, includeSearch: true }}
              className="chip"
            >
              {t("reports.days", { count: period })}
            </Link>
          ))}
        </nav>
        <select
          className="input input-quiet"
          aria-label={t("reports.campaign")}
          value={search.campaign ?? ""}
          onChange={(event) =>
            void navigate({
              to: "/reports",
              search: parseReportSearch({ ...search, campaign: event.target.value }),
              replace: true
            })
          }
        >
          <option value="">{t("reports.allCampaigns")}</option>
          {(campaigns.data?.campaigns ?? []).map((campaign) => (
            <option key={campaign.campaign_id} value={String(campaign.campaign_id)}>
              {campaign.name}
            </option>
          ))}
        </select>
      </div>
      <FigureTiles days={days} query={trends} />
      <DayByDay days={days} query={trends} />
      <div className="columns">
        <WholeFunnel {...of} />
        <StageTimeline days={days} {...of} />
      </div>
      <BySector {...of} />
      <div className="columns">
        <ByState days={days} {...of} />
        <div className="stack">
          <ByMessage days={days} {...of} />
          <Outcomes days={days} />
        </div>
      </div>
      <Learnings />
    </Page>
  )
}
