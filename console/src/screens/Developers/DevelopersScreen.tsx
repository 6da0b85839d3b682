import "./developers.css"
import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { Suspense } from "react"
import { catalogQuery } from "../../form/Catalog.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Page } from "../../parts/Page.tsx"
import { Skeleton } from "../../parts/States.tsx"
import { developerSections } from "./DeveloperSections.ts"
import { type Section, sections } from "./DevelopersSearch.ts"

/** A gateway without test accounts does not show them. */
const useSections = (): ReadonlyArray<Section> => {
  const { data: hasTestAccounts = false } = useQuery({
    ...catalogQuery("platform"),
    select: (tools) => tools.some(({ name }) => name === "list_test_accounts")
  })
  return hasTestAccounts ? sections : sections.filter((section) => section !== "test-accounts")
}

/** The screen for programmers: the tools, the log of calls, access tokens, and events. */
export const DevelopersScreen = () => {
  const { t } = useTexts()
  const { section } = useParams({ from: "/shell/developers/$section" })
  const offered = useSections()
  const current = offered.find((one) => one === section) ?? "tools"
  const Screen = developerSections[current]
  return (
    <Page title={t("developers.title")} lead={t(`developers.${current}.lead`)}>
      <nav className="tabs" aria-label={t("developers.title")}>
        {offered.map((one) => (
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
