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
import { parseDevelopersSearch } from "../screens/Developers/DevelopersSearch.ts"
import { parseInboxSearch } from "../screens/Inbox/InboxSearch.ts"
import { parseLeadSearch } from "../screens/Leads/LeadSearch.ts"
import { parseMeetingSearch } from "../screens/Meetings/MeetingSearch.ts"
import { parseReportSearch } from "../screens/Reports/ReportSearch.ts"
import { NotFound } from "./NotFound.tsx"
import { RouteError } from "./RouteError.tsx"
import { Shell } from "./Shell.tsx"
import { allTexts } from "./Texts.ts"

const root = createRootRoute({ component: Outlet })

/** Only places of the console, so that a link cannot lead elsewhere after the sign-in. */
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
  component: lazyRouteComponent(() => import("../screens/Today/TodayScreen.tsx"), "TodayScreen")
})

const inbox = createRoute({
  getParentRoute: () => shell,
  path: "/inbox",
  validateSearch: parseInboxSearch,
  component: lazyRouteComponent(() => import("../screens/Inbox/InboxScreen.tsx"), "InboxScreen")
})

const meetings = createRoute({
  getParentRoute: () => shell,
  path: "/meetings",
  validateSearch: parseMeetingSearch,
  component: lazyRouteComponent(() => import("../screens/Meetings/MeetingsScreen.tsx"), "MeetingsScreen")
})

const leads = createRoute({
  getParentRoute: () => shell,
  path: "/leads",
  validateSearch: parseLeadSearch,
  component: lazyRouteComponent(() => import("../screens/Leads/LeadsScreen.tsx"), "LeadsScreen")
})

const lead = createRoute({
  getParentRoute: () => shell,
  path: "/leads/$leadId",
  component: lazyRouteComponent(() => import("../screens/Leads/LeadScreen.tsx"), "LeadScreen")
})

const campaigns = createRoute({
  getParentRoute: () => shell,
  path: "/campaigns",
  loader: beginCampaigns,
  component: lazyRouteComponent(() => import("../screens/Campaigns/CampaignsScreen.tsx"), "CampaignsScreen")
})

const compare = createRoute({
  getParentRoute: () => shell,
  path: "/campaigns/compare",
  validateSearch: parseCompareSearch,
  component: lazyRouteComponent(() => import("../screens/Campaigns/CompareScreen.tsx"), "CompareScreen")
})

const campaign = createRoute({
  getParentRoute: () => shell,
  path: "/campaigns/$campaignId",
  component: lazyRouteComponent(() => import("../screens/Campaigns/CampaignScreen.tsx"), "CampaignScreen")
})

const reports = createRoute({
  getParentRoute: () => shell,
  path: "/reports",
  validateSearch: parseReportSearch,
  component: lazyRouteComponent(() => import("../screens/Reports/ReportsScreen.tsx"), "ReportsScreen")
})

const content = createRoute({
  getParentRoute: () => shell,
  path: "/content",
  validateSearch: parseContentSearch,
  component: lazyRouteComponent(() => import("../screens/Content/ContentScreen.tsx"), "ContentScreen")
})

const site = createRoute({
  getParentRoute: () => shell,
  path: "/content/sites/$websiteId",
  component: lazyRouteComponent(() => import("../screens/Content/SiteScreen.tsx"), "SiteScreen")
})

const knowledge = createRoute({
  getParentRoute: () => shell,
  path: "/knowledge",
  component: lazyRouteComponent(() => import("../screens/Knowledge/KnowledgeScreen.tsx"), "KnowledgeScreen")
})

const simulation = createRoute({
  getParentRoute: () => shell,
  path: "/simulation",
  component: lazyRouteComponent(() => import("../screens/Simulation/SimulationScreen.tsx"), "SimulationScreen")
})

const developersHome = createRoute({
  getParentRoute: () => shell,
  path: "/developers",
  beforeLoad: () => redirect({ to: "/developers/$section", params: { section: "tools" }, throw: true })
})

const developers = createRoute({
  getParentRoute: () => shell,
  path: "/developers/$section",
  validateSearch: parseDevelopersSearch,
  component: lazyRouteComponent(() => import("../screens/Developers/DevelopersScreen.tsx"), "DevelopersScreen")
})

const jobs = createRoute({
  getParentRoute: () => shell,
  path: "/jobs",
  component: lazyRouteComponent(() => import("../screens/Jobs/JobsScreen.tsx"), "JobsScreen")
})

const settingsHome = createRoute({
  getParentRoute: () => shell,
  path: "/settings",
  beforeLoad: () => redirect({ to: "/settings/$section", params: { section: "account" }, throw: true })
})

const settings = createRoute({
  getParentRoute: () => shell,
  path: "/settings/$section",
  component: lazyRouteComponent(() => import("../screens/Settings/SettingsScreen.tsx"), "SettingsScreen")
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
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: RouteError,
  scrollRestoration: true
})

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: typeof router
  }
}

// The router writes where each screen was scrolled to when the page is left. Nothing stays in web storage.
window.addEventListener("pagehide", () => sessionStorage.clear())
