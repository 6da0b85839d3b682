import { useInfiniteQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useCallback, useEffect, useMemo, useState } from "react"
import { callTool } from "../../calls/Call.ts"
import type { LeadRow } from "../../calls/LeadPages.ts"
import { useTool } from "../../calls/Queries.ts"
import { SchemaForm } from "../../form/SchemaForm.tsx"
import { type Texts, useTexts } from "../../i18n/Messages.tsx"
import { Avatar } from "../../parts/Avatar.tsx"
import { LeadStatus } from "../../parts/Badge.tsx"
import { Button } from "../../parts/Button.tsx"
import { type Column, DataTable } from "../../parts/DataTable.tsx"
import { Dialog } from "../../parts/dialogs/Dialog.tsx"
import { Page } from "../../parts/Page.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import { accountTime } from "../../parts/useNow.ts"
import { useCampaignChoices } from "../Campaigns/useCampaignChoices.ts"
import { BulkBar } from "./BulkBar.tsx"
import type { BulkTarget } from "./BulkDialog.tsx"
import { LastMessage } from "./LastMessage.tsx"
import { LeadFilters } from "./LeadFilters.tsx"
import { type LeadSearch, leadArguments, leadQuery } from "./LeadSearch.ts"
import { LeadViews } from "./LeadViews.tsx"

const columnsOf = ({ t }: Texts): ReadonlyArray<Column<LeadRow>> => [
  {
    id: "name",
    header: t("leads.column.name"),
    width: "minmax(200px, 2.2fr)",
    narrowWidth: "minmax(0, 1fr)",
    cell: (lead) => (
      <span className="table-main">
        <Avatar name={lead.name} />
        <span className="grow truncate">
          <Link to="/leads/$leadId" params={{ leadId: String(lead.lead_id) }}>
            {lead.name}
          </Link>
          <span className="faint"> {lead.company}</span>
        </span>
      </span>
    )
  },
  {
    id: "status",
    header: t("leads.column.status"),
    width: "minmax(112px, 0.8fr)",
    narrowWidth: "112px",
    cell: (lead) => <LeadStatus status={lead.status} />
  },
  {
    id: "campaign",
    header: t("leads.column.campaign"),
    width: "minmax(100px, 1fr)",
    isWide: true,
    cell: (lead) => <span className="truncate soft">{lead.campaign ?? "—"}</span>
  },
  {
    id: "last",
    header: t("leads.column.last"),
    width: "minmax(150px, 1fr)",
    isWide: true,
    cell: (lead) => <LastMessage lead={lead} />
  },
  {
    id: "next",
    header: t("leads.column.next"),
    width: "minmax(110px, 0.8fr)",
    isWide: true,
    cell: (lead) => <NextTouch lead={lead} />
  },
  {
    id: "added",
    header: t("leads.column.added"),
    width: "84px",
    isWide: true,
    isEnd: true,
    cell: (lead) => (
      <span className="faint">
        <Time at={lead.created_at} />
      </span>
    )
  }
]

const NextTouch = ({ lead }: { readonly lead: LeadRow }) => {
  const { t, valueText } = useTexts()
  if (lead.is_paused) return <span className="soft">{t("leads.paused")}</span>
  if (lead.final_outcome !== null) return <span className="faint">{valueText("outcome", lead.final_outcome)}</span>
  if (lead.pipeline_state !== "in_pipeline" || lead.next_touch_at === null) {
    return <span className="faint">{valueText("pipeline_state", lead.pipeline_state)}</span>
  }
  return <Time at={lead.next_touch_at} />
}

const useLeads = (search: LeadSearch) => {
  // The arguments stay the same until the filters change, so that scrolling reads pages of one list.
  const args = useMemo(() => leadArguments(search, accountTime()), [search])
  return useInfiniteQuery({
    queryKey: ["search_leads", "list", args],
    queryFn: async ({ pageParam, signal }) => await callTool("search_leads", { ...args, page: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last) => ((last.page + 1) * last.page_size < last.total ? last.page + 1 : undefined),
    placeholderData: (previous) => previous
  })
}

export const LeadsScreen = () => {
  const texts = useTexts()
  const { t } = texts
  const search = useSearch({ from: "/shell/leads" })
  const navigate = useNavigate({ from: "/leads" })
  const leads = useLeads(search)
  const campaigns = useTool("list_campaigns", { page_size: 100 })
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<number>>(new Set())
  /** All leads that the filter found when the person selected everything, including those that are not loaded. */
  const [everything, setEverything] = useState<BulkTarget>()
  const select = (ids: ReadonlySet<number>) => {
    setEverything(undefined)
    setSelectedIds(ids)
  }
  const campaignChoices = useCampaignChoices()
  const [isAdding, setIsAdding] = useState(false)
  useEffect(() => {
    setEverything(undefined)
    setSelectedIds(new Set())
  }, [search])
  const columns = useMemo(() => columnsOf(texts), [texts])
  const rows = useMemo(() => leads.data?.pages.flatMap((page) => page.leads) ?? [], [leads.data])
  const total = leads.data?.pages[0]?.total ?? 0
  const { fetchNextPage, isFetchingNextPage } = leads
  const loadMore = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage()
  }, [fetchNextPage, isFetchingNextPage])
  const setSearch = (next: LeadSearch) => void navigate({ search: next, replace: true })
  return (
    <Page
      title={t("leads.title")}
      lead={leads.data === undefined ? t("leads.lead") : t("leads.count", { count: total })}
      actions={
        <Button kind="primary" icon="plus" writes onClick={() => setIsAdding(true)}>
          {t("leads.add")}
        </Button>
      }
    >
      <div className="stack">
        <LeadViews search={search} />
        <LeadFilters search={search} campaigns={campaigns.data?.campaigns ?? []} set={setSearch} />
      </div>
      <Answer of={leads} lines={12}>
        {() =>
          rows.length === 0 ? (
            <div className="card">
              <Empty icon="users" title={t("leads.empty")} text={t("leads.empty.text")}>
                <Link to="/leads" search={{}} className="button">
                  {t("leads.clear")}
                </Link>
              </Empty>
            </div>
          ) : (
            <DataTable
              label={t("leads.title")}
              columns={columns}
              rows={rows}
              idOf={(lead) => lead.lead_id}
              nameOf={(lead) => lead.name}
              total={total}
              loadMore={loadMore}
              selection={{
                selectedIds: everything === undefined ? selectedIds : new Set(rows.map(({ lead_id }) => lead_id)),
                set: select
              }}
            />
          )
        }
      </Answer>
      <BulkBar
        target={everything ?? { leads: rows.filter((lead) => selectedIds.has(lead.lead_id)) }}
        campaigns={campaigns.data?.campaigns ?? []}
        clear={() => select(new Set())}
        {...(everything === undefined && total > rows.length && rows.every(({ lead_id }) => selectedIds.has(lead_id))
          ? { everything: { total, choose: () => setEverything({ query: leadQuery(search, accountTime()), total }) } }
          : {})}
      />
      {isAdding ? (
        <Dialog isDrawer title={t("leads.add")} onClose={() => setIsAdding(false)}>
          <SchemaForm
            tool="register_lead"
            fields={["name", "email", "phone", "company", "campaign", "status"]}
            initial={search.campaign === undefined ? {} : { campaign: search.campaign }}
            choices={campaignChoices}
            submitLabel={t("leads.add")}
            doneText={t("leads.added")}
            onDone={() => setIsAdding(false)}
            onCancel={() => setIsAdding(false)}
          />
        </Dialog>
      ) : null}
    </Page>
  )
}
