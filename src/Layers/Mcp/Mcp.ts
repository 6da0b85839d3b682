import { Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { authorizationEndpoints } from "./Authorization/AuthorizationEndpoints.ts"
import { CancelledCallsPostgres } from "./CancelledCallsPostgres.ts"
import { ClientQuestionsPostgres } from "./ClientQuestionsPostgres.ts"
import { consentMakersMigration, keyedCallsMovedMigration, mcpMigration, sealedAnswersMigration } from "./Migrations.ts"
import { ResourceNewsPostgres } from "./ResourceNewsPostgres.ts"

/** Agents by the Model Context Protocol. What it offers is a function of the catalog, and made where that is known. */
export const McpRoom = Room.make({
  migrations: [mcpMigration, consentMakersMigration, sealedAnswersMigration, keyedCallsMovedMigration],
  layer: Layer.mergeAll(CancelledCallsPostgres, ClientQuestionsPostgres, ResourceNewsPostgres),
  endpoints: authorizationEndpoints
})
