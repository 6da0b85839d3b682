import { Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { authorizationEndpoints } from "./Authorization/AuthorizationEndpoints.ts"
import { CancelledCallsPostgres } from "./CancelledCallsPostgres.ts"
import { ClientQuestionsPostgres } from "./ClientQuestionsPostgres.ts"
import { consentMakersMigration, keyedCallsMovedMigration, mcpMigration, sealedAnswersMigration } from "./Migrations.ts"
import { ResourceNewsPostgres } from "./ResourceNewsPostgres.ts"
import { tokenSetting } from "./StdioCommand.ts"

/**
 * The Model Context Protocol for agents. Its tools come from the catalog, so it is built where the catalog is known.
 */
export const McpRoom = Room.make({
  migrations: [mcpMigration, consentMakersMigration, sealedAnswersMigration, keyedCallsMovedMigration],
  layer: Layer.mergeAll(CancelledCallsPostgres, ClientQuestionsPostgres, ResourceNewsPostgres),
  endpoints: authorizationEndpoints,
  settings: [tokenSetting]
})
