import "./settings.css"
import { Link, useParams } from "@tanstack/react-router"
import { Suspense } from "react"
import { useTexts } from "../../i18n/Messages.tsx"
import { Page } from "../../parts/Page.tsx"
import { Skeleton } from "../../parts/States.tsx"
import { settingsSectionNames, settingsSectionOf, settingsSections } from "./SettingsSections.ts"

/** The screen of the account, its members, its connections, and its audit log. */
export const SettingsScreen = () => {
  const { t } = useTexts()
  const { section } = useParams({ from: "/shell/settings/$section" })
  const current = settingsSectionOf(section)
  const Screen = settingsSections[current]
  return (
    <Page title={t("settings.title")} lead={t(`settings.${current}.lead`)}>
      <nav className="tabs" aria-label={t("settings.title")}>
        {settingsSectionNames.map((one) => (
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
