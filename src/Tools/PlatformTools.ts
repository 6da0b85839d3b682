import { webhookReplayKind } from "../Services/Events/WebhookReplays.ts"
import { accountExportKind } from "../Services/LeadFiles/AccountExports.ts"
import { platformAudit } from "./Accounts/PlatformAudit.ts"
import { platformClosure } from "./Accounts/PlatformClosure.ts"
import { platformRequests } from "./Accounts/PlatformRequests.ts"
import { platformTokens } from "./Accounts/PlatformTokens.ts"
import { platformUsage } from "./Accounts/PlatformUsage.ts"
import * as Catalog from "./Core/Catalog.ts"
import * as Tool from "./Core/Tool.ts"
import { platformWebhooks } from "./Events/PlatformWebhooks.ts"
import { platformExport } from "./LeadFiles/PlatformExport.ts"
import { platformPeople } from "./Leads/PlatformPeople.ts"
import { platformTestAccounts } from "./TestAccounts/PlatformTestAccounts.ts"

/** Tools that manage the use of the API. They are served separately from the product's tools, under `/platform/v1`. */
export const PlatformTools = Catalog.make([
  Tool.group(
    "Platform",
    "Manages the account's use of the API: access tokens, logs, usage, webhooks, the data of people, test accounts, and the account's end.",
    [
      ...platformTokens,
      ...platformRequests,
      ...platformAudit,
      ...platformUsage,
      ...platformWebhooks,
      ...platformPeople,
      ...platformExport,
      ...platformTestAccounts,
      ...platformClosure
    ],
    [webhookReplayKind, accountExportKind]
  )
])
