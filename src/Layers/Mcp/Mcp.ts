import * as Room from "../Platform/Room.ts"
import { authorizationEndpoints } from "./Authorization/AuthorizationEndpoints.ts"
import { ClientQuestionsPostgres } from "./ClientQuestionsPostgres.ts"
import { mcpMigration } from "./Migrations.ts"

/** Agents by the Model Context Protocol. What it offers is a function of the catalog, and made where that is known. */
export const McpRoom = Room.make({
  migrations: [mcpMigration],
  layer: ClientQuestionsPostgres,
  endpoints: authorizationEndpoints
})
