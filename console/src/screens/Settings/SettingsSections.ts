import { later } from "../../parts/later.tsx"

export const settingsSections = {
  account: later(async () => (await import("./Account.tsx")).Account),
  members: later(async () => (await import("./Members.tsx")).Members),
  connections: later(async () => (await import("./Connections.tsx")).Connections),
  domains: later(async () => (await import("./Domains.tsx")).Domains),
  usage: later(async () => (await import("./Usage.tsx")).Usage),
  audit: later(async () => (await import("./Audit.tsx")).Audit),
  incidents: later(async () => (await import("./Incidents.tsx")).Incidents)
} as const

type Section = keyof typeof settingsSections

export const settingsSectionNames: ReadonlyArray<Section> = [
  "account",
  "members",
  "connections",
  "domains",
  "usage",
  "audit",
  "incidents"
]

export const settingsSectionOf = (name: string): Section =>
  settingsSectionNames.find((section) => section === name) ?? "account"
