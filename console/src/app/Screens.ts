/** The code of the screens, each of which is a file. Today's is part of the first view. */
export const screens = {
  inbox: async () => await import("../screens/Inbox/InboxScreen.tsx"),
  leads: async () => await import("../screens/Leads/LeadsScreen.tsx"),
  lead: async () => await import("../screens/Leads/LeadScreen.tsx"),
  meetings: async () => await import("../screens/Meetings/MeetingsScreen.tsx"),
  campaigns: async () => await import("../screens/Campaigns/CampaignsScreen.tsx"),
  campaign: async () => await import("../screens/Campaigns/CampaignScreen.tsx"),
  compare: async () => await import("../screens/Campaigns/CompareScreen.tsx"),
  reports: async () => await import("../screens/Reports/ReportsScreen.tsx"),
  content: async () => await import("../screens/Content/ContentScreen.tsx"),
  site: async () => await import("../screens/Content/SiteScreen.tsx"),
  knowledge: async () => await import("../screens/Knowledge/KnowledgeScreen.tsx"),
  simulation: async () => await import("../screens/Simulation/SimulationScreen.tsx"),
  jobs: async () => await import("../screens/Jobs/JobsScreen.tsx"),
  developers: async () => await import("../screens/Developers/DevelopersScreen.tsx"),
  settings: async () => await import("../screens/Settings/SettingsScreen.tsx")
} as const
