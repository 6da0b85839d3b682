import { accountsMigration } from "./Accounts/Migrations.ts"
import { blacklistMigration } from "./Blacklist/Migrations.ts"
import { campaignsMigration } from "./Campaigns/Migrations.ts"
import { chatAppMigration } from "./ChatApp/Migrations.ts"
import { conversationsMigration } from "./Conversations/Migrations.ts"
import { eventsMigration } from "./Events/Migrations.ts"
import { filesMigration } from "./Files/Migrations.ts"
import { jobsMigration } from "./Jobs/Migrations.ts"
import { knowledgeMigration } from "./Knowledge/Migrations.ts"
import { leadFilesMigration } from "./LeadFiles/Migrations.ts"
import { leadsMigration } from "./Leads/Migrations.ts"
import { learningsMigration } from "./Learnings/Migrations.ts"
import { mailMigration } from "./Mail/Migrations.ts"
import { meetingsMigration } from "./Meetings/Migrations.ts"
import { modelsMigration } from "./Models/Migrations.ts"
import { outcomesMigration } from "./Outcomes/Migrations.ts"
import { outreachMigration } from "./Outreach/Migrations.ts"
import { migrateWith } from "./Platform/Postgres/Database.ts"
import type { Migration } from "./Platform/Postgres/Migration.ts"
import { platformMigration } from "./Platform/Postgres/PlatformMigration.ts"
import { prospectingMigration } from "./Prospecting/Migrations.ts"
import { reportsMigration } from "./Reports/Migrations.ts"
import { supportMigration } from "./Support/Migrations.ts"
import { timingMigration } from "./Timing/Migrations.ts"
import { voiceMigration } from "./Voice/Migrations.ts"

/**
 * The schema, in the order of its steps: a key to a table of a later room is added in that room's file. Until the first
 * release a step is edited in place; after it the list only grows at its end (a test holds checksums).
 */
export const migrations: ReadonlyArray<Migration> = [
  platformMigration,
  accountsMigration,
  jobsMigration,
  eventsMigration,
  filesMigration,
  modelsMigration,
  blacklistMigration,
  prospectingMigration,
  campaignsMigration,
  leadsMigration,
  leadFilesMigration,
  timingMigration,
  outreachMigration,
  mailMigration,
  chatAppMigration,
  voiceMigration,
  meetingsMigration,
  outcomesMigration,
  conversationsMigration,
  supportMigration,
  knowledgeMigration,
  learningsMigration,
  reportsMigration
]

/** Brings the database to the newest version. Gateways that start at once wait for each other. */
export const migrate = migrateWith(migrations)
