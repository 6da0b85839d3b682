import "./settings.css"
import { Link, useParams } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { useTexts } from "../../i18n/Messages.tsx"
import { Page } from "../../parts/Page.tsx"
import { Skeleton } from "../../parts/States.tsx"

const sections = ["account", "members", "connections", "domains", "usage", "audit", "incidents"] as const
type Section = (typeof sections)[number]

const screens = {
  account: lazy(async () => ({ default: (await import("./Account.tsx")).Account })),
  members: lazy(async () => ({ default: (await import("./Members.tsx")).Members })),
  connections: lazy(async () => ({ default: (await import("./Connections.tsx")).Connections })),
  domains: lazy(async () => ({ default: (await import("./Domains.tsx")).Domains })),
  usage: lazy(async () => ({ default: (await import("./Usage.tsx")).Usage })),
  audit: lazy(async () => ({ default: (await import("./Audit.tsx")).Audit })),
  incidents: lazy(async () => ({ default: (await import("./Incidents.tsx")).Incidents }))
} as const satisfies Readonly<Record<Section, unknown>>

/** The account, who shares it, what it is connected to, and what was done in it. */
export const SettingsScreen = () => {
  const { t } = useTexts()
  const { section } = useParams({ from: "/shell/settings/$section" })
  const current = sections.find((one) => one === section) ?? "account"
  const Screen = screens[current]
  return (
    <Page title={t("settings.title")} lead={t(`settings.${current}.lead`)}>
      <nav className="tabs" aria-label={t("settings.title")}>
        {sections.map((one) => (
          <Link key={one} className="tab" to="/settings/$section" params={{ section: one }}>
            {t(`settings.${one}`)}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<Skeleton lines={8} />}>
        <Screen />
      </Suspense>
    </Page>
  )
}
