import { useEffect, useState } from "react"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { type LeadSearch, parseLeadSearch, statuses } from "./LeadSearch.ts"

/** Milliseconds without typing before the list is searched. */
const pauseMillis = 250

export const LeadFilters = ({
  campaigns,
  search,
  set
}: {
  readonly search: LeadSearch
  readonly campaigns: ReadonlyArray<{ readonly campaign_id: number; readonly name: string }>
  readonly set: (search: LeadSearch) => void
}) => {
  const { t, valueText } = useTexts()
  const [query, setQuery] = useState(search.query ?? "")
  useEffect(() => setQuery(search.query ?? ""), [search.query])
  useEffect(() => {
    if (query === (search.query ?? "")) return
    const timer = setTimeout(() => set(parseLeadSearch({ ...search, query })), pauseMillis)
    return () => clearTimeout(timer)
  }, [query, search, set])
  const change = (name: string, value: string) => set(parseLeadSearch({ ...search, [name]: value }))
  const isFiltered = Object.keys(search).length > 0
  return (
    <search className="filters">
      <input
        type="search"
        className="input input-quiet filter-search"
        aria-label={t("leads.search")}
        placeholder={t("leads.search")}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <select
        className="input input-quiet"
        aria-label={t("leads.column.status")}
        value={search.status ?? ""}
        onChange={(event) => change("status", event.target.value)}
      >
        <option value="">{t("leads.anyStatus")}</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {valueText("status", status)}
          </option>
        ))}
      </select>
      <select
        className="input input-quiet"
        aria-label={t("leads.column.campaign")}
        value={search.campaign ?? ""}
        onChange={(event) => change("campaign", event.target.value)}
      >
        <option value="">{t("leads.anyCampaign")}</option>
        {campaigns.map((campaign) => (
          <option key={campaign.campaign_id} value={String(campaign.campaign_id)}>
            {campaign.name}
          </option>
        ))}
      </select>
      <select
        className="input input-quiet"
        aria-label={t("leads.sort")}
        value={search.sort ?? "date_created"}
        onChange={(event) => change("sort", event.target.value)}
      >
        {(["date_created", "last_prospecting_message", "status"] as const).map((order) => (
          <option key={order} value={order}>
            {t(`leads.sort.${order}`)}
          </option>
        ))}
      </select>
      {isFiltered ? (
        <Button kind="plain" icon="close" onClick={() => set({})}>
          {t("leads.clear")}
        </Button>
      ) : null}
    </search>
  )
}
