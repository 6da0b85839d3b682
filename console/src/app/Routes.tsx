import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect
} from "@tanstack/react-router"
import { beginCampaigns, beginToday, fetchSession } from "../calls/FirstCalls.ts"
import { parseCompareSearch } from "../screens/Campaigns/CompareSearch.ts"
import { parseContentSearch } from "../screens/Content/ContentSearch.ts"
import { developerSections } from "../screens/Developers/DeveloperSections.ts"
import { parseDevelopersSearch, sections } from "../screens/Developers/DevelopersSearch.ts"
import { parseInboxSearch } from "../screens/Inbox/InboxSearch.ts"
import { parseLeadSearch } from "../screens/Leads/LeadSearch.ts"
import { parseMeetingSearch } from "../screens/Meetings/MeetingSearch.ts"
import { parseReportSearch } from "../screens/Reports/ReportSearch.ts"
import { settingsSectionOf, settingsSections } from "../screens/Settings/SettingsSections.ts"
import { TodayScreen } from "../screens/Today/TodayScreen.tsx"
import { NotFound } from "./NotFound.tsx"
import { RouteError } from "./RouteError.tsx"
import { screens } from "./Screens.ts"
import { Shell } from "./Shell.tsx"
import { allTexts } from "./Texts.ts"

const root = createRootRoute({ component: Outlet })

/** Accepts only places of the console, so that a link cannot lead elsewhere after the sign-in. */
const placeAfter = (value: unknown): string | undefined =>
  typeof value === "string" && /^\/(?![/\\])/.test(value) ? value : undefined

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search: Readonly<Record<string, unknown>>): { readonly next?: string } => {
    const next = placeAfter(search["next"])
    return next === undefined ? {} : { next }
  },
  component: lazyRouteComponent(() => import("./SignIn.tsx"), "SignIn")
})

const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  beforeLoad: async ({ location }) => {
    if ((await fetchSession()) === null) redirect({ to: "/sign-in", search: { next: location.href }, throw: true })
    if (location.pathname !== "/") await allTexts()
  },
  component: Shell,
  errorComponent: RouteError
})

const home = createRoute({
  getParentRoute: () => shell,
  path: "/",
  loader: beginToday,
  component: TodayScreen
})

const inbox = createRoute({
  getParentRoute: () => shell,
  path: "/inbox",
  validateSearch: parseInboxSearch,
  component: lazyRouteComponent(screens.inbox, "InboxScreen")
})

const meetings = createRoute({
  getParentRoute: () => shell,
  path: "/meetings",
  validateSearch: parseMeetingSearch,
  component: lazyRouteComponent(screens.meetings, "MeetingsScreen")
})

const leads = createRoute({
  getParentRoute: () => shell,
  path: "/leads",
  validateSearch: parseLeadSearch,
  component: lazyRouteComponent(screens.leads, "LeadsScreen")
})

const lead = createRoute({
  getParentRoute: () => shell,
  path: "/leads/$leadId",
  component: lazyRouteComponent(screens.lead, "LeadScreen")
})

const campaigns = createRoute({
  getParentRoute: () => shell,
  path: "/campaigns",
  loader: beginCampaigns,
  component: lazyRouteComponent(screens.campaigns, "CampaignsScreen")
})

const compare = createRoute({
  getParentRoute: () => shell,
  path: "/campaigns/compare",
  validateSearch: parseCompareSearch,
  component: lazyRouteComponent(screens.compare, "CompareScreen")
})

const campaign = createRoute({
  getParentRoute: () => shell,
  path: "/campaigns/$campaignId",
  component: lazyRouteComponent(screens.campaign, "CampaignScreen")
})

const reports = createRoute({
  getParentRoute: () => shell,
  path: "/reports",
  validateSearch: parseReportSearch,
  component: lazyRouteComponent(screens.reports, "ReportsScreen")
})

const content = createRoute({
  getParentRoute: () => shell,
  path: "/content",
  validateSearch: parseContentSearch,
  component: lazyRouteComponent(screens.content, "ContentScreen")
})

const site = createRoute({
  getParentRoute: () => shell,
  path: "/content/sites/$websiteId",
  component: lazyRouteComponent(screens.site, "SiteScreen")
})

const knowledge = createRoute({
  getParentRoute: () => shell,
  path: "/knowledge",
  component: lazyRouteComponent(screens.knowledge, "KnowledgeScreen")
})

const simulation = createRoute({
  getParentRoute: () => shell,
  path: "/simulation",
  component: lazyRouteComponent(screens.simulation, "SimulationScreen")
})

const developersHome = createRoute({
  getParentRoute: () => shell,
  path: "/developers",
  beforeLoad: () => redirect({ to: "/developers/$section", params: { section: "tools" }, throw: true })
})

const developers = createRoute({
  getParentRoute: () => shell,
  path: "/developers/$section",
  loader: async ({ params }) => {
    const section = sections.find((one) => one === params.section) ?? "tools"
    await developerSections[section].preload()
  },
  validateSearch: parseDevelopersSearch,
  component: lazyRouteComponent(screens.developers, "DevelopersScreen")
})

const jobs = createRoute({
  getParentRoute: () => shell,
  path: "/jobs",
  component: lazyRouteComponent(screens.jobs, "JobsScreen")
})

const settingsHome = createRoute({
  getParentRoute: () => shell,
  path: "/settings",
  beforeLoad: () => redirect({ to: "/settings/$section", params: { section: "account" }, throw: true })
})

const settings = createRoute({
  getParentRoute: () => shell,
  path: "/settings/$section",
  loader: async ({ params }) => {
    await settingsSections[settingsSectionOf(params.section)].preload()
  },
  component: lazyRouteComponent(screens.settings, "SettingsScreen")
})

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    shell.addChildren([
      home,
      inbox,
      leads,
      lead,
      meetings,
      campaigns,
      compare,
      campaign,
      reports,
      content,
      site,
      knowledge,
      simulation,
      jobs,
      developersHome,
      developers,
      settingsHome,
      settings
    ])
  ]),
  basepath: "/console",
  defaultPreload: "intent",
  // Code and calls of a screen begin when the pointer reaches its link.
  defaultPreloadDelay: 0,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: RouteError,
  scrollRestoration: true
})

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: typeof router
  }
}
