import { later } from "../../parts/later.tsx"
import type { Section } from "./DevelopersSearch.ts"

export const developerSections = {
  tools: later(async () => (await import("./explorer/Explorer.tsx")).Explorer),
  requests: later(async () => (await import("./RequestLog.tsx")).RequestLog),
  webhooks: later(async () => (await import("./Webhooks.tsx")).Webhooks),
  tokens: later(async () => (await import("./Tokens.tsx")).Tokens),
  events: later(async () => (await import("./LiveEvents.tsx")).LiveEvents),
  "test-accounts": later(async () => (await import("./TestAccounts.tsx")).TestAccounts)
} as const satisfies Readonly<Record<Section, unknown>>
