import { useInfiniteQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useCallback, useMemo } from "react"
import { callTool } from "../../calls/Call.ts"
import { useTool } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { numberText } from "../../i18n/Formats.ts"
import { type Texts, useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Button } from "../../parts/Button.tsx"
import { type Column, DataTable } from "../../parts/DataTable.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import type { DevelopersSearch } from "./DevelopersSearch.ts"
import { ErrorGroups } from "./ErrorGroups.tsx"
import { RequestDialog } from "./RequestDialog.tsx"
import { toneOfStatus } from "./toneOfStatus.ts"

type Request = AnswerOf<"list_requests">["requests"][number] & { readonly row: number }

const columnsOf = ({ locale, t }: Texts, search: DevelopersSearch): ReadonlyArray<Column<Request>> => [
  {
    id: "status",
    header: t("developers.requests.status"),
    width: "64px",
    cell: ({ status }) => <Badge text={String(status)} tone={toneOfStatus(status)} />
  },
  {
    id: "tool",
    header: t("developers.requests.tool"),
    width: "minmax(150px, 1.6fr)",
    cell: (request) => (
      <Link
        className="truncate code request-link"
        to="/developers/$section"
        params={{ section: "requests" }}
        search={{ ...search, request: request.request_id }}
        resetScroll={false}
      >
        {request.tool ?? request.route}
      </Link>
    )
  },
  {
    id: "reason",
    header: t("developers.requests.reason"),
    width: "minmax(120px, 1.2fr)",
    isWide: true,
    cell: ({ reason }) => <span className="truncate code faint">{reason ?? ""}</span>
  },
  {
    id: "arguments",
    header: t("developers.requests.arguments"),
    width: "minmax(140px, 1.6fr)",
    isWide: true,
    cell: ({ argument_names }) => <span className="truncate faint">{argument_names.join(", ")}</span>
  },
  {
    id: "millis",
    header: t("developers.requests.time"),
    width: "72px",
    isEnd: true,
    isWide: true,
    cell: ({ milliseconds }) => (
      <span className="num soft">{t("developers.tools.millis", { millis: numberText(milliseconds, locale) })}</span>
    )
  },
  {
    id: "at",
    header: t("developers.requests.at"),
    width: "96px",
    isEnd: true,
    cell: ({ at }) => (
      <span className="faint">
        <Time at={at} />
      </span>
    )
  }
]

const useRequests = (search: DevelopersSearch) => {
  const args = {
    ...(search.tool === undefined ? {} : { tool: search.tool }),
    ...(search.reason === undefined ? {} : { reason: search.reason }),
    ...(search.token === undefined ? {} : { token_id: search.token }),
    ...(search.failed === true ? { only_failed: true } : {})
  }
  return useInfiniteQuery({
    queryKey: ["list_requests", "list", args],
    queryFn: async ({ pageParam, signal }) =>
      await callTool(
        "list_requests",
        { ...args, limit: 100, ...(pageParam === "" ? {} : { cursor: pageParam }) },
        { signal }
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: (previous) => previous
  })
}

const Filters = ({
  search,
  set
}: {
  readonly search: DevelopersSearch
  readonly set: (search: DevelopersSearch) => void
}) => {
  const { t } = useTexts()
  const tokens = useTool("list_tokens", {})
  const { failed, reason, token, tool, ...rest } = search
  return (
    <search className="filters">
      <button
        type="button"
        className="chip"
        aria-pressed={failed === true}
        onClick={() =>
          set(failed === true ? { ...rest, ...(token === undefined ? {} : { token }) } : { ...search, failed: true })
        }
      >
        {t("developers.requests.failed")}
      </button>
      <select
        className="input input-quiet"
        aria-label={t("developers.requests.token")}
        value={token ?? ""}
        onChange={(event) => {
          const { token: _, ...others } = search
          set(event.target.value === "" ? others : { ...others, token: Number(event.target.value) })
        }}
      >
        <option value="">{t("developers.requests.anyToken")}</option>
        {(tokens.data?.tokens ?? []).map((one) => (
          <option key={one.token_id} value={one.token_id}>
            {one.label ?? t("developers.tokens.unnamed", { id: one.token_id })}
          </option>
        ))}
      </select>
      {tool === undefined && reason === undefined ? null : (
        <Button
          kind="plain"
          icon="close"
          onClick={() => {
            const { reason: _, tool: __, ...others } = search
            set(others)
          }}
        >
          <span className="code">{[tool, reason].filter((part) => part !== undefined).join(" · ")}</span>
        </Button>
      )}
    </search>
  )
}

/** The requests of the last 30 days, and the most frequent failures. */
export const RequestLog = () => {
  const texts = useTexts()
  const { t } = texts
  const search = useSearch({ from: "/shell/developers/$section" })
  const navigate = useNavigate()
  const requests = useRequests(search)
  const columns = useMemo(() => columnsOf(texts, search), [texts, search])
  const rows = useMemo(
    () => (requests.data?.pages.flatMap((page) => page.requests) ?? []).map((one, row) => ({ ...one, row })),
    [requests.data]
  )
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = requests
  const loadMore = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage()
  }, [fetchNextPage, isFetchingNextPage])
  const set = (next: DevelopersSearch) =>
    void navigate({ to: "/developers/$section", params: { section: "requests" }, search: next, resetScroll: false })
  const { request, ...filters } = search
  return (
    <div className="stack-lg">
      <ErrorGroups />
      <div className="row spread wrap">
        <Filters search={filters} set={set} />
        {/* The log does not refresh by itself, because each refresh adds a request to it. */}
        <Button icon="refresh" isBusy={requests.isRefetching} onClick={() => void requests.refetch()}>
          {t("developers.requests.refresh")}
        </Button>
      </div>
      <Answer of={requests} lines={12}>
        {() =>
          rows.length === 0 ? (
            <div className="card">
              <Empty icon="search" title={t("developers.requests.empty")} text={t("developers.requests.empty.text")} />
            </div>
          ) : (
            <DataTable
              label={t("developers.requests")}
              columns={columns}
              rows={rows}
              idOf={(one) => one.row}
              nameOf={(one) => one.request_id}
              total={rows.length + (hasNextPage ? 1 : 0)}
              loadMore={loadMore}
            />
          )
        }
      </Answer>
      {request === undefined ? null : <RequestDialog requestId={request} close={() => set(filters)} />}
    </div>
  )
}
