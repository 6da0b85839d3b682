import { Effect } from "effect"
import * as Room from "../Platform/Room.ts"
import { ConversationsPostgres } from "./ConversationsPostgres.ts"
import { leadPageEndpoint } from "./LeadPage.ts"
import { conversationRecurring, conversationTasks, embeddingLoop } from "./MessageEmbeddings.ts"
import { conversationsMigration } from "./Migrations.ts"
import { conversationsPersonalData } from "./PersonalData.ts"

/** The conversations with leads and with the owner, and the search over them. */
export const ConversationsRoom = Room.make({
  migrations: [conversationsMigration],
  layer: ConversationsPostgres,
  tasks: Effect.succeed(conversationTasks),
  recurring: conversationRecurring,
  loops: embeddingLoop,
  endpoints: Effect.map(leadPageEndpoint, (endpoint) => [endpoint]),
  personalData: conversationsPersonalData
})
