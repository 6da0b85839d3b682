import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { type MouseEvent, useMemo, useState } from "react"
import { catalogQuery, type ToolDocument } from "../../../form/Catalog.ts"
import { useTexts } from "../../../i18n/Messages.tsx"
import { Icon } from "../../../parts/Icon.tsx"
import { Answer, Empty } from "../../../parts/States.tsx"
import { matchTools } from "./matchTools.ts"
import { ToolPanel } from "./ToolPanel.tsx"

/**
 * Opens a tool without a link of the router. There are hundreds of tools, and each of the router's links observes the
 * address, which takes as long as the rest of the screen.
 */
const useOpenTool = () => {
  const navigate = useNavigate()
  return (event: MouseEvent, tool: string) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate({ to: "/developers/$section", params: { section: "tools" }, search: { tool }, resetScroll: false })
  }
}

const ToolList = ({ current, tools }: { readonly tools: ReadonlyArray<ToolDocument>; readonly current: string }) => {
  const { t, valueText } = useTexts()
  const [query, setQuery] = useState("")
  const open = useOpenTool()
  const groups = useMemo(() => matchTools(tools, query), [tools, query])
  return (
    <div className="tool-list">
      <search>
        <input
          type="search"
          className="input input-quiet"
          aria-label={t("developers.tools.search")}
          placeholder={t("developers.tools.search.count", { count: tools.length })}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </search>
      <nav className="tool-groups" aria-label={t("developers.tools")}>
        {groups.length === 0 ? <p className="faint small">{t("developers.tools.nothing")}</p> : null}
        {groups.map(([group, list]) => (
          <section key={group} aria-label={group}>
            <div className="nav-label" lang="en">
              {group}
            </div>
            <ul>
              {list.map((tool) => (
                <li key={tool.name}>
                  <a
                    className="tool-link"
                    href={`/console/developers/tools?tool=${tool.name}`}
                    onClick={(event) => open(event, tool.name)}
                    aria-current={tool.name === current ? "page" : undefined}
                  >
                    <span className="truncate code">{tool.name}</span>
                    {tool.kind === "read" ? null : (
                      <span className="tool-kind" data-kind={tool.kind} title={valueText("tool_kind", tool.kind)} />
                    )}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </div>
  )
}

/** The explorer of all tools in both catalogs: parameters, answers, and a form to try each tool. */
export const Explorer = () => {
  const { t } = useTexts()
  const { args, tool: name = "" } = useSearch({ from: "/shell/developers/$section" })
  const product = useQuery(catalogQuery("rest"))
  const platform = useQuery(catalogQuery("platform"))
  const tools = useMemo(
    () => (product.data === undefined ? undefined : [...product.data, ...(platform.data ?? [])]),
    [product.data, platform.data]
  )
  return (
    <Answer of={{ ...product, data: tools }} lines={12}>
      {(list) => {
        const tool = list.find((one) => one.name === name)
        return (
          <div className="explorer" data-open={tool !== undefined}>
            <ToolList tools={list} current={name} />
            <div className="explorer-panel">
              {tool === undefined ? (
                <div className="card">
                  <Empty icon="code" title={t("developers.tools.choose")} text={t("developers.tools.choose.text")} />
                </div>
              ) : (
                <>
                  <Link
                    className="back explorer-back"
                    to="/developers/$section"
                    params={{ section: "tools" }}
                    search={{}}
                  >
                    <Icon name="arrowLeft" />
                    {t("developers.tools.all")}
                  </Link>
                  <ToolPanel key={`${name} ${JSON.stringify(args)}`} tool={tool} initial={args ?? {}} />
                </>
              )}
            </div>
          </div>
        )
      }}
    </Answer>
  )
}
