import "./developers.css"
import { Link, useParams } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { useTexts } from "../../i18n/Messages.tsx"
import { Page } from "../../parts/Page.tsx"
import { Skeleton } from "../../parts/States.tsx"
import { type Section, sections } from "./DevelopersSearch.ts"

const screens = {
  tools: lazy(async () => ({ default: (await import("./Explorer.tsx")).Explorer })),
  requests: lazy(async () => ({ default: (await import("./RequestLog.tsx")).RequestLog }))
} as const satisfies Readonly<Record<Section, unknown>>

/** What a programmer needs: the tools, what was called, and how programs get access and events. */
export const DevelopersScreen = () => {
  const { t } = useTexts()
  const { section } = useParams({ from: "/shell/developers/$section" })
  const current = sections.find((one) => one === section) ?? "tools"
  const Screen = screens[current]
  return (
    <Page title={t("developers.title")} lead={t(`developers.${current}.lead`)}>
      <nav className="tabs" aria-label={t("developers.title")}>
        {sections.map((one) => (
          <Link
            key={one}
            className="tab"
            to="/developers/$section"
            params={{ section: one }}
            activeOptions={{ includeSearch: false }}
          >
            {t(`developers.${one}`)}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<Skeleton lines={8} />}>
        <Screen />
      </Suspense>
    </Page>
  )
}
