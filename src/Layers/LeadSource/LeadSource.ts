import { Effect, Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { LeadSourcePostgres } from "./LeadSourcePostgres.ts"
import {
  LeadSourceSettings,
  LeadSourceSettingsLive,
  LeadSourceTransportConfigured,
  loadLeadSourceSettings
} from "./LeadSourceTransport.ts"
import { leadSourceMigration } from "./Migrations.ts"
import { leadSourceRecurring, leadSourceTasks } from "./ReadContacts.ts"
import { leadSourceSandboxEndpoints } from "./sandbox/ApolloSandboxEndpoints.ts"

/** Imports leads from an account's own lead database (Apollo). */
export const LeadSourceRoom = Room.make({
  migrations: [leadSourceMigration],
  layer: LeadSourcePostgres.pipe(
    Layer.provideMerge(LeadSourceTransportConfigured),
    Layer.provideMerge(LeadSourceSettingsLive)
  ),
  tasks: Effect.succeed(leadSourceTasks),
  recurring: leadSourceRecurring,
  endpoints: leadSourceSandboxEndpoints,
  modes: Effect.map(LeadSourceSettings, ({ mode }) => ({ leadsource: mode })),
  settings: [loadLeadSourceSettings]
})
