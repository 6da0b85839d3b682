import { Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { authorizationEndpoints } from "./Authorization/AuthorizationEndpoints.ts"
import { CancelledCallsPostgres } from "./CancelledCallsPostgres.ts"
import { ClientQuestionsPostgres } from "./ClientQuestionsPostgres.ts"
import { KeyedCallsPostgres } from "./KeyedCallsPostgres.ts"
import { consentMakersMigration, mcpMigration } from "./Migrations.ts"
import { mcpPersonalData } from "./PersonalData.ts"
import { ResourceNewsPostgres } from "./ResourceNewsPostgres.ts"

/** Agents by the Model Context Protocol. What it offers is a function of the catalog, and made where that is known. */
export const McpRoom = Room.make({
  migrations: [mcpMigration, consentMakersMigration],
  layer: Layer.mergeAll(CancelledCallsPostgres, ClientQuestionsPostgres, KeyedCallsPostgres, ResourceNewsPostgres),
  personalData: mcpPersonalData,
  endpoints: authorizationEndpoints
})
