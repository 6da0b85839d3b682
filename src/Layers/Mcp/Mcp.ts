import { Effect, Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { authorizationEndpoints } from "./Authorization/AuthorizationEndpoints.ts"
import { CancelledCallsPostgres } from "./CancelledCallsPostgres.ts"
import { ClientQuestionsPostgres } from "./ClientQuestionsPostgres.ts"
import { keyedCallRetention } from "./KeyedCallRetention.ts"
import { KeyedCallsPostgres } from "./KeyedCallsPostgres.ts"
import { consentMakersMigration, mcpMigration, sealedAnswersMigration } from "./Migrations.ts"
import { mcpPersonalData } from "./PersonalData.ts"
import { ResourceNewsPostgres } from "./ResourceNewsPostgres.ts"

/** Agents by the Model Context Protocol. What it offers is a function of the catalog, and made where that is known. */
export const McpRoom = Room.make({
  migrations: [mcpMigration, consentMakersMigration, sealedAnswersMigration],
  layer: Layer.mergeAll(CancelledCallsPostgres, ClientQuestionsPostgres, KeyedCallsPostgres, ResourceNewsPostgres),
  tasks: Effect.succeed([keyedCallRetention.handler]),
  recurring: [keyedCallRetention.recurring],
  personalData: mcpPersonalData,
  endpoints: authorizationEndpoints
})
